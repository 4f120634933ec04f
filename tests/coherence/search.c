// Breadth first through all states, the nearest first. States are known by 128 bits of hash; harts, and lines, are
// interchangeable, and so are the two values of a line.
#include "protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { // of a state, by the order in which it was found
    uint64_t print[2];
    uint32_t parent;
};
struct level { // states of one depth
    struct state *states;
    size_t count, size;
};
struct walk {
    const struct options *o;
    struct record *records;
    uint32_t *slots; // 1 + record, by hash
    size_t count, most, slot_count;
    struct level now, next; // those of one depth, and of the next
};

static const char *const action_names[ACTION_COUNT] = {
#define ACTION_NAME(id) #id,
    ACTIONS(ACTION_NAME)};

static void flip_messages(struct message *queue, unsigned count, unsigned line) {
    for (unsigned i = 0; i < count; i++)
        if (queue[i].line == line && queue[i].has) queue[i].data ^= 1;
}

// A line's values are counted from what was written last.
static void flip(struct state *s, unsigned line) {
    struct hub_line *t = &s->hub[line];
    for (unsigned i = 0; i < HARTS; i++) {
        struct hart *h = &s->harts[i];
        struct line *l = &h->lines[line];
        if (l->copy) l->data ^= 1;
        if (l->entry) l->victim ^= 1;
        if (l->looked > 1) l->taken ^= 1;
        if (l->answer && !l->refused) l->value ^= 1;
        l->seen = (l->seen & 1U) << 1 | l->seen >> 1;
        flip_messages(h->down, h->downs, line);
        flip_messages(h->up, h->ups, line);
    }
    if (t->has) t->acked ^= 1;
    if (t->put) t->late ^= 1;
    if (t->kind) t->fetched ^= 1;
    t->memory ^= 1;
    t->latest ^= 1;
}

static void exchange_lines(struct state *s) {
    struct hub_line t = s->hub[0];
    s->hub[0] = s->hub[1];
    s->hub[1] = t;
    for (unsigned i = 0; i < HARTS; i++) {
        struct hart *h = &s->harts[i];
        struct line l = h->lines[0];
        h->lines[0] = h->lines[1];
        h->lines[1] = l;
        for (unsigned j = 0; j < h->downs; j++)
            h->down[j].line ^= 1;
        for (unsigned j = 0; j < h->ups; j++)
            h->up[j].line ^= 1;
        if (h->reservation) h->reservation = 3 - h->reservation;
        if (h->conditional) h->conditional = 3 - h->conditional;
        if (h->amo) h->amo = 3 - h->amo;
    }
}

static void sort_harts(const struct options *o, struct state *s) {
    for (unsigned i = 1; i < o->harts; i++)
        for (unsigned j = i; j && memcmp(&s->harts[j - 1], &s->harts[j], sizeof s->harts[0]) > 0; j--) {
            struct hart h = s->harts[j];
            s->harts[j] = s->harts[j - 1];
            s->harts[j - 1] = h;
        }
}

static void normalize(const struct options *o, struct state *s) {
    for (unsigned i = 0; i < LINES; i++)
        if (s->hub[i].latest) flip(s, i);
    if (!has_rule(o, PUT_NOT_BEHIND_GET)) return; // the FIFO names harts and lines
    sort_harts(o, s);
    if (o->lines < 2) return;
    struct state other = *s;
    exchange_lines(&other);
    sort_harts(o, &other);
    if (memcmp(&other, s, sizeof other) < 0) *s = other;
}

static void fingerprint(const struct state *s, uint64_t print[2]) {
    uint64_t a = 0x9e3779b97f4a7c15, b = 0xc2b2ae3d27d4eb4f;
    const unsigned char *bytes = (const unsigned char *)s;
    for (size_t i = 0; i < sizeof *s; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, sizeof *s - i < 8 ? sizeof *s - i : 8);
        a = (a ^ word) * 0xff51afd7ed558ccd;
        a ^= a >> 32;
        b = (b + word) * 0xc4ceb9fe1a85ec53;
        b ^= b >> 29;
    }
    print[0] = a;
    print[1] = b ^ b >> 32;
}

