// What the edges of the measured region ask of the others: at once, and, of the model, between two cycles.
#include "harness/core_internal.h"
#include <errno.h>

bool core_take_regions(struct core *c) {
    const struct simulation_options *o = c->options;
    const struct waveforms_options waves = {o->fst, o->fst_from, o->fst_to, sampling_settings_any(&o->sampling)};
    const struct region_options measured = {o->sample_from, o->sample_to, o->warmup, c->devices && !o->from_reset,
                                            c->place.harts};
    if (!(c->waveforms = waveforms_create(&waves, c->image, c->err))) return false;
    if (!(c->region = region_create(&measured, c->image, c->err))) return false;
    return !o->search || (c->search = search_create(o->search, sampling_settings_any(&o->sampling), c->image, c->err));
}

static void begin(struct core *c) {
    struct region_edge *edge = region_edge(c->region, REGION_BEGIN);
    edge->memory = soc_memory_counts(c->soc);
    int result = c->feed ? feed_begin(c->feed, edge->cycle, c->err) : 0;
    if (result < 0) core_fail(c, result);
    core_halt(c);
}

static void end(struct core *c) {
    struct region_edge *edge = region_edge(c->region, REGION_END);
    edge->memory = soc_memory_counts(c->soc);
    sampling_end(c->sampling, edge->cycle);
    int result = c->feed ? feed_end(c->feed, edge->cycle, c->err) : 0;
    if (result < 0) core_fail(c, result);
    core_halt(c);
}

void core_met(struct core *c, unsigned met, uint64_t cycle) {
    if (met & REGION_ENTERS && c->board) c->entered = cycle; // core_harts.c
    if (met & REGION_ENTERS && !c->board) host_begin(c->host, cycle);
    if (met & REGION_BEGINS) begin(c);
    if (met & REGION_ENDS) end(c);
}

// The first cycle that counts: what samples and counts begins between two cycles. The first one that counts no more:
// what was counted is read.
void core_do_edges(struct core *c) {
    enum region_edge_kind due;
    while (!c->failed && (due = region_due(c->region)) != REGION_EDGES) {
        struct region_edge *edge = region_edge(c->region, due);
        edge->instructions = c->api->instructions(c->model) - edge->committed;
        region_done(c->region);
        if (due == REGION_END) {
            core_read_counters(c);
        } else if (!core_start_counting(c)) {
            core_fail(c, -EINVAL);
        }
    }
}

bool core_measured_all(const struct core *c) {
    enum { BEHIND = 1000 }; // cycles: rival profilers wait for instructions, too
    return region_stage(c->region) == REGION_CLOSED &&
           core_cycle(c) >= region_edge(c->region, REGION_END)->cycle + BEHIND && !sampling_owes(c->sampling);
}
