// Loops with which the triggers of a sampled profile keep step: how much of the time that makes wrong. Not for other
// libraries.
//
// Of each loop with samples (of its own, or of what is called from it) the length of a round is its time over the
// executions of its header, which the run has counted exactly (worker `exec-counts`); analysis/phases.h says what its
// samples are worth. docs/method/sampling-error.md.
#ifndef TIPOFF_REPORT_BEATS_H
#define TIPOFF_REPORT_BEATS_H

#include "report/function_flows.h"

struct beats {
    double known; // part of all time that is in loops whose rounds were judged
    double share; // ... in loops that the triggers keep step with
    double error; // ... that is likely to be at another unit for that
    // Of the loop that has most of `error`: a place in it (its header), cycles of a round, samples and what they are
    // worth. worst_samples 0: there is none.
    struct place worst;
    double worst_length, worst_samples, worst_draws;
};
// Whether triggers of that kind can keep step with a loop at all: not where distances are random and wide.
bool beats_possible(const struct samples_header *h);
// By units of that granularity. False with err: no memory.
bool beats_judge(const struct run *d, enum granularity g, struct beats *result, struct error *err);

// ---- of single loops ----
// Part of the loop's time (with what is called from it, and inner loops) that is likely to be at another instruction.
// False: it has no samples, or no memory.
bool loop_error(const struct run *d, const struct function_flow *f, size_t loop, double *error);

#endif
