// Windows: edges moved by what commits and by samples.
#include "trace/window.h"
#include <errno.h>

// Whether the first edge is known to lie behind the second one.
static bool exchanged(const struct position *from, const struct position *to) {
    if (from->kind != to->kind) return false;
    if (from->kind == POSITION_CYCLE) return from->value > to->value;
    if (from->kind == POSITION_PLACE) return from->value == to->value && to->count && from->count > to->count;
    return from->count > to->count;
}

int trace_window_parse(struct trace_window *w, const char *name, const char *from, const char *to, unsigned kinds,
                       const struct image *image, struct error *err) {
    *w = (struct trace_window){.to.value = UINT64_MAX};
    int result = from ? position_parse(&w->from, from, kinds, image, err) : 0;
    if (result == 0 && to) result = position_parse(&w->to, to, kinds, image, err);
    if (result < 0) return result;
    w->to_is_next = w->to.kind == POSITION_PLACE && w->to.count == 0;
    if (!exchanged(&w->from, &w->to)) return 0;
    error_set(err, "--%s-from %s is after --%s-to %s: swap them", name, from, name, to);
    return -EINVAL;
}

bool trace_window_needs_samples(const struct trace_window *w) {
    return w->from.kind == POSITION_SAMPLE || w->to.kind == POSITION_SAMPLE;
}
bool trace_window_needs_commits(const struct trace_window *w) {
    return w->from.kind == POSITION_PLACE || w->to.kind == POSITION_PLACE;
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

static bool begun(const struct trace_window *w, uint64_t cycle) {
    return w->from.kind == POSITION_CYCLE && cycle >= w->from.value;
}

void trace_window_commit(struct trace_window *w, uint64_t cycle, uint64_t pc) {
    const bool begins = w->from.kind == POSITION_PLACE && pc == w->from.value && meet(&w->from, cycle);
    if (w->to.kind != POSITION_PLACE || pc != w->to.value) return;
    if (w->to_is_next ? !begins && begun(w, cycle) : true) meet(&w->to, cycle);
}

void trace_window_bundle(struct trace_window *w, uint64_t cycle, const struct commit_bundle *b) {
    if (!trace_window_needs_commits(w)) return;
    const unsigned begins = b->commit & b->first;      // once for each instruction
    unsigned older = begins & ((1u << b->oldest) - 1); // lanes below the oldest are younger than those above it
    for (unsigned lanes = begins & ~((1u << b->oldest) - 1); lanes; lanes &= lanes - 1)
        trace_window_commit(w, cycle, b->pc[__builtin_ctz(lanes)]);
    for (unsigned lanes = older; lanes; lanes &= lanes - 1)
        trace_window_commit(w, cycle, b->pc[__builtin_ctz(lanes)]);
}

void trace_window_sample(struct trace_window *w, uint64_t cycle) {
    if (w->from.kind == POSITION_SAMPLE) meet(&w->from, cycle + 1);
    if (w->to.kind == POSITION_SAMPLE) meet(&w->to, cycle);
}

bool trace_window_holds(const struct trace_window *w, uint64_t cycle) {
    return trace_window_clip(w, &cycle, 1) == 1;
}

uint64_t trace_window_clip(const struct trace_window *w, uint64_t *cycle, uint64_t count) {
    uint64_t last = *cycle + count - 1;
    if (w->from.kind != POSITION_CYCLE || count == 0) return 0;
    if (*cycle < w->from.value) *cycle = w->from.value;
    if (w->to.kind == POSITION_CYCLE && last > w->to.value) last = w->to.value;
    return *cycle <= last ? last - *cycle + 1 : 0;
}
