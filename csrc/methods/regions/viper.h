// Viper (Sabu et al., IEEE Access 2024; Sabu's thesis, chapter 4): slices of different lengths that end where phases of
// the program do, at barriers rather than at loops of tasks, at these rather than at other loops.
//
//   markers with classes (viper_markers.h) -> thinning -> greedy choice (viper_boundaries.h) -> slices
//
// A slice's vector is what each hart executed, by basic block, and how far back in its stack of lines each of its
// accesses went (stack_distance.h): two halves of the same weight, each of all harts one after the other, so that it
// stays visible which of them had how much to do.
#ifndef TIPOFF_METHODS_REGIONS_VIPER_H
#define TIPOFF_METHODS_REGIONS_VIPER_H

#include "methods/regions/markers.h"

// Lengths in counted instructions of all harts. The thesis: T = 1,000,000, and regions of 10 T to 100 T.
struct viper {
    uint64_t thin, least, most; // 1 or more, least <= most
    // Out, by kind: executions of markers, those that thinning left, and boundaries.
    uint64_t met[MARKER_KINDS], thinned[MARKER_KINDS], chosen[MARKER_KINDS];
};
// The thesis's lengths by 200, as SimPoint's on simulated cores: see docs/guide/regions.md.
enum { VIPER_THIN = 5000, VIPER_LEAST_BY_THIN = 10, VIPER_MOST_BY_THIN = 100 };

// As a method is. run->viper, run->markers: where slices may end, sorted; interval does not count. What is counted:
// iss_flow_count_by, before. Accesses are those of all code, what waits included.
regions_cut viper_run;

#endif
