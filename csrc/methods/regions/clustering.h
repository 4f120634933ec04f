// How many clusters there are, and which slice stands for each: k-means at several k, the Bayesian information
// criterion of each, and the smallest k that scores nearly as well as the best (SimPoint 3.0: Hamerly et al., JILP
// 2005, sections 4 and 5).
#ifndef TIPOFF_METHODS_REGIONS_CLUSTERING_H
#define TIPOFF_METHODS_REGIONS_CLUSTERING_H

#include "methods/regions/kmeans.h"

struct clustering_settings {
    size_t most_k;       // MaxK: 1 or more; more than there are points is as many as there are
    unsigned seeds;      // runs of k-means at each k: the one with the best score counts
    unsigned iterations; // at most, of each run
    double threshold;    // of the range of scores, 0 to 1: how near to the best a smaller k has to come
    double coverage; // above 0, to 1: the largest clusters that make up this share of the weight; others are left out
    uint64_t seed;
};
// SimPoint's own (30, 5, to convergence, 0.9, 1).
#define CLUSTERING_SIMPOINT                                                                                            \
    { .most_k = 30, .seeds = 5, .iterations = 10000, .threshold = 0.9, .coverage = 1, .seed = 1 }

enum { CLUSTERING_MOST_TRIED = 72 }; // both ends, and a bisection of 64 bits
struct clustering_tried {
    size_t k; // that was asked for
    double score;
};

struct clustering {
    struct kmeans kmeans;
    size_t *representative; // of each cluster: the point nearest to its centre, of equal ones the first
    double *share;          // of each: its weight by that of all that are kept; 0: left out
    double *distance;       // of each point, to its centre
    struct clustering_tried tried[CLUSTERING_MOST_TRIED]; // in order of the search
    size_t tries;
};

// p: one point or more. 0, or -ENOMEM with err.
int clustering_run(struct clustering *c, const struct points *p, const struct clustering_settings *s,
                   struct error *err);
void clustering_free(struct clustering *c);

// The score of k clusters as spherical Gaussians of one variance, at their greatest likelihood: the likelihood's
// logarithm, less half of the number of parameters times that of the number of points. Weights count relative to each
// other. Points that all lie on their centres have a variance of CLUSTERING_LEAST_VARIANCE.
#define CLUSTERING_LEAST_VARIANCE 1e-18
double clustering_score(const struct points *p, const struct kmeans *k);

#endif
