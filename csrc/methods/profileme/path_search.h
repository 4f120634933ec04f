// The paths by which a sampled instruction can have been reached, backward along the flow of control (ProfileMe, MICRO
// 1997, section 5.3). A path is complete when it has that many conditional branches, the oldest of them included;
// within a procedure also when it has come to the procedure's beginning. Calls of other procedures are gone through: a
// path that enters one at its return leaves it where it was called.
#ifndef TIPOFF_METHODS_PROFILEME_PATH_SEARCH_H
#define TIPOFF_METHODS_PROFILEME_PATH_SEARCH_H

#include "methods/profileme/path_graph.h"
#include "profile/route.h"

enum path_scheme {  // the first three are the paper's
    PATH_COUNTS,    // no history: the way that was executed most often, at every merge of control
    PATH_HISTORY,   // branches go as the history says: as many of its bits as the path has branches
    PATH_PAIRS,     // ... and the other instruction of the pair is on it, up to `window` instructions before
    PATH_WHOLE,     // ... and it can be gone on with, across procedures, as all 16 bits say
    PATH_LIKELIEST, // ... and of several the most probable one: each merge by itself, by what was executed
    PATH_SCHEMES
};
#define PATH_SCHEME_NAMES                                                                                              \
    "execution counts", "history bits", "history bits and pairs", "all 16 bits and pairs", "the same, then counts"

enum { PATH_STEPS = ROUTE_STEPS, PATH_CALLS = 256 }; // of a path, at most: it is given up
struct path_step {                                   // as route_step, by numbers of instructions
    uint32_t from, to;
};
struct path_query {
    uint32_t instruction;
    unsigned branches; // of the path, 1 to 16
    bool across;       // procedures
    enum path_scheme scheme;
    uint32_t history; // directions, the youngest in bit 0
    uint32_t other;   // from PATH_PAIRS on: fetched before it, and retired; UINT32_MAX: nothing is known of it
    unsigned window;  // instructions
};
struct path_result {
    unsigned found;    // 0, 1, or 2 for more
    bool given_up;     // too long, or too much work: counts as more
    unsigned branches; // of the first path that was found
    uint32_t count;    // of its steps, the youngest first
    struct path_step steps[PATH_STEPS];
};

struct path_search;                                                 // its memory: one for any number of searches
struct path_search *path_search_create(const struct path_graph *g); // NULL: no memory
void path_search_destroy(struct path_search *s);                    // NULL is fine
void path_search_run(struct path_search *s, const struct path_query *query, struct path_result *result);

// The path that was really taken, from the youngest of the steps on; false: they do not go back so far.
bool path_taken(const struct path_graph *g, const struct path_query *query, const struct path_step *steps, size_t count,
                uint32_t *used);

#endif
