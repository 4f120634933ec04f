// What the edges of the measured region ask of the others: at once, and, of the model, between two cycles.
#include "harness/halt.h"
#include "harness/simulation_internal.h"
#include <errno.h>

bool simulation_take_regions(struct simulation *s) {
    const struct simulation_options *o = s->options;
    const struct waveforms_options waves = {o->fst, o->fst_from, o->fst_to, sampling_settings_any(&o->sampling)};
    const struct region_options measured = {o->sample_from, o->sample_to, o->warmup, s->devices && !o->from_reset};
    if (!(s->waveforms = waveforms_create(&waves, s->image, s->err))) return false;
    if (!(s->region = region_create(&measured, s->image, s->err))) return false;
    return !o->search || (s->search = search_create(o->search, sampling_settings_any(&o->sampling), s->image, s->err));
}

static void begin(struct simulation *s) {
    struct region_edge *edge = region_edge(s->region, REGION_BEGIN);
    edge->memory = soc_memory_counts(s->soc);
    int result = s->feed ? feed_begin(s->feed, edge->cycle, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    halt_request();
}

static void end(struct simulation *s) {
    struct region_edge *edge = region_edge(s->region, REGION_END);
    edge->memory = soc_memory_counts(s->soc);
    sampling_end(s->sampling, edge->cycle);
    int result = s->feed ? feed_end(s->feed, edge->cycle, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    halt_request();
}

void simulation_met(struct simulation *s, unsigned met, uint64_t cycle) {
    if (met & REGION_ENTERS) host_begin(s->host, cycle);
    if (met & REGION_BEGINS) begin(s);
    if (met & REGION_ENDS) end(s);
}

// The first cycle that counts: what samples and counts begins between two cycles. The first one that counts no more:
// what was counted is read.
void simulation_do_edges(struct simulation *s) {
    enum region_edge_kind due;
    while (!s->failed && (due = region_due(s->region)) != REGION_EDGES) {
        struct region_edge *edge = region_edge(s->region, due);
        edge->instructions = s->api->instructions(s->model) - edge->committed;
        region_done(s->region);
        if (due == REGION_END) {
            simulation_read_counters(s);
        } else if (!simulation_start_counting(s)) {
            simulation_fail(s, -EINVAL);
        }
    }
}

bool simulation_measured_all(const struct simulation *s) {
    enum { BEHIND = 1000 }; // cycles: rival profilers wait for instructions, too
    return region_stage(s->region) == REGION_CLOSED &&
           s->api->cycles(s->model) >= region_edge(s->region, REGION_END)->cycle + BEHIND &&
           !sampling_owes(s->sampling);
}
