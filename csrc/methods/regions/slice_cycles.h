// What the slices of a full run took, from the table that it leaves (columns begin and cycles, and any others), for
// oracles of sampled simulation: a region's own cycles, warmed up perfectly, cost nothing then.
#ifndef TIPOFF_METHODS_REGIONS_SLICE_CYCLES_H
#define TIPOFF_METHODS_REGIONS_SLICE_CYCLES_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

struct slice_cycles {
    struct slice_begin {
        uint64_t begin; // instructions and traps before it
        double before;  // cycles
    } * list;           // in order; the first begins at 0
    size_t count, capacity;
    uint64_t end; // of the last one: of the run
    double cycles;
};

// steps: of the whole run, as the regions know it. 0, or a negative errno with err: it cannot be read, is no such
// table, or its slices do not follow each other from 0 on. To be freed in any case.
int slice_cycles_read(struct slice_cycles *s, const char *path, uint64_t steps, struct error *err);
void slice_cycles_free(struct slice_cycles *s);
// Cycles from that place up to the other one; within a slice of the table in proportion.
double slice_cycles_between(const struct slice_cycles *s, uint64_t from, uint64_t to);

#endif
