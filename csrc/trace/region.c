// Regions: edges moved by what commits and by samples.
#include "trace/region.h"
#include <errno.h>

// Whether the first edge is known to lie after the second one.
static bool exchanged(const struct position *from, const struct position *to) {
    if (from->kind != to->kind) return false;
    if (from->kind == POSITION_CYCLE) return from->value > to->value;
    if (from->kind == POSITION_PLACE) return from->value == to->value && to->count && from->count > to->count;
    return from->count > to->count;
}

int trace_region_parse(struct trace_region *r, const char *name, const char *from, const char *to, unsigned kinds,
                       const struct image *image, struct error *err) {
    *r = (struct trace_region){.to.value = UINT64_MAX};
    int result = from ? position_parse(&r->from, from, kinds, image, err) : 0;
    if (result == 0 && to) result = position_parse(&r->to, to, kinds, image, err);
    if (result < 0) return result;
    r->to_is_next = r->to.kind == POSITION_PLACE && r->to.count == 0;
    if (!exchanged(&r->from, &r->to)) return 0;
    error_set(err, "--%s-from %s is after --%s-to %s: swap them", name, from, name, to);
    return -EINVAL;
}

bool trace_region_needs_samples(const struct trace_region *r) {
    return r->from.kind == POSITION_SAMPLE || r->to.kind == POSITION_SAMPLE;
}
bool trace_region_needs_commits(const struct trace_region *r) {
    return r->from.kind == POSITION_PLACE || r->to.kind == POSITION_PLACE;
}

// It is met once more: for the last time that is to come?
static bool meet(struct position *edge, uint64_t cycle) {
    if (edge->count > 1) {
        edge->count--;
        return false;
    }
    *edge = (struct position){POSITION_CYCLE, cycle, 0};
    return true;
}

static bool begun(const struct trace_region *r, uint64_t cycle) {
    return r->from.kind == POSITION_CYCLE && cycle >= r->from.value;
}

void trace_region_commit(struct trace_region *r, uint64_t cycle, uint64_t pc) {
    const bool begins = r->from.kind == POSITION_PLACE && pc == r->from.value && meet(&r->from, cycle);
    if (r->to.kind != POSITION_PLACE || pc != r->to.value) return;
    if (r->to_is_next ? !begins && begun(r, cycle) : true) meet(&r->to, cycle);
}

void trace_region_bundle(struct trace_region *r, uint64_t cycle, const struct commit_bundle *b) {
    if (!trace_region_needs_commits(r)) return;
    const unsigned begins = b->commit & b->first;      // once for each instruction
    unsigned older = begins & ((1u << b->oldest) - 1); // lanes below the oldest are younger than those above it
    for (unsigned lanes = begins & ~((1u << b->oldest) - 1); lanes; lanes &= lanes - 1)
        trace_region_commit(r, cycle, b->pc[__builtin_ctz(lanes)]);
    for (unsigned lanes = older; lanes; lanes &= lanes - 1)
        trace_region_commit(r, cycle, b->pc[__builtin_ctz(lanes)]);
}

unsigned trace_region_executions(const struct commit_bundle *b, uint64_t pc) {
    unsigned count = 0;
    for (unsigned lanes = b->commit & b->first; lanes; lanes &= lanes - 1)
        count += b->pc[__builtin_ctz(lanes)] == pc;
    return count;
}

void trace_region_sample(struct trace_region *r, uint64_t cycle) {
    if (r->from.kind == POSITION_SAMPLE) meet(&r->from, cycle + 1);
    if (r->to.kind == POSITION_SAMPLE) meet(&r->to, cycle);
}

bool trace_region_holds(const struct trace_region *r, uint64_t cycle) {
    return trace_region_clip(r, &cycle, 1) == 1;
}

uint64_t trace_region_clip(const struct trace_region *r, uint64_t *cycle, uint64_t count) {
    uint64_t last = *cycle + count - 1;
    if (r->from.kind != POSITION_CYCLE || count == 0) return 0;
    if (*cycle < r->from.value) *cycle = r->from.value;
    if (r->to.kind == POSITION_CYCLE && last > r->to.value) last = r->to.value;
    return *cycle <= last ? last - *cycle + 1 : 0;
}
