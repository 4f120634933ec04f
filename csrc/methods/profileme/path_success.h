// How often the paths found are the ones taken (ProfileMe, MICRO 1997, section 5.3 and figure 6): success is that one
// path only is found, the one that was executed.
#ifndef TIPOFF_METHODS_PROFILEME_PATH_SUCCESS_H
#define TIPOFF_METHODS_PROFILEME_PATH_SUCCESS_H

#include "methods/profileme/path_search.h"

struct path_counts { // of samples
    uint64_t samples;
    uint64_t right;   // one path, the one taken: success
    uint64_t wrong;   // one path, another
    uint64_t several; // or given up
    uint64_t none;
};
struct path_success {
    struct path_counts of[2][PATH_SCHEMES][ROUTE_BRANCHES + 1]; // [across procedures][scheme][branches, from 1 on]
};
struct path_sample {
    uint32_t instruction;
    uint32_t history;
    uint32_t other;                // as in path_query
    const struct path_step *steps; // that were taken, the youngest first
    size_t count;
};
// Counts the sample where the path that was taken is known: a program has not executed 16 branches when it begins.
void path_success_add(struct path_success *success, struct path_search *search, const struct path_graph *g,
                      const struct path_sample *sample, unsigned window);

#endif
