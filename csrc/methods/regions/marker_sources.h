// Where markers come from, and which stay.
#ifndef TIPOFF_METHODS_REGIONS_MARKER_SOURCES_H
#define TIPOFF_METHODS_REGIONS_MARKER_SOURCES_H

#include "methods/regions/markers.h"
#include "methods/regions/own_code.h"

// The entries of all loops of the program's own code, executed or not, by the code alone (analysis/flow.h), sorted.
// False with err: no memory.
bool markers_of_code(struct markers *m, const struct program *p, const struct own_code *code, struct error *err);

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
