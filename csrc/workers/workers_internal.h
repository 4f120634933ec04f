// The workers of a run, for the files that they are made of: workers.c, workers_run.c, workers_found.c.
#ifndef TIPOFF_WORKERS_WORKERS_INTERNAL_H
#define TIPOFF_WORKERS_WORKERS_INTERNAL_H

#include "workers/workers.h"

struct worker {
    const struct worker_ops *ops;
    void *state;
    struct worker_view *view; // shared with those of the same needs
};

// Of a cycle that is looped over millions of times, only what its workers look at: how each is called.
struct shown {
    struct worker_call *end; // after the last
    struct worker_call {
        int (*cycle)(void *state, const struct worker_view *view, struct error *err);
        void *state;
        const struct worker_view *view;
        const struct worker *worker; // whose call it is
    } * list;                        // in the registry's order
};

struct workers {
    struct workers_options options;
    struct history history;
    uint64_t now;                     // the cycle shown last
    const struct trace_cycle *cycle;  // it, for samples; views point into it
    const struct golden *golden;      // NULL: no lockstep
    const struct shadow_view *shadow; // NULL: no shadow ROB
    struct worker_stacks *stacks;     // NULL: no call stacks
    struct worker_data *data;         // NULL: no addresses of data
    size_t count, capacity;
    struct worker *list;
    size_t view_count;
    struct worker_view *views;
    uint64_t viewed_count; // that all views say ...
    uint8_t viewed_privilege;
    const struct worker *stopper; // whose error was the first; NULL: none so far
    int result;                   // its error
    struct shown always, leaving; // workers that see every cycle; all that see one in which something leaves
};

#endif
