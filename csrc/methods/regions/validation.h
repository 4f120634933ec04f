// How far the estimate from regions is from the full run, and what became wrong where.
#ifndef TIPOFF_METHODS_REGIONS_VALIDATION_H
#define TIPOFF_METHODS_REGIONS_VALIDATION_H

#include "methods/regions/projection.h"
#include "methods/regions/slice_cycles.h"

// Full run by what is simulated in place of it, one region after the other, and all at once with no limit of processes
// (then the longest one counts). By instructions that count: Sabu's thesis, section 3.5 (LoopPoint's theoretical
// speed-up); by simulated cycles: its actual one; by seconds of the host: Viper's and Pac-Sim's. 0: not known.
struct speedups {
    double serial, parallel;
};

struct region_errors {
    double cycles;     // sampled
    double own;        // of this slice in the full run: its cycles, warmed up perfectly
    double warmup;     // of the projected cycles, as a share of the full run's: sampled against own
    double clustering; // own, for all of the cluster, against the cluster's in the full run; 0: not known
};

struct validation {
    double projected, full, error; // cycles; |1 - projected / full|
    struct speedups counted, with_warmup, cycles, seconds;
    bool has_slices;
    double perfect, perfect_error; // the regions' own cycles, projected
    struct region_errors *of;      // of each region; own, warmup and clustering where it has_slices
};

// slices: NULL: not known. warmup: instructions before each region, a list. v: to be freed. False with err: no memory.
bool validation_make(struct validation *v, const struct regions_file *f, const struct measures *of,
                     const struct measures *reference, const struct measures *whole, const struct slice_cycles *slices,
                     const uint64_t *warmup, struct error *err);
void validation_free(struct validation *v);

#endif
