// What a run's statistics say of single instructions, exactly, whatever the samples say: executions, what
// mispredictions cost. By image, over all modes and address spaces. Not for other libraries.
#ifndef TIPOFF_REPORT_FACTS_H
#define TIPOFF_REPORT_FACTS_H

#include "report/pairs.h"

struct facts;
struct facts *facts_read(const struct images *images, const struct results *results); // NULL: no memory
void facts_free(struct facts *f);                                                     // NULL is fine
bool facts_executions_known(const struct facts *f); // the run had the worker `exec-counts`
// Of an instruction. False: not known.
bool facts_executions(const struct facts *f, const struct code_place *at, uint64_t *executions);

// How often the instruction left the ROB with that event's bit. False: not known (the run had no worker `events`).
bool facts_met(const struct facts *f, const struct code_place *at, unsigned event, uint64_t *count);

// What the instruction waited for: pairs, counts by enum wait_count (oracle/waits.h), in no order. NULL: not known (the
// run had no worker `stall-causes`).
const struct code_pair *facts_waits(const struct facts *f, const struct code_place *at, size_t *count);

// ---- mispredictions (csrc/oracle/refills.h); all cycles ----
struct misprediction {
    struct code_place branch;
    uint64_t times, flushed, shadow; // mispredicted; of the empty ROB after it; of waiting after that, on its account
    uint64_t late; // by which the correct path entered the ROB later: its cost if no other work overlaps it; 0: unknown
};
bool facts_mispredictions_known(const struct facts *f); // the run had the worker `mispredict-cost`
// All branches that were, by cost, greatest first.
const struct misprediction *facts_mispredictions(const struct facts *f, size_t *count);
const struct misprediction *facts_misprediction(const struct facts *f, const struct code_place *branch); // NULL: never
// An instruction that flushes the pipeline each time it executes: the same of its flushes. NULL: it never did.
const struct misprediction *facts_flush(const struct facts *f, const struct code_place *at);
// The instructions that left the ROB first after that branch, mispredicted: pairs, counts by enum refill_count.
const struct code_pair *facts_behind(const struct facts *f, const struct code_place *branch, size_t *count);
// Cycles that the instruction waited on the account of mispredicted branches and of flushes; *branch: of that one most;
// *flush: which is no branch, but flushes.
uint64_t facts_shadow(const struct facts *f, const struct code_place *at, struct code_place *branch, bool *flush);

#endif