// A new one is a state of the next depth.
static void keep(struct walk *w, const struct state *s, size_t parent) {
    uint64_t print[2];
    fingerprint(s, print);
    size_t slot = print[0] & (w->slot_count - 1);
    for (; w->slots[slot]; slot = (slot + 1) & (w->slot_count - 1)) {
        const struct record *r = &w->records[w->slots[slot] - 1];
        if (r->print[0] == print[0] && r->print[1] == print[1]) return;
    }
    if (w->count == w->most) return;
    w->records[w->count++] = (struct record){{print[0], print[1]}, (uint32_t)parent};
    w->slots[slot] = (uint32_t)w->count;
    struct level *next = &w->next;
    if (next->count == next->size) {
        next->size = next->size ? 2 * next->size : 4096;
        next->states = realloc(next->states, next->size * sizeof *next->states);
        if (!next->states) abort();
    }
    next->states[next->count++] = *s;
}

// number: (hart * LINES + line) * ACTION_COUNT + action
static bool act(const struct options *o, struct state *s, unsigned number, const char **broken) {
    unsigned action = number % ACTION_COUNT, line = number / ACTION_COUNT % LINES;
    unsigned hart = number / ACTION_COUNT / LINES;
    if (action < INTERNAL) return line < o->lines && core_act(o, s, hart, line, action, broken);
    return hub_act(o, s, hart, line, action) || cache_act(o, s, hart, line, action, broken);
}

static bool unfinished(const struct options *o, const struct state *s) {
    for (unsigned i = 0; i < o->harts; i++) {
        const struct hart *h = &s->harts[i];
        if (h->downs || h->ups || h->conditional) return true;
        for (unsigned j = 0; j < LINES; j++)
            if (h->lines[j].asker || h->lines[j].entry || h->lines[j].unused || h->lines[j].done) return true;
    }
    for (unsigned i = 0; i < LINES; i++)
        if (s->hub[i].kind) return true;
    return s->length;
}

// At rest memory has what was written last, or a cache has it, modified.
static bool update_lost(const struct state *s) {
    for (unsigned i = 0; i < LINES; i++) {
        bool modified = false;
        for (unsigned j = 0; j < HARTS; j++)
            modified |= s->harts[j].lines[i].copy == MODIFIED;
        if (!modified && s->hub[i].memory != s->hub[i].latest) return true;
    }
    return false;
}

// Something ends by this action, or comes nearer to its end.
static bool goes_on(const struct state *s, unsigned number) {
    unsigned hart = number / ACTION_COUNT / LINES, line = number / ACTION_COUNT % LINES;
    return number % ACTION_COUNT >= INTERNAL || s->harts[hart].lines[line].unused || s->harts[hart].conditional;
}

static const char *expand(struct walk *w, const struct state *s, size_t number) {
    bool stuck = unfinished(w->o, s);
    if (!stuck && update_lost(s)) return "lost-update";
    for (unsigned i = 0; i < w->o->harts * LINES * ACTION_COUNT; i++) {
        struct state after = *s;
        const char *broken = NULL;
        if (!act(w->o, &after, i, &broken)) continue;
        stuck &= !goes_on(s, i);
        if (broken) return broken;
        normalize(w->o, &after);
        keep(w, &after, number);
        if (w->count == w->most) return "too-large";
    }
    return stuck ? "deadlock" : NULL;
}

// The message that is next in a queue, or the first of a kind that passes those before it.
static const struct message *next_message(const struct message *queue, unsigned count, bool in_order,
                                          enum kind passes) {
    unsigned i = 0;
    while (!in_order && i + 1 < count && queue[i].kind != passes)
        i++;
    return &queue[i];
}

