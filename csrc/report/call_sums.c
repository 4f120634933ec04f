// The time of functions and calls, by one walk over all frames that counts what is on its way.
#include "report/call_tree.h"
#include "report/pair_numbers.h"
#include <stdlib.h>
#include <string.h>

struct walk {
    size_t *first, *next;            // of each frame: the first that it calls, and the next that its caller does
    size_t *edge;                    // of each frame: the call that it came by
    size_t *functions_on, *edges_on; // how often each is on the way
};

static bool number_edges(struct call_tree *t, struct walk *w, struct pair_numbers *edges) {
    for (size_t i = 0; i < t->frame_count; i++) {
        const struct call_frame *f = &t->frames[i];
        const size_t caller = f->parent == CALL_TREE_NONE ? CALL_TREE_NONE : t->frames[f->parent].function;
        w->edge[i] = pair_number(edges, caller, f->function, true);
        if (w->edge[i] == CALL_TREE_NONE) return false;
    }
    t->edge_count = edges->count;
    t->edges = calloc(t->edge_count + 1, sizeof *t->edges);
    w->edges_on = calloc(t->edge_count + 1, sizeof *w->edges_on);
    for (size_t i = 0; t->edges && i < t->edge_count; i++)
        t->edges[i] = (struct call_edge){edges->keys[i][0], edges->keys[i][1], 0};
    return t->edges && w->edges_on;
}

// Callers of a frame's own function, and calls of a frame's own kind, have its time already.
static void enter(struct call_tree *t, struct walk *w, size_t i) {
    const struct call_frame *f = &t->frames[i];
    struct call_function *function = &t->functions[f->function];
    function->exclusive += f->exclusive;
    if (w->functions_on[f->function]++ == 0) function->inclusive += f->inclusive;
    if (w->edges_on[w->edge[i]]++ == 0) t->edges[w->edge[i]].inclusive += f->inclusive;
}

static void leave(struct call_tree *t, struct walk *w, size_t i) {
    w->functions_on[t->frames[i].function]--;
    w->edges_on[w->edge[i]]--;
}

static void walk_from(struct call_tree *t, struct walk *w, size_t root) {
    size_t i = root;
    enter(t, w, i);
    for (;;) {
        if (w->first[i] != CALL_TREE_NONE) {
            i = w->first[i];
            enter(t, w, i);
            continue;
        }
        while (i != root && w->next[i] == CALL_TREE_NONE) {
            leave(t, w, i);
            i = t->frames[i].parent;
        }
        leave(t, w, i);
        if (i == root) return;
        i = w->next[i];
        enter(t, w, i);
    }
}

bool call_tree_sum_up(struct call_tree *t) {
    struct pair_numbers edges = {0};
    const size_t n = t->frame_count + 1;
    struct walk w = {.first = malloc(n * sizeof *w.first),
                     .next = malloc(n * sizeof *w.next),
                     .edge = calloc(n, sizeof *w.edge),
                     .functions_on = calloc(t->function_count + 1, sizeof *w.functions_on)};
    bool good = w.first && w.next && w.edge && w.functions_on && number_edges(t, &w, &edges);
    if (good) memset(w.first, 0xff, n * sizeof *w.first); // CALL_TREE_NONE
    for (size_t i = t->frame_count; good && i-- > 0;) {
        const size_t parent = t->frames[i].parent;
        w.next[i] = parent == CALL_TREE_NONE ? CALL_TREE_NONE : w.first[parent];
        if (parent != CALL_TREE_NONE) w.first[parent] = i;
    }
    for (size_t i = 0; good && i < t->frame_count; i++) {
        if (t->frames[i].parent == CALL_TREE_NONE) walk_from(t, &w, i);
    }
    free(w.first);
    free(w.next);
    free(w.edge);
    free(w.functions_on);
    free(w.edges_on);
    pair_numbers_free(&edges);
    return good;
}
