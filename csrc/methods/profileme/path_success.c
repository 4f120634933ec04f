// Each sample by each scheme, for each number of branches.
#include "methods/profileme/path_success.h"
#include <string.h>

static void count(struct path_counts *c, const struct path_result *r, const struct path_step *taken, uint32_t length) {
    c->samples++;
    if (r->found == 0) {
        c->none++;
    } else if (r->found > 1) {
        c->several++;
    } else if (r->count == length && (length == 0 || memcmp(r->steps, taken, length * sizeof *taken) == 0)) {
        c->right++;
    } else {
        c->wrong++;
    }
}

void path_success_add(struct path_success *success, struct path_search *search, const struct path_graph *g,
                      const struct path_sample *sample, unsigned window) {
    struct path_result result;
    for (unsigned across = 0; across < 2; across++) {
        for (unsigned n = 1; n <= ROUTE_BRANCHES; n++) {
            struct path_query q = {.instruction = sample->instruction,
                                   .branches = n,
                                   .across = across,
                                   .history = sample->history,
                                   .other = sample->other,
                                   .window = window};
            uint32_t length;
            if (!path_taken(g, &q, sample->steps, sample->count, &length)) break;
            for (unsigned scheme = 0; scheme < PATH_SCHEMES; scheme++) {
                q.scheme = (enum path_scheme)scheme;
                path_search_run(search, &q, &result);
                count(&success->of[across][scheme][n], &result, sample->steps, length);
            }
        }
    }
}