// What an action was about, as a word: the request, the message, the answer, or the copy that it leaves.
static const char *subject(const struct state *before, const struct state *after, unsigned hart, unsigned line,
                           enum action action) {
    static const char *const requests[] = {"-", "GET", "OWN", "TRYGET", "IGET"};
    static const char *const kinds[] = {"SHARE", "INVAL", "TRY", "PEEK", "PUT_ACK", "PUT", "ACK"};
    static const char *const copies[] = {"invalid", "shared", "exclusive", "modified"};
    const struct hart *h = &before->harts[hart];
    const struct line *l = &after->harts[hart].lines[line];
    const struct message *up = next_message(h->up, h->ups, line == 0, ACK);
    switch (action) {
    case DO_TAKE: return requests[h->lines[line].request];
    case DO_DOWN: return kinds[next_message(h->down, h->downs, line == 0, PUT_ACK)->kind];
    case DO_LOOK: return kinds[h->down[0].kind];
    case DO_UP: return !h->ups ? "PUT" : up->kind == PUT ? "PUT" : up->has ? "ACK with data" : "ACK";
    case DO_ANSWER: return l->refused ? "refused" : l->dirty ? "dirty" : l->exclusive ? "exclusive" : "shared";
    case DO_REFILL:
        return h->lines[line].refused ? "refused" : h->lines[line].asker == FETCH ? "instructions" : copies[l->copy];
    default: return "-";
    }
}

// A line an action: hart, line of memory, action, and what it was about. Messages have the line that they speak of.
static void print_action(const struct state *before, const struct state *after, unsigned number) {
    const unsigned action = number % ACTION_COUNT, hart = number / ACTION_COUNT / LINES;
    const unsigned line = number / ACTION_COUNT % LINES;
    const struct hart *h = &before->harts[hart];
    unsigned of = line;
    if (action == DO_DOWN) of = next_message(h->down, h->downs, line == 0, PUT_ACK)->line;
    if (action == DO_LOOK) of = h->down[0].line;
    if (action == DO_UP && h->ups) of = next_message(h->up, h->ups, line == 0, ACK)->line;
    printf("  hart %u line %u %s %s\n", hart, of, action_names[action],
           subject(before, after, hart, line, (enum action)action));
}

// Names of harts differ from state to state: the way is walked again, by what each step must lead to.
// Does the first action that leads to a record's state, or that breaks a property, and prints it.
static void print_step(const struct options *o, struct state *s, const struct record *to, const char *breaks) {
    for (unsigned i = 0; i < o->harts * LINES * ACTION_COUNT; i++) {
        struct state after = *s, normal;
        const char *broken = NULL;
        uint64_t print[2] = {0};
        if (!act(o, &after, i, &broken)) continue;
        normal = after;
        normalize(o, &normal);
        fingerprint(&normal, print);
        if (to ? print[0] != to->print[0] || print[1] != to->print[1] : broken != breaks) continue;
        print_action(s, &after, i);
        *s = after;
        return;
    }
}

// States name no harts: the way is walked again, by what each step must lead to.
static void print_way(const struct walk *w, size_t last, const char *broken) {
    size_t way[256], length = 0;
    struct state s = {0};
    for (; last && length < 256; last = w->records[last].parent)
        way[length++] = last;
    while (length)
        print_step(w->o, &s, &w->records[way[--length]], NULL);
    print_step(w->o, &s, NULL, broken);
    printf("  %s\n", broken);
}

struct found search(const struct options *o, uint64_t most, bool trace) {
    static struct walk w;
    w = (struct walk){.o = o, .most = most, .slot_count = 1};
    struct found found = {0};
    while (w.slot_count < 2 * most)
        w.slot_count *= 2;
    w.records = malloc(most * sizeof *w.records);
    w.slots = calloc(w.slot_count, sizeof *w.slots);
    if (!w.records || !w.slots) abort();
    keep(&w, &(struct state){0}, 0);
    for (size_t first = 0; w.next.count && !found.broken; found.depth++) {
        const struct level done = w.now;
        w.now = w.next;
        w.next = (struct level){.states = done.states, .size = done.size};
        for (size_t i = 0; i < w.now.count && !found.broken; i++) {
            found.broken = expand(&w, &w.now.states[i], first + i);
            if (found.broken && trace) print_way(&w, first + i, found.broken);
        }
        first += w.now.count;
    }
    found.states = w.count;
    free(w.records);
    free(w.slots);
    free(w.now.states);
    free(w.next.states);
    return found;
}
