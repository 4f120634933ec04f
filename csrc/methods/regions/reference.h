// A full run as a reference: of each slice what it executed (a file of frequency vectors) and what it took (the table
// of worker `slices`). A region's cycles are cut out of it: perfect warm-up.
#ifndef TIPOFF_METHODS_REGIONS_REFERENCE_H
#define TIPOFF_METHODS_REGIONS_REFERENCE_H

#include "methods/regions/points.h"

struct reference_slice {
    uint64_t instructions, cycles;
    struct points_part *parts;
    size_t count;
};

struct reference {
    struct reference_slice *slices;
    size_t count, capacity;
    uint64_t instructions, cycles; // of all
};

// vectors: as of bb_read; slices: with the columns `instructions` and `cycles`, plain or with gzip. One row a vector,
// of as many instructions. r: empty; to be freed in any case. 0, or a negative errno with err.
int reference_read(struct reference *r, const char *vectors, const char *slices, struct error *err);
void reference_free(struct reference *r);

#endif
