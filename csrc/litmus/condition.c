// What follows the table: `locations [...]`, `filter PROPOSITION`, and the condition.
#include "litmus/reader.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 }; // parentheses, negations and implications in each other

struct parser {
    struct reader *r;
    struct litmus_proposition *to;
    unsigned depth;
};

static int proposition(struct parser *p);

static int term(struct parser *p, struct litmus_term t) {
    if (p->to->count == LITMUS_TERMS) {
        reader_fails(p->r, p->r->at, "more than %d terms: write a shorter condition", LITMUS_TERMS);
        return -1;
    }
    p->to->terms[p->to->count] = t;
    return p->to->count++;
}

static int join(struct parser *p, enum litmus_term_kind kind, int left, int right) {
    if (left < 0 || right < 0) return -1;
    return term(p, (struct litmus_term){.kind = kind, .left = left, .right = right});
}

static int negate(struct parser *p, int left) {
    return left < 0 ? -1 : term(p, (struct litmus_term){.kind = TERM_NOT, .left = left});
}

static bool same(const struct litmus_item *a, const struct litmus_item *b) {
    return a->is_register == b->is_register && a->thread == b->thread && a->x == b->x && a->location == b->location &&
           a->element == b->element;
}

static bool add_item(struct reader *r, const struct litmus_item *item, unsigned *number) {
    struct litmus_test *t = r->test;
    for (*number = 0; *number < t->item_count; ++*number) {
        if (!same(&t->items[*number], item)) continue;
        t->items[*number].shown |= item->shown;
        return true;
    }
    if (t->item_count == LITMUS_ITEMS)
        return reader_fails(r, r->at, "more than %d registers and locations: name fewer", LITMUS_ITEMS);
    t->items[t->item_count++] = *item;
    return true;
}

static bool register_item(struct reader *r, struct litmus_item *item) {
    uint64_t thread;
    reader_blanks(r);
    const char *const start = r->at;
    if (!reader_number(r, &thread)) return false;
    if (thread >= r->test->thread_count)
        return reader_fails(r, start, "no thread %llu: the table has %u", (unsigned long long)thread,
                            r->test->thread_count);
    if (!reader_needs(r, ":", "a register is THREAD:NAME, as in 0:x5")) return false;
    const size_t bytes = reader_name(r);
    const int x = reader_register(r->at, bytes);
    if (x < 0) return reader_fails(r, r->at, "no such register: use x0 to x31, or a name of the ABI");
    r->at += bytes;
    *item = (struct litmus_item){.is_register = true, .thread = (uint8_t)thread, .x = (uint8_t)x};
    return true;
}

// `x`, `[x]`, `*x`, `x[1]`.
static bool location_item(struct reader *r, struct litmus_item *item) {
    const bool brackets = reader_takes(r, "["), star = !brackets && reader_takes(r, "*");
    const size_t bytes = reader_name(r);
    const char *const name = r->at;
    if (!bytes)
        return reader_fails(r, r->at, "a register (0:x5) or a location is missing%s", star ? " behind '*'" : "");
    const int location = reader_location(r, name, bytes);
    if (location < 0) return false;
    const struct litmus_location *l = &r->test->locations[location];
    uint64_t element = 0;
    r->at += bytes;
    if (brackets && !reader_needs(r, "]", "a location is NAME or [NAME]")) return false;
    if (!brackets && reader_takes(r, "[") &&
        (!reader_number(r, &element) || !reader_needs(r, "]", "an element is NAME[NUMBER]")))
        return false;
    if (element >= l->elements)
        return reader_fails(r, name, "%s has %u elements, from 0 on: name another one", l->name, l->elements);
    *item = (struct litmus_item){.location = (uint8_t)location, .element = (unsigned)element};
    return true;
}

static bool read_item(struct reader *r, bool shown, unsigned *number) {
    struct litmus_item item = {0};
    reader_blanks(r);
    const bool is_register = r->at < r->end && isdigit((unsigned char)*r->at);
    if (!(is_register ? register_item(r, &item) : location_item(r, &item))) return false;
    item.shown = shown;
    return add_item(r, &item, number);
}

static bool deeper(struct parser *p) {
    return ++p->depth <= DEEPEST ||
           reader_fails(p->r, p->r->at, "more than %d parts in each other: write a shorter condition", DEEPEST);
}

static int comparison(struct parser *p) {
    struct reader *r = p->r;
    struct litmus_term t = {.kind = TERM_EQUAL};
    if (!read_item(r, p->to == &r->test->condition, &t.item)) return -1;
    const bool differs = reader_takes(r, "<>") || reader_takes(r, "!=");
    if (!differs && !reader_takes(r, "==") && !reader_takes(r, "=")) {
        reader_fails(r, r->at, "'=' is missing: write NAME=VALUE, or <>");
        return -1;
    }
    if (!reader_value(r, &t.value)) return -1;
    const int equal = term(p, t);
    return differs ? negate(p, equal) : equal;
}

