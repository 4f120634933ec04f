// Where markers come from, and which stay.
#ifndef TIPOFF_METHODS_REGIONS_MARKER_SOURCES_H
#define TIPOFF_METHODS_REGIONS_MARKER_SOURCES_H

#include "methods/regions/dcfg.h"
#include "methods/regions/markers.h"
#include "methods/regions/own_code.h"

// The headers of all loops of a run that lie in the program's own code and do not synchronise, sorted; function: where
// the one of p that they lie in begins. False with err: no memory.
bool markers_of_loops(struct markers *m, const struct dcfg *d, const struct program *p, const struct own_code *code,
                      struct error *err);

// Only markers with the same count in all runs stay: `counts` has markers->count for each of `runs`, one run after the
// other. Those that no run executed are dropped, too.
struct markers_kept {
    size_t candidates;  // that were executed
    size_t unstable;    // of them: not as often in each run
    uint64_t worst;     // of those: the pc of the one whose counts lie furthest apart, ...
    uint64_t low, high; // ... and they
};
struct markers_kept markers_keep_stable(struct markers *m, const uint64_t *counts, size_t runs);

#endif
