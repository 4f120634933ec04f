// Executed jumps: how often control went from one instruction to another that does not follow it in memory. Together
// with where it began and ended they give the executions of every instruction (those up to it that were arrived at,
// less those before it that were left) and of every edge between basic blocks (report/executed.h). Result: jump
// (tables/results.tsv). From PLACE_END: control began (reset, the first instruction of a handler); to PLACE_END: it
// ended after the instruction (the return of a handler, the end of the run).
//
// A trap does not change the flow of what it interrupts: the instruction that comes next when the handler has returned
// there follows the one before the trap. So the place where a trap was taken is kept until a trap return goes there. An
// ecall counts as executed, and control goes on after it; any other exception is that its instruction was not
// executed.
#include "base/array.h"
#include "profile/pair_table.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <stdlib.h>

enum { INSN_MRET = 0x30200073, INSN_SRET = 0x10200073, INSN_ECALL = 0x73, ECALL_U = 8, ECALL_M = 11 };

struct left { // where a trap was taken
    struct place before, next;
    bool jump; // from one to the other, which counts when control goes back there: else one follows the other
};

struct edges {
    struct pair_table *jumps; // with the number of executions; to or from PLACE_END's address: nowhere
    struct left *traps;
    size_t trap_count, trap_capacity;
    bool going;        // an instruction has been executed, and no trap since then
    struct place last; // it
    uint64_t next;     // address after it
    uint32_t insn;     // the instruction
    bool ended;        // nothing counts any more
};

static bool is_nowhere(struct place p) {
    return p.pc == PROFILE_PC_END;
}

static bool add(struct edges *e, struct place from, struct place to) {
    return pair_table_add(e->jumps, from, to, (const uint64_t[PAIR_COUNTS]){1});
}

static inline bool follows(const struct edges *e, uint64_t pc, uint64_t context) {
    return pc == e->next && context == e->last.context && e->going;
}

static inline void executed(struct edges *e, uint64_t pc, uint32_t insn) {
    e->last.pc = pc;
    e->next = pc + ((insn & 3) == 3 ? 4 : 2);
    e->insn = insn;
}

// The last trap that was taken there.
static struct left *find_trap(struct edges *e, struct place next) {
    for (size_t i = e->trap_count; i-- > 0;) {
        if (place_equal(e->traps[i].next, next)) return &e->traps[i];
    }
    return NULL;
}

// Control comes to `to`. What it comes from, in the flow that goes on there, goes to *l.
static bool arrive(struct edges *e, struct place to, struct left *l) {
    *l = (struct left){e->going ? e->last : PLACE_END, to, false};
    if (follows(e, to.pc, to.context)) return true;
    const bool returns = e->going && (e->insn == INSN_MRET || e->insn == INSN_SRET);
    struct left *trap = returns ? find_trap(e, to) : NULL;
    if (trap) {
        *l = *trap;
        *trap = e->traps[--e->trap_count];
        return add(e, e->last, PLACE_END);
    }
    l->jump = true;
    return true;
}

// It does not follow the last one.
static bool jumped(struct edges *e, struct place place, uint32_t insn) {
    struct left l;
    if (!arrive(e, place, &l) || (l.jump && !add(e, l.before, place))) return false;
    e->last.context = place.context;
    e->going = true;
    executed(e, place.pc, insn);
    return true;
}

WORKER_RARE static bool take_trap(struct edges *e, const struct trapped *trap, uint64_t context) {
    struct place place = {trap->epc, context};
    struct left l;
    if (!trap->interrupt && trap->cause >= ECALL_U && trap->cause <= ECALL_M) {
        if (follows(e, place.pc, context)) {
            executed(e, place.pc, INSN_ECALL);
        } else if (!jumped(e, place, INSN_ECALL)) {
            return false;
        }
        place.pc += 4;
    }
    if (!e->going) return true; // in front of the first instruction of a handler
    if (!arrive(e, place, &l)) return false;
    if (!array_reserve(&e->traps, &e->trap_capacity, e->trap_count, sizeof *e->traps)) return false;
    e->traps[e->trap_count++] = l;
    e->going = false;
    return true;
}

WORKER_RARE static int no_memory(struct error *err) {
    return error_nomem(err, "exec-counts");
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct edges *e = state;
    const struct trace_left *left = v->left;
    if (e->ended) return 0;
    const uint64_t context = place_context(v->privilege, v->bundle->space);
    for (unsigned k = 0; k < left->count; k++) {
        const struct retired *r = &left->retired[k];
        if (follows(e, r->pc, context)) {
            executed(e, r->pc, r->insn);
        } else if (!jumped(e, (struct place){r->pc, context}, r->insn)) {
            return no_memory(err);
        }
    }
    if (left->trap.valid && !take_trap(e, &left->trap, context)) return no_memory(err);
    return 0;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    struct edges *e = state;
    (void)cycle;
    (void)err;
    pair_table_empty(e->jumps);
    e->trap_count = 0;
    e->going = false;
    return 0;
}

// What a trap interrupted and no return resumed ended with the instruction before it.
static int finish(void *state, uint64_t cycles, struct error *err) {
    struct edges *e = state;
    (void)cycles;
    bool good = !e->going || add(e, e->last, PLACE_END);
    for (size_t i = 0; good && i < e->trap_count; i++) {
        const struct place before = e->traps[i].before;
        good = is_nowhere(before) || add(e, before, PLACE_END);
    }
    e->going = false;
    e->trap_count = 0;
    return good ? 0 : no_memory(err);
}

static int end(void *state, uint64_t cycle, struct error *err) {
    int result = finish(state, cycle, err);
    ((struct edges *)state)->ended = true;
    return result;
}

static bool publish(void *state, struct results *results) {
    return pair_table_publish(((const struct edges *)state)->jumps, results, RESULT_JUMP);
}

static void destroy(void *state) {
    struct edges *e = state;
    pair_table_destroy(e->jumps);
    free(e->traps);
    free(e);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    struct edges *e = calloc(1, sizeof *e);
    if (e && (e->jumps = pair_table_create())) return e;
    free(e);
    no_memory(err);
    return NULL;
}

const struct worker_ops worker_exec_counts = {
    .name = "exec-counts",
    .text = "execution counts of jumps, and from these the counts of instructions, "
            "edges between basic blocks, and loops",
    .needs = DPI_BUNDLE | DPI_RETIRE,
    .standard = WORKER_WITH_LOCKSTEP,
    .leaving_only = true,
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .finish = finish,
    .publish = publish,
    .destroy = destroy};