static int factor(struct parser *p) {
    struct reader *r = p->r;
    int found = -1;
    if (!deeper(p)) return -1;
    const bool word = reader_is(r, "not") || reader_is(r, "true") || reader_is(r, "false");
    const char first = word ? *r->at : '\0';
    if (word) r->at += reader_name(r);
    if (first == 'n' || (!word && reader_takes(r, "~"))) {
        found = negate(p, factor(p));
    } else if (word) {
        found = term(p, (struct litmus_term){.kind = first == 't' ? TERM_TRUE : TERM_FALSE});
    } else if (reader_takes(r, "(")) {
        found = proposition(p);
        if (found >= 0 && !reader_needs(r, ")", "close what '(' opens")) found = -1;
    } else {
        found = comparison(p);
    }
    p->depth--;
    return found;
}

static int conjunction(struct parser *p) {
    int left = factor(p);
    while (left >= 0 && (reader_takes(p->r, "/\\") || reader_takes(p->r, "&&")))
        left = join(p, TERM_AND, left, factor(p));
    return left;
}

static int disjunction(struct parser *p) {
    int left = conjunction(p);
    while (left >= 0 && (reader_takes(p->r, "\\/") || reader_takes(p->r, "||")))
        left = join(p, TERM_OR, left, conjunction(p));
    return left;
}

static int proposition(struct parser *p) { // a => b => c is a => (b => c)
    const int left = disjunction(p);
    if (left < 0 || !reader_takes(p->r, "=>")) return left;
    if (!deeper(p)) return -1;
    const int right = proposition(p);
    p->depth--;
    return join(p, TERM_OR, negate(p, left), right);
}

static bool read_proposition(struct reader *r, struct litmus_proposition *to) {
    struct parser p = {r, to, 0};
    return proposition(&p) >= 0;
}

static bool read_locations(struct reader *r) {
    if (!reader_needs(r, "[", "locations are [NAME; ...]")) return false;
    while (!reader_takes(r, "]")) {
        unsigned number;
        if (reader_takes(r, ";")) continue;
        if (!read_item(r, true, &number)) return false;
    }
    return true;
}

static bool read_quantified(struct reader *r) {
    struct litmus_test *t = r->test;
    const bool negated = reader_takes(r, "~");
    t->quantifier = negated ? LITMUS_NOT_EXISTS : LITMUS_EXISTS;
    if (reader_is(r, "exists") || (!negated && (reader_is(r, "forall") || reader_is(r, "final")))) {
        if (*r->at == 'f' && r->at[1] == 'o') t->quantifier = LITMUS_FORALL;
        r->at += reader_name(r);
    } else if (negated || *r->at != '(') {
        return reader_fails(r, r->at, "a condition is missing: write exists, ~exists or forall, and a proposition");
    }
    if (!read_proposition(r, &t->condition)) return false;
    reader_takes(r, ";");
    return reader_ended(r) || reader_fails(r, r->at, "the condition ends before this: omit it");
}

static int by_place(const void *a, const void *b, void *context) {
    const struct litmus_item *m = a, *n = b;
    const struct litmus_test *t = context;
    if (m->shown != n->shown) return m->shown ? -1 : 1;
    if (m->is_register != n->is_register) return m->is_register ? -1 : 1;
    if (m->is_register) return m->thread != n->thread ? m->thread - n->thread : m->x - n->x;
    const int names = strcmp(t->locations[m->location].name, t->locations[n->location].name);
    return names ? names : (int)m->element - (int)n->element;
}

static void renumber(struct litmus_proposition *p, const struct litmus_item *old, const struct litmus_test *t) {
    for (int i = 0; i < p->count; i++) {
        unsigned number = 0;
        if (p->terms[i].kind != TERM_EQUAL) continue;
        while (number + 1 < t->item_count && !same(&t->items[number], &old[p->terms[i].item]))
            number++;
        p->terms[i].item = number;
    }
}

static void sort_items(struct litmus_test *t) {
    struct litmus_item old[LITMUS_ITEMS] = {0};
    memcpy(old, t->items, sizeof old);
    qsort_r(t->items, t->item_count, sizeof *t->items, by_place, t);
    renumber(&t->condition, old, t);
    renumber(&t->filter, old, t);
}

// The condition's text, blanks as one.
static char *plain(const char *from, const char *end) {
    char *text = malloc((size_t)(end - from) + 1), *to = text;
    for (; text && from < end; from++) {
        const bool blank = isspace((unsigned char)*from);
        if (!blank)
            *to++ = *from;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    while (text && to > text && (to[-1] == ' ' || to[-1] == ';'))
        to--;
    if (text) *to = '\0';
    return text;
}

bool litmus_read_condition(struct reader *r) {
    struct litmus_test *t = r->test;
    for (bool more = true; more;) {
        more = reader_is(r, "locations") || reader_is(r, "filter");
        if (!more) break;
        const bool filter = *r->at == 'f';
        r->at += reader_name(r);
        if (!(filter ? read_proposition(r, &t->filter) : read_locations(r))) return false;
    }
    const bool none = reader_ended(r);
    const char *const start = r->at;
    if (!none && !read_quantified(r)) return false;
    t->condition_text = none ? strdup("exists (true)") : plain(start, r->end);
    sort_items(t);
    return t->condition_text || (error_nomem(r->err, r->path), false);
}
