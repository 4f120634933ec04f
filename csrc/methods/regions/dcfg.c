// Blocks that do not overlap, and the edges between them: dcfg.h.
#include "base/array.h"
#include "methods/regions/dcfg_internal.h"
#include <stdlib.h>

static int by_value(const void *x, const void *y) {
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static int by_ends(const void *x, const void *y) {
    const struct dcfg_edge *a = x, *b = y;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

uint32_t dcfg_block_at(const struct dcfg *d, uint64_t pc) {
    size_t low = 0, high = d->block_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->blocks[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->block_count && d->blocks[low].pc == pc ? (uint32_t)low : DCFG_NONE;
}

// A block begins where one of the transitions does, and where one leads to.
static bool find_blocks(struct dcfg *d, const struct dcfg_transition *t, size_t count) {
    uint64_t *const pcs = malloc((2 * count + 1) * sizeof *pcs);
    d->blocks = calloc(2 * count + 1, sizeof *d->blocks);
    if (!pcs || !d->blocks) {
        free(pcs);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pcs[2 * i] = t[i].first;
        pcs[2 * i + 1] = t[i].to;
    }
    if (count) qsort(pcs, 2 * count, sizeof *pcs, by_value);
    for (size_t i = 0; i < 2 * count; i++)
        if (i == 0 || pcs[i] != pcs[i - 1])
            d->blocks[d->block_count++] = (struct dcfg_block){
                .pc = pcs[i], .after = pcs[i], .routine = DCFG_NONE, .dominator = DCFG_NONE, .loop = DCFG_NONE};
    free(pcs);
    return true;
}

static bool add_edge(struct dcfg *d, size_t *capacity, struct dcfg_edge edge) {
    if (!array_reserve(&d->edges, capacity, d->edge_count, sizeof *d->edges)) return false;
    d->edges[d->edge_count++] = edge;
    return true;
}

// The blocks that a transition goes through, and the edges between them.
static bool follow(struct dcfg *d, size_t *capacity, const struct dcfg_transition *t) {
    uint32_t b = dcfg_block_at(d, t->first);
    const uint32_t to = dcfg_block_at(d, t->to);
    for (;; b++) {
        const bool cut = b + 1 < d->block_count && d->blocks[b + 1].pc < t->after;
        d->blocks[b].executions += t->times;
        if (!cut) break;
        d->blocks[b].after = d->blocks[b + 1].pc;
        if (!add_edge(d, capacity, (struct dcfg_edge){b, b + 1, DCFG_FALLS, t->times})) return false;
    }
    d->blocks[b].after = t->after;
    if (!add_edge(d, capacity, (struct dcfg_edge){b, to, t->kind, t->times})) return false;
    const uint32_t back = t->kind == DCFG_CALLS ? dcfg_block_at(d, t->after) : DCFG_NONE;
    return back == DCFG_NONE || add_edge(d, capacity, (struct dcfg_edge){b, back, DCFG_COMES_BACK, 0});
}

// Each pair of blocks and each kind once.
static void join_edges(struct dcfg *d) {
    size_t kept = 0;
    if (d->edge_count) qsort(d->edges, d->edge_count, sizeof *d->edges, by_ends);
    for (size_t i = 0; i < d->edge_count; i++) {
        if (kept && by_ends(&d->edges[kept - 1], &d->edges[i]) == 0)
            d->edges[kept - 1].times += d->edges[i].times;
        else
            d->edges[kept++] = d->edges[i];
    }
    d->edge_count = kept;
    for (size_t i = 0; i < kept; i++) {
        struct dcfg_block *from = &d->blocks[d->edges[i].from];
        if (from->edges++ == 0) from->edge = (uint32_t)i;
    }
}

// How often a call came back: as often as control returned to after it.
static void count_returns(struct dcfg *d) {
    uint64_t *const returned = calloc(d->block_count + 1, sizeof *returned);
    for (size_t i = 0; returned && i < d->edge_count; i++)
        if (d->edges[i].kind == DCFG_RETURNS) returned[d->edges[i].to] += d->edges[i].times;
    for (size_t i = 0; returned && i < d->edge_count; i++)
        if (d->edges[i].kind == DCFG_COMES_BACK) d->edges[i].times = returned[d->edges[i].to];
    free(returned);
}

struct dcfg *dcfg_create(const struct dcfg_transition *transitions, size_t count, const uint64_t *entries,
                         size_t entry_count) {
    struct dcfg *d = calloc(1, sizeof *d);
    size_t capacity = 0;
    bool good = d && find_blocks(d, transitions, count);
    for (size_t i = 0; good && i < count; i++)
        good = follow(d, &capacity, &transitions[i]);
    if (good) {
        join_edges(d);
        count_returns(d);
    }
    if (good && dcfg_nest(d, entries, entry_count)) return d;
    dcfg_free(d);
    return NULL;
}

void dcfg_free(struct dcfg *d) {
    if (!d) return;
    free(d->blocks);
    free(d->edges);
    free(d->routines);
    free(d->loops);
    free(d);
}
