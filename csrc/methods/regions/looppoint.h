// LoopPoint (Sabu et al., HPCA 2022; Sabu's thesis, chapter 3): slices that end at the next entry of a loop once as
// many counted instructions are done, of all harts together; what synchronises is executed, but does not count.
#ifndef TIPOFF_METHODS_REGIONS_LOOPPOINT_H
#define TIPOFF_METHODS_REGIONS_LOOPPOINT_H

#include "methods/regions/markers.h"

// As a method is. run->interval: counted instructions of a slice, of all harts (the thesis: 100 million a hart);
// run->markers: where they may end, sorted. What counts: iss_flow_count_by, before. A slice's parts are those of blocks
// that count, of all harts one after the other.
regions_cut looppoint_run;
enum { LOOPPOINT_ITERATIONS = 100 }; // of k-means at most: SimPoint's -iters, which LoopPoint leaves as it is

#endif
