// Edges of regions, found while a run goes on: cuts.h.
#include "methods/regions/cuts.h"
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 12 }; // of the table of markers: their addresses, by their low bits

struct edge {
    size_t region;
    bool end;
    uint64_t at; // count of its marker, or steps
};
struct watched { // an address, and the edges at it that are still to come
    uint64_t pc, count;
    struct edge *edges;
    size_t edge_count;
    struct watched *next; // of its slot
};
struct cuts {
    const struct regions_file *file;
    struct cut *cuts;
    struct edge *edges; // of markers, by address and count; then those of steps
    struct watched *watched, *slots[SLOTS];
    size_t watched_count;
    struct edge *by_steps; // still to come
    size_t by_steps_count;
    uint64_t steps;
};
struct unsorted { // an edge, before they are sorted
    uint64_t pc;
    struct edge edge;
};

static int compare_places(const void *a, const void *b) {
    const struct unsorted *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? 1 : -1; // those of steps, without one, come last
    return (x->edge.at > y->edge.at) - (x->edge.at < y->edge.at);
}

static struct watched **slot(struct cuts *c, uint64_t pc) {
    return &c->slots[pc / 2 % SLOTS];
}

static void watch(struct cuts *c, const struct unsorted *places, size_t count) {
    for (size_t i = 0; i < count; i++) {
        c->edges[i] = places[i].edge;
        if (!places[i].pc) {
            if (!c->by_steps) c->by_steps = &c->edges[i];
            c->by_steps_count++;
        } else if (i && places[i - 1].pc == places[i].pc) {
            c->watched[c->watched_count - 1].edge_count++;
        } else {
            struct watched *const w = &c->watched[c->watched_count++], **const first = slot(c, places[i].pc);
            *w = (struct watched){places[i].pc, 0, &c->edges[i], 1, *first};
            *first = w;
        }
    }
}

// The end of the run is no edge: cuts_end.
static size_t list(const struct regions_file *f, struct unsorted *places) {
    size_t count = 0;
    for (size_t i = 0; i < f->region_count; i++) {
        const struct regions_region *const r = &f->regions[i];
        const uint64_t end = r->begin + r->steps;
        places[count++] = (struct unsorted){r->start.pc, {i, false, r->start.pc ? r->start.count : r->begin}};
        if (r->end.pc || end < f->slices[f->slice_count - 1].begin + f->slices[f->slice_count - 1].steps)
            places[count++] = (struct unsorted){r->end.pc, {i, true, r->end.pc ? r->end.count : end}};
    }
    qsort(places, count, sizeof *places, compare_places);
    return count;
}

struct cuts *cuts_create(const struct regions_file *f, struct error *err) {
    struct cuts *c = error_calloc(sizeof *c, "cuts", err);
    struct unsorted *places = error_calloc(2 * f->region_count * sizeof *places, "cuts", err);
    if (c) {
        c->file = f;
        c->cuts = error_calloc(f->region_count * sizeof *c->cuts, "cuts", err);
        c->edges = error_calloc(2 * f->region_count * sizeof *c->edges, "cuts", err);
        c->watched = error_calloc(2 * f->region_count * sizeof *c->watched, "cuts", err);
    }
    const bool good = c && places && c->cuts && c->edges && c->watched;
    if (good) watch(c, places, list(f, places));
    free(places);
    if (good) return c;
    cuts_destroy(c);
    return NULL;
}

void cuts_destroy(struct cuts *c) {
    if (!c) return;
    free(c->cuts);
    free(c->edges);
    free(c->watched);
    free(c);
}

static void meet(struct cuts *c, const struct edge *e, uint64_t time) {
    struct cut *const cut = &c->cuts[e->region];
    *(e->end ? &cut->to : &cut->from) = time;
    *(e->end ? &cut->to_steps : &cut->from_steps) = c->steps;
    *(e->end ? &cut->ended : &cut->begun) = true;
}

static void meet_all(struct cuts *c, struct edge **edges, size_t *count, uint64_t at, uint64_t time) {
    for (; *count && (*edges)->at <= at; (*edges)++, --*count)
        meet(c, *edges, time);
}

void cuts_step(struct cuts *c, uint64_t pc, bool executed, uint64_t time) {
    if (c->by_steps_count) meet_all(c, &c->by_steps, &c->by_steps_count, c->steps, time);
    for (struct watched *w = executed ? *slot(c, pc) : NULL; w; w = w->next)
        if (w->pc == pc) meet_all(c, &w->edges, &w->edge_count, ++w->count, time);
    c->steps++;
}

void cuts_end(struct cuts *c, uint64_t time) {
    meet_all(c, &c->by_steps, &c->by_steps_count, c->steps, time);
    for (size_t i = 0; i < c->file->region_count; i++) {
        const struct regions_region *const r = &c->file->regions[i];
        const struct regions_slices *const last = &c->file->slices[c->file->slice_count - 1];
        if (!r->end.pc && r->begin + r->steps == last->begin + last->steps) meet(c, &(struct edge){i, true, 0}, time);
    }
}

const struct cut *cuts_of(const struct cuts *c, size_t region) {
    return &c->cuts[region];
}

uint64_t cuts_steps(const struct cuts *c) {
    return c->steps;
}
