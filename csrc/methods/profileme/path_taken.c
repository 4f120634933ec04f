// The path that a program took, step by step: how much of it a query covers.
#include "methods/profileme/path_search.h"

bool path_taken(const struct path_graph *g, const struct path_query *query, const struct path_step *steps, size_t count,
                uint32_t *used) {
    uint32_t at = query->instruction;
    unsigned branches = 0, calls = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct path_step *step = &steps[i];
        const bool inside = !query->across && calls == 0;
        *used = i;
        if (inside && path_graph_function(g, step->to) != path_graph_function(g, at)) return true;
        if (inside && path_graph_enters(g, step->from, step->to)) return true;
        const enum path_kind kind = path_graph_kind(g, step->from, step->to);
        if (kind == PATH_RETURN) calls++;
        if (kind == PATH_CALL && calls) calls--;
        branches += kind == PATH_BRANCH;
        *used = i + 1;
        if (branches == query->branches) return true;
        at = step->from;
    }
    return false;
}
