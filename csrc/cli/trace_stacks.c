// Where an instruction goes on, the next one that leaves says: each is stepped when that is known.
#include "cli/trace_stacks.h"
#include <stdlib.h>

enum { STACKS_MOST = 1 << 20 };

struct trace_stacks {
    const struct program *program;
    struct callstack *callstack;
    bool begun;
    struct callstack_step last; // what left last, to be stepped once it is known what follows
    bool turns;                 // it has to be
    struct call_stacks stacks;
};

struct trace_stacks *trace_stacks_create(const struct program *program) {
    struct trace_stacks *t = calloc(1, sizeof *t);
    if (t) t->callstack = callstack_create(STACKS_MOST);
    if (!t || !t->callstack) {
        free(t);
        return NULL;
    }
    t->program = program;
    return t;
}

void trace_stacks_destroy(struct trace_stacks *t) {
    if (!t) return;
    callstack_destroy(t->callstack);
    free(t);
}

const struct call_stacks *trace_stacks_now(const struct trace_stacks *t) {
    return &t->stacks;
}

const struct stack_node *trace_stacks_nodes(const struct trace_stacks *t, uint32_t *count) {
    return stack_table_nodes(callstack_table(t->callstack), count);
}

// The stack of the instruction at pc, which leaves now.
static uint32_t arrive(struct trace_stacks *t, uint64_t pc, uint64_t context) {
    if (!t->begun) {
        uint32_t count;
        callstack_begin(t->callstack, pc, context, CALLSTACK_NO_SP);
        trace_stacks_nodes(t, &count);
        t->stacks.now = count - 1; // the only one
        t->begun = true;
    }
    if (!t->turns) return t->stacks.now;
    t->turns = false;
    t->last.next_pc = pc;
    t->last.next_context = context;
    return t->stacks.now = callstack_step(t->callstack, &t->last);
}

static uint32_t instruction_at(const struct trace_stacks *t, uint64_t pc) {
    size_t count;
    const size_t i = program_find(t->program, pc);
    return i == PROGRAM_NONE ? 0 : program_instructions(t->program, &count)[i].insn;
}

static void leave(struct trace_stacks *t, uint64_t pc, uint64_t context) {
    t->last =
        (struct callstack_step){.pc = pc, .context = context, .sp = CALLSTACK_NO_SP, .insn = instruction_at(t, pc)};
    t->turns = callstack_turns(t->last.insn);
}

static void leave_by_trap(struct trace_stacks *t, const struct commit_bundle *b, uint64_t context) {
    t->last = (struct callstack_step){
        .pc = b->exception_pc, .context = context, .sp = CALLSTACK_NO_SP, .trap = true, .interrupt = b->interrupt};
    t->turns = true;
}

void trace_stacks_cycle(struct trace_stacks *t, const struct commit_bundle *b) {
    const uint64_t context = place_context(b->priv, b->space);
    struct call_stacks *s = &t->stacks;
    if (b->exception) {
        s->before = s->left = arrive(t, b->exception_pc, context);
        if (!b->replay) leave_by_trap(t, b, context);
    }
    if (!b->commit) return;
    s->before = arrive(t, b->pc[b->oldest], context);
    const unsigned count = (unsigned)__builtin_popcount(b->commit);
    for (unsigned lane = b->oldest, i = 0; i < count; i++, lane = b->commit >> (lane + 1) & 1 ? lane + 1 : 0) {
        s->lane[lane] = s->left = arrive(t, b->pc[lane], context);
        leave(t, b->pc[lane], context);
    }
}
