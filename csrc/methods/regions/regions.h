// Sampled simulation: what slices of a program execute (tipoff bbv), and which of them stand for the whole.
//   ISS -> vectors (flow of control by slices) -> points -> k-means, BIC -> representatives with their shares
// The methods: SimPoint (Sherwood et al., ASPLOS 2002; Hamerly et al., JILP 2005).
#ifndef TIPOFF_METHODS_REGIONS_REGIONS_H
#define TIPOFF_METHODS_REGIONS_REGIONS_H

#include "iss/flow.h"
#include "methods/regions/points.h"
#include <signal.h>

// A slice of a run: what was executed between two ends of blocks.
struct regions_slice {
    size_t number;                   // from 0 on
    uint64_t begin;                  // instructions and traps of the run before it, as `tipoff iss --at` counts
    uint64_t instructions;           // of all harts
    const struct points_part *parts; // dimension: number of the block (iss/flow.h); those with instructions alone
    size_t count;
};
// Return false to end the run, with err where that is a fault.
typedef bool regions_take(void *context, struct iss *iss, const struct regions_slice *slice, struct error *err);

struct regions_run {
    uint64_t interval; // instructions a slice, at least: it ends with a block; the last one has what is left
    uint64_t max;      // end after as many instructions and traps
    const volatile sig_atomic_t *stop; // not 0: end after this slice (base/signals.h); or NULL
    uint64_t instructions;             // out: of all slices
    size_t slices;                     // out
};
// Runs a machine that is loaded, slice by slice, until the program ends. 0, or a negative errno with err: no memory, or
// `take` said no.
int regions_run(struct regions_run *run, struct iss *iss, regions_take *take, void *context, struct error *err);

#endif
