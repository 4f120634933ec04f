// The two collections of hybrid basic block profiling in one run (docs/guide/mix.md), for the sample file: every
// `ebs`-th retired instruction, by its own address and by the one at which execution resumes after the interrupt that
// asks for the sample; and every `lbr`-th taken transfer, with the `depth` last ones. Both periods are primes, as in
// the paper, so that no loop's length divides them.
//
// source=model: the stacks are those of a model, a ring of transfers, in program order, from the retired stream;
// take_stack is the one place that reads it. source=unit: the harness puts those of the core's own records in their
// place (harness/transfer_stacks.h); the model runs on for the summary.
#include "base/array.h"
#include "isa/control.h"
#include "profile/collection.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_EBS, KEY_LBR, KEY_DEPTH, KEY_SOURCE };
enum { SKID = 2 }; // cycles from the overflow to the interrupt, as csrc/profilers/software.c has them

struct collections {
    struct collection out;
    struct retired_sample *samples;
    size_t sample_count, sample_capacity;
    struct transfer_stack *stacks;
    size_t stack_count, stack_capacity;
    struct transfer *transfers;
    size_t transfer_count, transfer_capacity;
    uint64_t ebs_left, lbr_left; // to the next sample of each
    bool waits;                  // the last sample's interrupt has not been taken; it can be from cycle `due` on
    uint64_t due;
    struct transfer ring[TRANSFER_STACK_TRANSFERS];
    uint64_t written;   // transfers in all; the youngest is at (written - 1) % depth
    bool going;         // an instruction has retired: `last`, and nothing else since then
    struct place last;  // it
    uint64_t next;      // address after it
    uint32_t insn;      // its bits
    bool trapped;       // a trap was taken after it: its handler's first instruction is still to come
    struct transfer to; // ... as a transfer without its target
    bool ended;
    bool no_memory;
};

// ---- the ring ----
// The last transfers, the oldest first, into the collection.
static bool take_stack(struct collections *c, uint64_t cycle, uint64_t context) {
    const uint64_t count = c->written < c->out.depth ? c->written : c->out.depth;
    if (!array_reserve(&c->stacks, &c->stack_capacity, c->stack_count, sizeof *c->stacks)) return false;
    c->stacks[c->stack_count++] =
        (struct transfer_stack){.cycle = cycle, .context = context, .transfers.count = (uint32_t)count};
    for (uint64_t i = c->written - count; i < c->written; i++) {
        if (!array_reserve(&c->transfers, &c->transfer_capacity, c->transfer_count, sizeof *c->transfers)) return false;
        c->transfers[c->transfer_count++] = c->ring[i % c->out.depth];
    }
    return true;
}

static void record(struct collections *c, uint64_t cycle, struct transfer transfer, uint64_t context) {
    c->ring[c->written++ % c->out.depth] = transfer;
    c->out.transfers_taken++;
    if (--c->lbr_left) return;
    c->lbr_left = c->out.lbr_period;
    if (!take_stack(c, cycle, context)) c->no_memory = true;
}

// ---- the retired stream ----
// Whether it jumps whatever follows it in memory: a jump's target may lie right there. (So may a branch's, which
// then looks as if it had not been taken; compilers write none.)
static bool always_jumps(uint32_t insn) {
    const enum control_kind kind = control_kind_of(insn);
    return kind != CONTROL_NONE && kind != CONTROL_BRANCH && kind != CONTROL_TRAPS;
}

static void retire(struct collections *c, uint64_t cycle, const struct retired *r, uint64_t context) {
    if (c->trapped) {
        c->to.target = r->pc;
        record(c, cycle, c->to, context);
    } else if (c->going && (r->pc != c->next || always_jumps(c->insn))) {
        record(c, cycle, (struct transfer){c->last.pc, r->pc, control_transfer_type(c->insn)}, context);
    }
    c->trapped = false;
    c->going = true;
    c->last = (struct place){r->pc, context};
    c->next = r->pc + ((r->insn & 3) == 3 ? 4 : 2);
    c->insn = r->insn;
    c->out.retired++;
    if (--c->ebs_left) return;
    c->ebs_left = c->out.ebs_period;
    if (!array_reserve(&c->samples, &c->sample_capacity, c->sample_count, sizeof *c->samples)) {
        c->no_memory = true;
        return;
    }
    c->samples[c->sample_count++] = (struct retired_sample){cycle, c->last, PLACE_END};
    if (!c->waits) c->due = cycle + SKID;
    c->waits = true;
}

