// Where the time is by who reached it: the paths of calls that most of it lies below, and the calls into code whose
// source is not at hand, by the nearest caller whose is. Not for other libraries.
#ifndef TIPOFF_REPORT_HOT_PATHS_H
#define TIPOFF_REPORT_HOT_PATHS_H

#include "report/run.h"
#include <cjson/cJSON.h>

enum {
    HOT_PATH_PART = 20,  // a path is shown if it has one part in this many of all time, or more
    OWN_CALLER_PART = 50 // a call into foreign code, likewise
};

struct hot_path {
    char *names;          // "_start > main > solve": from the outermost, or below the path before it of less depth
    uint64_t weight, own; // of its last function: with what that calls, and without; in 1/U cycle
    unsigned depth;       // of those above it, as they were written
};
struct own_call {                // a function whose source is found, and what it calls of those whose is not
    struct place caller, callee; // functions
    uint64_t weight;             // below the call, up to the next function whose source is found
};
struct hot_paths;
// Worked out once; NULL: the profile has no call stacks, or no memory.
const struct hot_paths *run_hot_paths(const struct run *d);
const struct hot_path *hot_paths_list(const struct hot_paths *h, size_t *count);
const struct own_call *own_calls_list(const struct hot_paths *h, size_t *count); // most time first

void hot_paths_print(const struct run *d, const struct report_options *o, FILE *out); // text: paths, then calls
void hot_paths_add_json(cJSON *root, const struct run *d);                            // "hot_paths", "own_callers"

#endif
