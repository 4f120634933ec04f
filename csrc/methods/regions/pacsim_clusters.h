// Pac-Sim's clusters, made as regions end (Sabu's thesis, 5.3.3). Two queues of vectors: of regions that were simulated
// in detail, and of others. A region belongs to the cluster of the nearest vector of the first that is nearer than a
// threshold, else of the second; else it founds one, and its vector goes into the queue of its kind.
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_CLUSTERS_H
#define TIPOFF_METHODS_REGIONS_PACSIM_CLUSTERS_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

#define PACSIM_NONE ((size_t)-1) // no cluster, no region

struct pacsim_queue { // its members are for the functions below
    double *at;       // count x dims
    size_t *cluster;
    double *from_first; // distance from the first one: what is farther or nearer by more than a bound is not looked at
    size_t count, at_capacity, cluster_capacity, from_first_capacity;
};
struct pacsim_clusters {
    size_t dims, count; // count: clusters; their numbers are 0 to count - 1, in the order in which they were founded
    double threshold;   // distances below it are similar; 0: nothing is
    struct pacsim_queue queues[2];
};

void pacsim_clusters_begin(struct pacsim_clusters *c, size_t dims, double threshold);
void pacsim_clusters_free(struct pacsim_clusters *c);
// The cluster of a region more, whose vector has dims numbers. PACSIM_NONE with err: no memory.
size_t pacsim_clusters_add(struct pacsim_clusters *c, const double *vector, bool detailed, struct error *err);

#endif