// What a trap interrupts may itself have been jumped to.
WORKER_RARE static void trap(struct collections *c, uint64_t cycle, const struct trapped *t, uint64_t context) {
    if (c->trapped) { // a trap at the first instruction of a handler
        c->to.target = t->epc;
        record(c, cycle, c->to, context);
    } else if (c->going && (t->epc != c->next || always_jumps(c->insn))) {
        record(c, cycle, (struct transfer){c->last.pc, t->epc, control_transfer_type(c->insn)}, context);
    }
    c->to = (struct transfer){t->epc, 0, t->interrupt ? TRANSFER_INTERRUPT : TRANSFER_EXCEPTION};
    c->trapped = true;
    c->going = false;
}

// One interrupt serves all samples since the last one.
static void resume(struct collections *c, const struct worker_view *v) {
    const struct commit_bundle *b = v->bundle;
    if (b->rob_empty || v->cycle + v->count <= c->due) return;
    const struct place place = {b->pc[b->oldest], place_context(b->priv, b->space)};
    for (size_t i = c->sample_count; i-- > 0 && c->samples[i].skid.pc == PROFILE_PC_END;)
        c->samples[i].skid = place;
    c->waits = false;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct collections *c = state;
    if (c->ended) return 0;
    if (c->waits) resume(c, v);
    const uint64_t context = place_context(v->privilege, v->bundle->space);
    for (unsigned k = 0; k < v->left->count; k++)
        retire(c, v->cycle, &v->left->retired[k], context);
    if (v->left->trap.valid) trap(c, v->cycle, &v->left->trap, context);
    if (!c->no_memory) return 0;
    error_set(err, "worker collections: out of memory: set longer periods");
    return -ENOMEM;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    struct collections *c = state;
    (void)cycle;
    (void)err;
    c->out.retired = c->out.transfers_taken = 0;
    c->sample_count = c->stack_count = c->transfer_count = 0;
    c->ebs_left = c->out.ebs_period;
    c->lbr_left = c->out.lbr_period;
    c->waits = false;
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    ((struct collections *)state)->ended = true;
    return 0;
}

static bool publish(void *state, struct results *results) {
    const struct collections *c = state;
    bool good = results_add_collection(results, &c->out);
    for (size_t i = 0; good && i < c->sample_count; i++)
        good = results_add_retired_sample(results, &c->samples[i]);
    for (size_t i = 0; good && i < c->stack_count; i++)
        good = results_add_transfer_stack(results, &c->stacks[i]);
    for (size_t i = 0; good && i < c->transfer_count; i++)
        good = results_add_transfer(results, &c->transfers[i]);
    return good;
}

static void print(void *state, uint64_t cycles, FILE *out) {
    const struct collections *c = state;
    (void)cycles;
    fprintf(out,
            "  collections: %zu samples, one every %" PRIu64 " of %" PRIu64
            " instructions; %zu stacks of %u, one every %" PRIu64 " of %" PRIu64 " transfers%s\n",
            c->sample_count, c->out.ebs_period, c->out.retired, c->stack_count, c->out.depth, c->out.lbr_period,
            c->out.transfers_taken, c->out.source == COLLECTION_UNIT ? " (by the model; the file has the unit's)" : "");
}

static void destroy(void *state) {
    struct collections *c = state;
    free(c->samples);
    free(c->stacks);
    free(c->transfers);
    free(c);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    const uint64_t ebs = values[KEY_EBS].number, lbr = values[KEY_LBR].number;
    (void)run;
    struct collections *c = error_calloc(sizeof *c, "worker collections", err);
    if (!c) return NULL;
    const char *source = values[KEY_SOURCE].text;
    c->out = (struct collection){.ebs_period = ebs,
                                 .lbr_period = lbr,
                                 .depth = (uint32_t)values[KEY_DEPTH].number,
                                 .source = source && strcmp(source, "unit") == 0 ? COLLECTION_UNIT : COLLECTION_MODEL};
    c->ebs_left = ebs;
    c->lbr_left = lbr;
    return c;
}

const struct worker_ops worker_collections = {
    .name = "collections",
    .text = "samples of retired instructions and stacks of taken transfers, for `tipoff mix`, in the sample file",
    .needs = DPI_BUNDLE | DPI_RETIRE,
    .keys = {{.name = "ebs",
              .kind = WORKER_PRIME,
              .text = "retired instructions between two samples, a prime",
              .standard = "997",
              .low = 2,
              .high = 1000000007},
             {.name = "lbr",
              .kind = WORKER_PRIME,
              .text = "taken transfers between two stacks, a prime",
              .standard = "101",
              .low = 2,
              .high = 1000000007},
             {.name = "depth",
              .kind = WORKER_NUMBER,
              .text = "transfers in a stack",
              .standard = "16",
              .low = 2,
              .high = TRANSFER_STACK_TRANSFERS},
             {.name = "source", .kind = WORKER_CHOICE, .text = "model, unit", .standard = "model"}},
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .print = print,
    .publish = publish,
    .destroy = destroy};
