// Which block follows which, and how often: flow.h.
#include "base/array.h"
#include "iss/iss_internal.h"

static uint64_t hash(uint64_t from, uint64_t to, bool event) {
    return from << 32 ^ to << 1 ^ event;
}
static uint64_t hash_of(const void *flow, uint32_t number) {
    const struct iss_flow_edge *edge = &((const struct iss_flow *)flow)->edges[number];
    return hash(edge->from, edge->to, edge->event);
}
static bool is_edge(const void *flow, uint32_t number, const void *key) {
    const struct iss_flow_edge *edge = &((const struct iss_flow *)flow)->edges[number], *k = key;
    return edge->from == k->from && edge->to == k->to && edge->event == k->event;
}

bool iss_flow_watch_edges(struct iss *iss, struct error *err) {
    struct iss_flow *f = iss->flow;
    if (f->edges) return true;
    if (array_reserve(&f->edges, &f->edge_capacity, 0, sizeof *f->edges)) {
        f->edges[f->edge_count++] = (struct iss_flow_edge){0}; // number 0: none
        return true;
    }
    error_nomem(err, "edges of the flow of control");
    return false;
}

// The one that left `from` last is the next one, most of the time.
void iss_flow_add_edge(struct iss_flow *f, uint64_t from, uint64_t to, bool event) {
    struct iss_flow_block *block = &f->blocks[from];
    if (block->edge && f->edges[block->edge].to == to && f->edges[block->edge].event == event) {
        f->edges[block->edge].times++;
        return;
    }
    const struct iss_flow_edge key = {.from = (uint32_t)from, .to = (uint32_t)to, .event = event};
    uint32_t number = hash_index_find(&f->edge_index, hash(from, to, event), is_edge, f, &key);
    if (number == HASH_INDEX_NONE) {
        number = (uint32_t)f->edge_count;
        if (!array_reserve(&f->edges, &f->edge_capacity, number, sizeof *f->edges) ||
            !hash_index_reserve(&f->edge_index, 1, number, hash_of, f)) {
            f->partial = true;
            return;
        }
        f->edges[f->edge_count++] = key;
        hash_index_put(&f->edge_index, hash(from, to, event), number);
    }
    f->edges[number].times++;
    block->edge = number;
}

void iss_flow_take_edge(struct iss_flow *f, uint64_t from) {
    f->edges[f->blocks[from].edge].times--;
}

void iss_flow_each_edge(const struct iss *iss, iss_flow_edges *edge, void *context) {
    const struct iss_flow *f = iss->flow;
    for (size_t i = 1; i < f->edge_count; i++)
        if (f->edges[i].times) edge(context, f->edges[i].from, f->edges[i].to, f->edges[i].event, f->edges[i].times);
}
