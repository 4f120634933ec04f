// Preserved program order, as far as it does not depend on what loads return (unprivileged manual, "Preserved Program
// Order"): rules 2, 3 and 12 do, and are the search's.
#include "litmus/graph.h"
#include <stdlib.h>
#include <string.h>

// Rule 1: b is a store, and the two overlap.
static bool overlap(const struct event *a, const struct event *b) {
    return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static bool in_set(const struct event *e, uint8_t set) {
    return (e->writes && set & 1) || (e->reads && set & 2);
}

// Rule 4. fence.tso: loads before all, stores before stores.
static bool fenced(const struct shape *s, unsigned a, unsigned b) {
    const struct event *x = &s->events[a], *y = &s->events[b];
    for (unsigned i = 0; i < s->fence_count; i++) {
        const struct ordering *f = &s->fences[i];
        if (f->before <= a || f->before > b || !in_set(x, f->from) || !in_set(y, f->to)) continue;
        if (!f->tso || x->reads || y->writes) return true;
    }
    return false;
}

// a before b in the thread's program order.
static bool preserved(const struct shape *s, unsigned a, unsigned b) {
    const struct event *x = &s->events[a], *y = &s->events[b];
    const uint32_t bit = 1u << a;
    return (y->writes && overlap(x, y)) ||                                        // 1
           fenced(s, a, b) || x->acquire || y->release || (x->rcsc && y->rcsc) || // 4 to 7
           y->pair == (int)a ||                                                   // 8
           (y->address_from | y->data_from) & bit ||                              // 9, 10
           (y->writes && (y->control_from | y->addresses_before) & bit);          // 11, 13
}

static bool too_large(const char *path, struct error *err) {
    error_set(err, "%s: more than %d memory operations, or places that they access: use fewer", path, GRAPH_EVENTS);
    return false;
}

static bool add_events(struct graph *g, const char *path, struct error *err) {
    for (unsigned thread = 0; thread < g->t->thread_count; thread++) {
        const struct shape *s = g->shapes[thread];
        const unsigned first = g->first[thread] = g->count;
        if (first + s->count > GRAPH_EVENTS) return too_large(path, err);
        for (unsigned b = 0; b < s->count; b++) {
            const unsigned number = g->count++;
            const struct event *e = &s->events[b];
            g->events[number] = e;
            g->thread[number] = (uint8_t)thread;
            g->pair[number] = e->pair < 0 ? -1 : (int)first + e->pair;
            g->feeds[number] = (uint64_t)(e->address_from | e->data_from) << first;
            for (unsigned a = 0; a < b; a++)
                if (preserved(s, a, b)) g->before[number] |= UINT64_C(1) << (first + a);
        }
    }
    g->first[g->t->thread_count] = g->count;
    return true;
}

static int by_number(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Cells: between neighbours among all first bytes and ends, where an event accesses them.
static bool add_cells(struct graph *g, const char *path, struct error *err) {
    uint64_t edges[2 * GRAPH_EVENTS];
    unsigned count = 0;
    for (unsigned i = 0; i < g->count; i++) {
        edges[count++] = g->events[i]->address;
        edges[count++] = g->events[i]->address + g->events[i]->bytes;
    }
    qsort(edges, count, sizeof *edges, by_number);
    for (unsigned k = 0; k + 1 < count; k++) {
        bool used = false;
        if (edges[k] == edges[k + 1]) continue;
        if (g->cell_count == GRAPH_CELLS) return too_large(path, err);
        for (unsigned i = 0; i < g->count; i++) {
            const struct event *e = g->events[i];
            if (edges[k] - e->address >= e->bytes) continue;
            g->cells[i] |= UINT64_C(1) << g->cell_count;
            used = true;
        }
        if (!used) continue;
        g->cell[g->cell_count].address = edges[k];
        g->cell[g->cell_count++].bytes = (unsigned)(edges[k + 1] - edges[k]);
    }
    for (unsigned i = 0; i < g->count; i++) {
        g->slot[i] = g->slot_count;
        if (g->events[i]->reads) g->slot_count += (unsigned)__builtin_popcountll(g->cells[i]);
    }
    return g->slot_count <= GRAPH_READS || too_large(path, err);
}

bool graph_make(struct graph *g, const struct litmus_test *t, const struct shape *const shapes[LITMUS_THREADS],
                const char *path, struct error *err) {
    memset(g, 0, sizeof *g);
    g->t = t;
    for (unsigned i = 0; i < t->thread_count; i++)
        g->shapes[i] = shapes[i];
    return add_events(g, path, err) && add_cells(g, path, err);
}
