// SimPoint's files (version 3.2), as gem5, NEMU and Pin's tools write and read them: frequency vectors (.bb, plain or
// with gzip), the chosen intervals (.simpoints), their weights (.weights), each interval's cluster (.labels).
#ifndef TIPOFF_METHODS_REGIONS_SIMPOINT_FILES_H
#define TIPOFF_METHODS_REGIONS_SIMPOINT_FILES_H

#include "methods/regions/clustering.h"
#include <stdio.h>

// A line that begins with T is a vector, `:ID:COUNT` after `:ID:COUNT`, ID from 1 on; others are skipped. Every vector
// is handed on as it comes; false from the callback (with err) ends the reading. number: of the vector, from 0 on.
typedef bool bb_vector(void *context, size_t number, const struct points_part *parts, size_t count, struct error *err);
// 0, or a negative errno with err, which names file and line.
int bb_read(const char *path, bb_vector *vector, void *context, struct error *err);
// One vector as a line. Parts in any order, no dimension twice.
void bb_write(FILE *file, const struct points_part *parts, size_t count);

// `INTERVAL LABEL`, `WEIGHT LABEL` of the clusters that are kept, in step with each other; `LABEL DISTANCE` of all
// intervals.
void simpoints_write(FILE *file, const struct clustering *c);
void weights_write(FILE *file, const struct clustering *c);
void labels_write(FILE *file, const struct clustering *c, size_t intervals);

// The first two, read in step, their labels equal line by line (tools have mixed up the order of theirs). *list:
// `count` of them, the caller's to free.
struct simpoint {
    uint64_t interval, label;
    double weight;
};
int simpoints_read(const char *simpoints, const char *weights, struct simpoint **list, size_t *count,
                   struct error *err);

#endif
