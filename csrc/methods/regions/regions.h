// Sampled simulation: what slices of a program execute (tipoff bbv), and which of them stand for the whole.
//   ISS -> vectors (flow of control by slices) -> points -> k-means, BIC -> representatives with their shares
// The methods: SimPoint (Sherwood et al., ASPLOS 2002; Hamerly et al., JILP 2005) here, LoopPoint (looppoint.h), Viper
// (viper.h), and Pac-Sim, which looks at no run before (pacsim_live.h).
#ifndef TIPOFF_METHODS_REGIONS_REGIONS_H
#define TIPOFF_METHODS_REGIONS_REGIONS_H

#include "iss/flow.h"
#include "methods/regions/points.h"
#include <signal.h>

// A place of a run that is found again however its instructions interleave: before the COUNTth execution, from 1 on, of
// pc in the run, by all harts together. pc 0: none; of a run's first and last slice, its begin and its end.
struct regions_marker {
    uint64_t pc, count;
};

// A slice of a run: what was executed between two ends of blocks.
struct regions_slice {
    size_t number;                    // from 0 on
    uint64_t begin;                   // instructions and traps of the run before it, as `tipoff iss --at` counts
    uint64_t steps;                   // of it: instructions and traps
    uint64_t instructions;            // of all harts
    uint64_t counted;                 // those that say how long it is: all, or without those of synchronisation
    struct regions_marker start, end; // of methods whose slices end at markers
    const struct points_part *parts;  // dimension: number of the block (iss/flow.h); those with instructions alone
    size_t count;
};
// Return false to end the run, with err where that is a fault.
typedef bool regions_take(void *context, struct iss *iss, const struct regions_slice *slice, struct error *err);

struct regions_run {
    uint64_t interval; // instructions a slice, at least: it ends with a block; the last one has what is left
    uint64_t max;      // end after as many instructions and traps
    const volatile sig_atomic_t *stop; // not 0: end after this slice (base/signals.h); or NULL
    struct markers *markers; // where slices may end (methods/regions/markers.h), of methods that need them; or NULL
    struct viper *viper;     // Viper's lengths (methods/regions/viper.h); or NULL
    uint64_t instructions;   // out: of all slices
    size_t slices;           // out
};
// A method's way to cut a run into slices: runs a machine that is loaded, slice by slice, until the program ends. 0, or
// a negative errno with err: no memory, or `take` said no.
typedef int regions_cut(struct regions_run *run, struct iss *iss, regions_take *take, void *context, struct error *err);

// For methods that are called at marks: runs to the program's end, run->max or run->stop, until *fault is not 0. The
// instructions and traps done.
uint64_t regions_run_through(const struct regions_run *run, struct iss *iss, const int *fault);

// SimPoint's: of a fixed number of instructions.
regions_cut regions_run;

#endif
