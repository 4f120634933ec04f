// Call stacks (callstack/callstack.h) of everything that leaves the core, for the Oracle and for samples. They are
// lockstep's ISS's: every call and return is one that the golden machine executed, too.
#include "workers/call_stacks.h"
#include "base/array.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SP = 2, A0 = 10, A1 = 11, A7 = 17, REGISTERS = 32 }; // their numbers among the registers
// Linux's clone (asm-generic/unistd.h, linux/sched.h), by which C libraries fork.
enum { USER_ECALL = 8, CLONE = 220, CLONE_VM = 0x100 };

struct kept {
    struct callstack *callstack;
    bool begun;
    bool mixed; // the lanes are not all `now`
    uint64_t sp;
    struct call_stacks stacks; // for the Oracle
    struct worker_stacks out;
    size_t capacity; // of out.samples
};

static void destroy(void *state) {
    struct kept *k = state;
    callstack_destroy(k->callstack);
    free(k->out.samples);
    free(k);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct kept *k = calloc(1, sizeof *k);
    (void)run;
    if (k) k->callstack = callstack_create((uint32_t)values[0].number);
    if (!k || !k->callstack) {
        error_nomem(err, "call-stacks");
        free(k);
        return NULL;
    }
    k->out.now = &k->stacks;
    k->out.table = callstack_table(k->callstack);
    return k;
}

static void set_all(struct call_stacks *s, uint32_t stack) {
    s->now = s->before = stack;
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        s->lane[lane] = stack;
}

WORKER_RARE static void begin_stack(struct kept *k, const struct worker_view *v) {
    const struct iss_retire *first = &v->golden->step[0];
    k->begun = true;
    k->sp = first->rd_written && !first->rd_fp && first->rd == SP ? 0 : hart_x(v->golden->hart, SP);
    callstack_begin(k->callstack, first->pc, place_context(v->bundle->priv, v->bundle->space), k->sp);
    uint32_t count;
    stack_table_nodes(k->out.table, &count);
    set_all(&k->stacks, count - 1); // the only one
}

// Traps and their returns end the cycle: the mode is the ISS's then.
static uint64_t context_after(const struct worker_view *v, const struct iss_retire *step, uint64_t before) {
    const bool stays = !step->trap && (step->insn & 0x7f) != 0x73;
    return stays ? before : place_context((uint8_t)hart_privilege(v->golden->hart), v->bundle->space);
}

// Without a stack of its own the new process has its caller's.
static enum callstack_fork fork_of(const struct worker_view *v, const struct iss_retire *step, uint64_t sp) {
    const struct hart *h = v->golden->hart;
    if (!step->trap || step->interrupt || step->cause != USER_ECALL || hart_x(h, A7) != CLONE) return CALLSTACK_NO_FORK;
    if (hart_x(h, A1) != 0 && hart_x(h, A1) != sp) return CALLSTACK_NO_FORK;
    return hart_x(h, A0) & CLONE_VM ? CALLSTACK_VFORK : CALLSTACK_FORK;
}

// What a new process has as its caller had it.
static uint64_t registers_of(const struct hart *h) {
    uint64_t digest = 0;
    for (unsigned i = 1; i < REGISTERS; i++) {
        if (i == A0) continue;
        digest = (digest ^ hart_x(h, i)) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return digest;
}

__attribute__((noinline)) static void turn(struct kept *k, const struct worker_view *v, const struct iss_retire *step) {
    const uint64_t context = place_context(v->bundle->priv, v->bundle->space);
    const uint64_t after = context_after(v, step, context);
    const enum callstack_fork fork = fork_of(v, step, k->sp);
    const bool to_user = !step->trap && after != context && place_mode(after) == MODE_USER;
    const struct callstack_step s = {.pc = step->pc,
                                     .next_pc = step->next_pc,
                                     .context = context,
                                     .next_context = after,
                                     .sp = k->sp,
                                     .insn = step->insn,
                                     .trap = step->trap,
                                     .interrupt = step->interrupt,
                                     .fork = (uint8_t)fork,
                                     .registers = fork || to_user ? registers_of(v->golden->hart) : 0,
                                     .result = hart_x(v->golden->hart, A0)};
    k->stacks.now = callstack_step(k->callstack, &s);
}

// A trap's step is the last of its cycle, behind those that committed.
static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct kept *k = state;
    const struct golden *golden = v->golden;
    struct call_stacks *s = &k->stacks;
    (void)err;
    const bool steps = golden->cycle == v->cycle && golden->count;
    if (!steps && !v->bundle->exception) return 0;
    if (!k->begun && steps) begin_stack(k, v);
    if (k->mixed) set_all(s, s->now);
    s->cycle = v->cycle;
    s->before = s->left = s->now; // all there is to do for one that is to run again (replay)
    k->mixed = false;
    for (unsigned i = 0; steps && i < golden->count; i++) {
        const struct iss_retire *step = &golden->step[i];
        s->left = s->now;
        if (k->mixed && i < v->left->count) s->lane[v->left->retired[i].lane] = s->now;
        if (step->trap | callstack_turns(step->insn)) {
            turn(k, v, step);
            k->mixed = true;
        } else if (step->rd == SP && step->rd_written && !step->rd_fp) {
            k->sp = step->rd_value;
        }
    }
    return 0;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    struct kept *k = state;
    struct worker_stacks *out = &k->out;
    (void)bundle;
    (void)taken;
    if (!array_reserve(&out->samples, &k->capacity, out->sample_count, sizeof *out->samples))
        return; // the sample's stack stays unknown
    const struct call_stacks *s = &k->stacks;
    struct sample_stacks *one = &out->samples[out->sample_count++];
    *one =
        (struct sample_stacks){.cycle = cycle, .oldest = s->cycle == cycle ? s->before : s->now, .offending = s->left};
    memcpy(one->lane, s->lane, sizeof one->lane);
}

static struct worker_stacks *stacks(void *state) {
    return &((struct kept *)state)->out;
}

static bool publish(void *state, struct results *results) {
    const struct kept *k = state;
    const struct callstack_counts c = callstack_counts(k->callstack);
    uint32_t count;
    stack_table_nodes(k->out.table, &count);
    return results_add_stack_counts(
        results, &(struct stack_counts){count - STACK_LOST - 1, c.roots, c.forks, c.switches, c.unmatched, c.lost});
}

const struct worker_ops worker_call_stacks = {
    .name = "call-stacks",
    .text = "the call stack of each sample and of each booking of the Oracle",
    .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN,
    .standard = WORKER_WITH_LOCKSTEP,
    .leaving_only = true,
    .samples_only = true,
    .keys = {{"most", WORKER_NUMBER, "maximum number of distinct stacks", "65536", 2, 1 << 24}},
    .create = create,
    .cycle = cycle,
    .sample = sample,
    .publish = publish,
    .stacks = stacks,
    .destroy = destroy};
