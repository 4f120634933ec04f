// The states that a test can end in: a set of vectors of values, and what the condition says of them.
#include "base/array.h"
#include "base/fnv.h"
#include "base/hash_index.h"
#include "litmus/litmus.h"
#include "litmus/test.h"
#include <inttypes.h>

struct litmus_states {
    const struct litmus_test *test;
    uint64_t *values; // item_count of them each
    size_t count, capacity;
    struct hash_index index;
};

static size_t width(const struct litmus_states *s) {
    return s->test->item_count ? s->test->item_count : 1; // of a test that names nothing: one 0
}

struct litmus_states *litmus_states_create(const struct litmus_test *t) {
    struct litmus_states *s = calloc(1, sizeof *s);
    if (s) s->test = t;
    return s;
}

void litmus_states_destroy(struct litmus_states *s) {
    if (!s) return;
    free(s->values);
    hash_index_free(&s->index);
    free(s);
}

size_t litmus_states_count(const struct litmus_states *s) {
    return s->count;
}

// As they are kept: what `filter` alone names is 0. False: the filter drops them.
static bool keep(const struct litmus_states *s, const uint64_t *values, uint64_t *kept) {
    for (unsigned i = 0; i < s->test->item_count; i++)
        kept[i] = s->test->items[i].shown ? values[i] : 0;
    return litmus_holds(s->test, &s->test->filter, values);
}

static uint64_t hash_values(const struct litmus_states *s, const uint64_t *values) {
    uint64_t hash = FNV_START;
    for (size_t i = 0; i < s->test->item_count; i++)
        hash = (hash ^ values[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_entry(const void *owner, uint32_t number) {
    return hash_values(owner, litmus_states_values(owner, number));
}

static bool is_entry(const void *owner, uint32_t number, const void *key) {
    const struct litmus_states *s = owner;
    return memcmp(litmus_states_values(s, number), key, s->test->item_count * sizeof(uint64_t)) == 0;
}

size_t litmus_states_find(const struct litmus_states *s, const uint64_t *kept) {
    const uint32_t found = hash_index_find(&s->index, hash_values(s, kept), is_entry, s, kept);
    return found == HASH_INDEX_NONE ? LITMUS_NO_STATE : found;
}

size_t litmus_states_put(struct litmus_states *s, const uint64_t *state) {
    const size_t found = litmus_states_find(s, state);
    if (found != LITMUS_NO_STATE) return found;
    if (s->count >= UINT32_MAX - 1 || !array_reserve(&s->values, &s->capacity, s->count, width(s) * sizeof *state) ||
        !hash_index_reserve(&s->index, 0, (uint32_t)s->count, hash_entry, s))
        return LITMUS_NO_STATE;
    uint64_t *to = s->values + s->count * width(s);
    to[0] = 0;
    memcpy(to, state, s->test->item_count * sizeof *state);
    hash_index_put(&s->index, hash_values(s, state), (uint32_t)s->count);
    return s->count++;
}

size_t litmus_states_add(struct litmus_states *s, const uint64_t *values) {
    uint64_t kept[LITMUS_ITEMS];
    return keep(s, values, kept) ? litmus_states_put(s, kept) : LITMUS_FILTERED;
}

const uint64_t *litmus_states_values(const struct litmus_states *s, size_t state) {
    return s->values + state * width(s);
}

// As they are shown: registers as signed numbers.
static int by_values(const void *a, const void *b, void *context) {
    const struct litmus_states *s = context;
    const int64_t *x = a, *y = b;
    for (size_t i = 0; i < width(s); i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

void litmus_states_sort(struct litmus_states *s) {
    if (!s->count) return;
    qsort_r(s->values, s->count, width(s) * sizeof *s->values, by_values, s);
    hash_index_rebuild(&s->index, 0, (uint32_t)s->count, hash_entry, s);
}

static void print_value(const struct litmus_test *t, const struct litmus_item *item, uint64_t value, FILE *out) {
    for (unsigned i = 0; i < t->location_count; i++) {
        if (value != litmus_address(i)) continue;
        fputs(t->locations[i].name, out);
        return;
    }
    const bool is_signed = item->is_register || t->locations[item->location].is_signed;
    fprintf(out, is_signed ? "%" PRId64 : "%" PRIu64, value);
}

void litmus_states_print(const struct litmus_states *s, size_t state, FILE *out) {
    const struct litmus_test *t = s->test;
    for (unsigned i = 0; i < t->item_count; i++) {
        const struct litmus_item *item = &t->items[i];
        if (!item->shown) continue;
        if (i) fputc(' ', out);
        if (item->is_register)
            fprintf(out, "%u:x%u=", item->thread, item->x);
        else if (t->locations[item->location].elements == 1)
            fprintf(out, "%s=", t->locations[item->location].name);
        else
            fprintf(out, "%s[%u]=", t->locations[item->location].name, item->element);
        print_value(t, item, litmus_states_values(s, state)[i], out);
        fputc(';', out);
    }
}

// Only the item's bytes are compared.
static bool equal(const struct litmus_test *t, const struct litmus_term *term, uint64_t value) {
    const struct litmus_item *item = &t->items[term->item];
    const unsigned bytes = item->is_register ? 8 : t->locations[item->location].bytes;
    return ((value ^ litmus_number(&term->value)) & UINT64_MAX >> (64 - 8 * bytes)) == 0;
}

bool litmus_holds(const struct litmus_test *t, const struct litmus_proposition *p, const uint64_t *values) {
    bool of[LITMUS_TERMS];
    for (int i = 0; i < p->count; i++) {
        const struct litmus_term *term = &p->terms[i];
        switch (term->kind) {
        case TERM_TRUE: of[i] = true; break;
        case TERM_FALSE: of[i] = false; break;
        case TERM_EQUAL: of[i] = equal(t, term, values[term->item]); break;
        case TERM_AND: of[i] = of[term->left] && of[term->right]; break;
        case TERM_OR: of[i] = of[term->left] || of[term->right]; break;
        case TERM_NOT: of[i] = !of[term->left]; break;
        }
    }
    return p->count == 0 || of[p->count - 1];
}

bool litmus_states_satisfies(const struct litmus_states *s, size_t state) {
    return litmus_holds(s->test, &s->test->condition, litmus_states_values(s, state));
}

struct litmus_verdict litmus_judge(const struct litmus_states *s, const uint64_t *counts) {
    struct litmus_verdict v = {0};
    for (size_t i = 0; i < s->count; i++)
        *(litmus_states_satisfies(s, i) ? &v.positive : &v.negative) += counts ? counts[i] : 1;
    const enum litmus_quantifier q = s->test->quantifier;
    v.holds = q == LITMUS_EXISTS ? v.positive > 0 : q == LITMUS_FORALL ? v.negative == 0 : v.positive == 0;
    return v;
}

const char *litmus_kind(const struct litmus_test *t) {
    static const char *const kinds[] = {"Allowed", "Forbidden", "Required"};
    return kinds[t->quantifier];
}

const char *litmus_observation(const struct litmus_verdict *v) {
    return !v->positive ? "Never" : v->negative ? "Sometimes" : "Always";
}
