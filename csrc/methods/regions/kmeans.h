// k-means: Lloyd's iterations until no point changes its cluster. Bounds (Hamerly, "Making k-means even faster", SDM
// 2010) leave out distances that cannot change anything: the result is that of comparing every point with every centre.
#ifndef TIPOFF_METHODS_REGIONS_KMEANS_H
#define TIPOFF_METHODS_REGIONS_KMEANS_H

#include "methods/regions/points.h"

struct kmeans {
    size_t k;          // clusters, none of them empty: at most as many as were asked for
    double *center;    // k x dims: the weighted mean of its points
    double *weight;    // of each: the sum of its points'
    uint32_t *label;   // of each point: its cluster
    double distortion; // the sum over all points of weight times squared distance to the centre
    unsigned iterations;
    bool converged; // false: `most` iterations were not enough
};

// From k different points, drawn by the seed, as first centres. k: 1 to the number of points. A cluster that loses all
// its points is none any more. 0, or -ENOMEM with err.
int kmeans_run(struct kmeans *result, const struct points *p, size_t k, uint64_t seed, unsigned most,
               struct error *err);
// The same first centres, before any iteration, for tests: every label is 0.
int kmeans_first(struct kmeans *result, const struct points *p, size_t k, uint64_t seed, struct error *err);
void kmeans_free(struct kmeans *k);

#endif
