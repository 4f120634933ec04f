// The stacks that are known; one of them runs.
#include "base/array.h"
#include "callstack/callstack_internal.h"
#include <stdlib.h>

struct callstack *callstack_create(uint32_t limit) {
    struct callstack *c = calloc(1, sizeof *c);
    if (c) c->table = stack_table_create(limit);
    if (!c || !c->table) {
        free(c);
        return NULL;
    }
    c->now = &c->threads[0];
    c->now->ran = ++c->switched;
    return c;
}

void callstack_destroy(struct callstack *c) {
    if (!c) return;
    for (size_t i = 0; i < CALLSTACK_THREADS; i++)
        free(c->threads[i].frames);
    forks_free(&c->forks);
    stack_table_destroy(c->table);
    free(c);
}

const struct stack_table *callstack_table(const struct callstack *c) {
    return c->table;
}
struct callstack_counts callstack_counts(const struct callstack *c) {
    return c->counts;
}

uint32_t callstack_node(struct callstack *c, enum stack_kind kind, uint32_t parent, uint64_t site, uint64_t entry,
                        uint64_t context) {
    const struct stack_node node = {
        .parent = parent, .kind = (uint8_t)kind, .site = site, .entry = entry, .context = context};
    const uint32_t number = stack_table_find(c->table, &node);
    if (number == STACK_LOST) c->counts.lost++;
    return number;
}

void callstack_enter(struct callstack *c, struct thread *t) {
    c->now = t;
    t->ran = ++c->switched;
}

void callstack_begin_in(struct callstack *c, struct thread *t, uint64_t pc, uint64_t context, uint64_t sp) {
    t->depth = t->beyond = 0;
    t->bottom = sp;
    t->node = callstack_node(c, STACK_ROOT, STACK_UNKNOWN, 0, pc, context);
    c->counts.roots++;
    callstack_enter(c, t);
}

void callstack_begin(struct callstack *c, uint64_t pc, uint64_t context, uint64_t sp) {
    callstack_begin_in(c, c->now, pc, context, sp);
}

struct thread *callstack_new_thread(struct callstack *c) {
    struct thread *oldest = &c->threads[0];
    for (size_t i = 1; i < CALLSTACK_THREADS; i++) {
        if (c->threads[i].ran < oldest->ran) oldest = &c->threads[i];
    }
    callstack_enter(c, oldest);
    return oldest;
}

bool callstack_reserve(struct thread *t) {
    if (t->beyond || t->depth == CALLSTACK_DEPTH) return false;
    return array_reserve(&t->frames, &t->capacity, t->depth, sizeof *t->frames);
}
