// All states that RVWMO allows: each candidate, a path of each thread, with each of its global memory orders.
#include "litmus/graph.h"
#include "litmus/litmus.h"
#include <stdlib.h>

static bool next(const struct litmus_test *t, const struct shapes *shapes, size_t at[LITMUS_THREADS]) {
    for (unsigned i = 0; i < t->thread_count; i++) {
        if (++at[i] < shapes[i].count) return true;
        at[i] = 0;
    }
    return false;
}

static bool search_all(const struct litmus_test *t, const struct shapes *shapes, struct litmus_states *states,
                       const char *path, struct error *err) {
    size_t at[LITMUS_THREADS] = {0};
    bool good = true;
    struct graph *g = malloc(sizeof *g);
    if (!g) {
        error_nomem(err, path);
        return false;
    }
    do {
        const struct shape *chosen[LITMUS_THREADS];
        for (unsigned i = 0; i < t->thread_count; i++)
            chosen[i] = &shapes[i].list[at[i]];
        good = graph_make(g, t, chosen, path, err) && search(g, states, path, err);
    } while (good && next(t, shapes, at));
    free(g);
    return good;
}

struct litmus_states *litmus_allowed(const struct litmus_test *t, const char *path, struct error *err) {
    struct shapes shapes[LITMUS_THREADS];
    const bool good = shapes_find(t, path, shapes, err);
    struct litmus_states *states = good ? litmus_states_create(t) : NULL;
    if (good && !states) error_nomem(err, path);
    if (states && !search_all(t, shapes, states, path, err)) {
        litmus_states_destroy(states);
        states = NULL;
    }
    shapes_free(shapes);
    if (states) litmus_states_sort(states);
    return states;
}
