// Calls that fork wait, each with a copy of its stack, for the first return of the process that they begin.
#include "base/array.h"
#include "callstack/callstack_internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    WAITING = 1024, // calls that wait, at most
    ECALL = 4,      // bytes
    LAST_ERROR = 4095
};

void forks_free(struct forks *f) {
    for (size_t i = 0; i < f->count; i++)
        free(f->list[i].stack.frames);
    free(f->list);
    *f = (struct forks){0};
}

static void drop(struct forks *f, size_t i) {
    free(f->list[i].stack.frames);
    memmove(&f->list[i], &f->list[i + 1], (f->count - i - 1) * sizeof *f->list);
    f->count--;
}

// All of it is the caller's own code: nothing that a trap interrupted, no frame without space.
static bool is_whole(const struct thread *t, uint64_t context) {
    if (t->beyond || t->node <= STACK_LOST) return false;
    for (size_t i = 0; i < t->depth; i++) {
        const struct frame *f = &t->frames[i];
        if (f->context != context || f->kind == STACK_EXCEPTION || f->kind == STACK_INTERRUPT) return false;
        if (f->node <= STACK_LOST) return false;
    }
    return true;
}

void forks_remember(struct callstack *c, const struct callstack_step *s) {
    struct forks *f = &c->forks;
    const struct thread *t = c->now;
    if (place_mode(s->context) != MODE_USER || s->sp == CALLSTACK_NO_SP || f->lost) return;
    if (f->count == WAITING || !array_reserve(&f->list, &f->capacity, f->count, sizeof *f->list)) {
        f->lost = true;
        return;
    }
    struct fork *one = &f->list[f->count++];
    *one = (struct fork){.pc = s->pc,
                         .sp = s->sp,
                         .context = s->context,
                         .registers = s->registers,
                         .same_space = s->fork == CALLSTACK_VFORK};
    if (!is_whole(t, s->context)) return;
    one->stack.frames = malloc((t->depth + 1) * sizeof *t->frames);
    if (!one->stack.frames) return;
    if (t->depth) memcpy(one->stack.frames, t->frames, t->depth * sizeof *t->frames);
    one->stack.depth = t->depth;
    one->stack.bottom = t->bottom;
    one->stack.node = t->node;
}

void forks_returned(struct callstack *c, const struct callstack_step *s) {
    struct forks *f = &c->forks;
    for (size_t i = f->count; i-- > 0;) { // of several, the last: its caller waits for it
        const struct fork *one = &f->list[i];
        if (one->context != s->next_context || one->sp != s->sp) continue;
        const bool again = s->next_pc == one->pc, failed = s->result >= -(uint64_t)LAST_ERROR;
        if (!again && !(failed && s->next_pc == one->pc + ECALL)) continue;
        drop(f, i);
        return;
    }
}

static bool may_begin(const struct fork *one, const struct callstack_step *s) {
    if (s->result != 0 || s->next_pc != one->pc + ECALL) return false;
    if (s->sp != one->sp || s->registers != one->registers) return false;
    return one->same_space ? s->next_context == one->context
                           : place_mode(s->next_context) == MODE_USER && s->next_context != one->context;
}

static bool same_stack(const struct thread *a, const struct thread *b) {
    if (a->node == STACK_UNKNOWN || a->node != b->node || a->depth != b->depth || a->bottom != b->bottom) return false;
    for (size_t i = 0; i < a->depth; i++) {
        const struct frame *x = &a->frames[i], *y = &b->frames[i];
        if (x->back != y->back || x->sp != y->sp || x->node != y->node || x->kind != y->kind) return false;
    }
    return true;
}

// The stack as that of another address space: the same calls there. False: no space.
static bool copy(struct callstack *c, const struct thread *from, uint64_t context, struct thread *to) {
    uint32_t count, node = STACK_UNKNOWN;
    for (size_t i = 0; i <= from->depth; i++) {
        const uint32_t number = i < from->depth ? from->frames[i].node : from->node;
        const struct stack_node n = stack_table_nodes(c->table, &count)[number];
        node = callstack_node(c, n.kind, node, n.site, n.entry, context);
        if (node == STACK_LOST) return false;
        to->node = node;
        if (i == from->depth) break;
        if (!callstack_reserve(to)) return false;
        to->frames[to->depth] = from->frames[i];
        to->frames[to->depth].node = node;
        to->frames[to->depth++].context = context;
    }
    return true;
}

bool forks_begin(struct callstack *c, const struct callstack_step *s) {
    struct forks *f = &c->forks;
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < f->count; i++) {
        if (!may_begin(&f->list[i], s)) continue;
        if (first == SIZE_MAX) first = i;
        if (!same_stack(&f->list[first].stack, &f->list[i].stack)) return false;
    }
    if (first == SIZE_MAX || f->lost) return false;
    struct thread *t = callstack_new_thread(c);
    t->depth = t->beyond = 0;
    t->bottom = f->list[first].stack.bottom;
    const bool good = copy(c, &f->list[first].stack, s->next_context, t);
    if (!good) { // begins like one that is not known
        t->depth = 0;
        t->node = STACK_LOST;
    }
    drop(f, first);
    c->counts.forks++;
    return true;
}
