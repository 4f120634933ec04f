// Points to be clustered: what slices of a program executed, as vectors of few dimensions. A slice's frequency vector
// has a dimension for each basic block of each hart, some 10^4 to 10^6; a random linear projection to `dims` of them
// keeps distances (SimPoint: Sherwood et al., ASPLOS 2002, section 4.2; 15 dimensions there, 100 in LoopPoint, 1,024
// in Viper). The matrix is a function of the seed: dimensions need not be known before, and slices are projected one by
// one as they end.
#ifndef TIPOFF_METHODS_REGIONS_POINTS_H
#define TIPOFF_METHODS_REGIONS_POINTS_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POINTS_MOST_DIMS = 4096 };

struct points {
    size_t count, dims;
    double *at;     // count x dims: point i from i * dims on
    double *weight; // of each, in any unit; above 0
    size_t at_capacity, weight_capacity;
    uint64_t seed; // of the projection
};

// One dimension of a frequency vector, and how much of the slice it is: instructions in that block, not executions, so
// that long blocks count for what they are.
struct points_part {
    uint64_t dimension, count;
};

// dims: 1 to POINTS_MOST_DIMS.
void points_begin(struct points *p, size_t dims, uint64_t seed);
void points_free(struct points *p);

// A further point: the vector, divided by the sum of its counts, projected. A vector that is empty, or all zeros, is
// the origin. weight: 1 where all slices count alike, else the slice's length. False with err: no memory.
bool points_add(struct points *p, const struct points_part *parts, size_t count, double weight, struct error *err);
// The matrix: from -1 to 1, uniform; of each dimension and column the same number at every call.
double points_factor(uint64_t seed, uint64_t dimension, size_t column);

static inline const double *points_at(const struct points *p, size_t i) {
    return p->at + i * p->dims;
}
double points_distance2(const double *a, const double *b, size_t dims); // squared, Euclidean

#endif
