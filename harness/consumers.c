// The order of the consumers is the order of the rows below. It matters where one of them decides what another is told:
// edges are met before the workers hear of the cycle, and the sampler sees it before its trigger, which comes last.
#include "harness/consumers.h"
#include "base/place.h"
#include "harness/halt.h"
#include "harness/simulation_internal.h"

// Each returns whether it wants the next cycle, too.
static bool ideal_cycle(struct simulation *s, const struct trace_cycle *cycle) {
    ideal_left(s->ideal, &cycle->left);
    return true;
}

static bool transfers_cycle(struct simulation *s, const struct trace_cycle *cycle) {
    s->context = place_context(cycle->bundle.priv, cycle->bundle.space);
    return true;
}

static bool waveforms_show(struct simulation *s, const struct trace_cycle *cycle) {
    if (waveforms_cycle(s->waveforms, cycle->cycle, &cycle->bundle)) halt_request();
    return waveforms_watch(s->waveforms);
}

static bool search_show(struct simulation *s, const struct trace_cycle *cycle) {
    if (search_cycle(s->search, cycle->cycle, &cycle->bundle)) halt_request();
    return search_watches(s->search);
}

static bool region_show(struct simulation *s, const struct trace_cycle *cycle) {
    simulation_met(s, region_cycle(s->region, cycle->cycle, &cycle->bundle), cycle->cycle);
    return region_watches(s->region);
}

static bool workers_show(struct simulation *s, const struct trace_cycle *cycle) {
    int result = feed_cycle(s->feed, cycle, s->err);
    if (result < 0) simulation_fail(s, result);
    return true;
}

static bool sampling_show(struct simulation *s, const struct trace_cycle *cycle) {
    sampling_cycle(s->sampling, cycle);
    return sampling_waits(s->sampling);
}

// ---- who wants the first cycle ----
static bool foresees(const struct simulation *s) {
    return s->ideal && ideal_foresees(s->ideal);
}
static bool has_transfers(const struct simulation *s) {
    return s->transfers != NULL;
}
static bool watches_waveforms(const struct simulation *s) {
    return waveforms_watch(s->waveforms);
}
static bool searches(const struct simulation *s) {
    return s->search && search_watches(s->search);
}
static bool watches_region(const struct simulation *s) {
    return region_watches(s->region);
}
static bool has_workers(const struct simulation *s) {
    return s->feed != NULL;
}
static bool never(const struct simulation *s) { // before its first trigger
    (void)s;
    return false;
}

static const struct row {
    bool (*wants)(const struct simulation *s);
    bool (*cycle)(struct simulation *s, const struct trace_cycle *cycle);
    uint32_t needs; // of a cycle, where it wants the first one
    bool always;    // behind a failure, too: what the model asks next hangs on it
} rows[CONSUMERS] = {
    // What left the core, before the model asks what comes next.
    [CONSUMER_IDEAL] = {foresees, ideal_cycle, DPI_BUNDLE | DPI_RETIRE, true},
    [CONSUMER_TRANSFERS] = {has_transfers, transfers_cycle, 0, false},
    // Edges that this cycle meets: of what is written, looked for and measured.
    [CONSUMER_WAVEFORMS] = {watches_waveforms, waveforms_show, DPI_BUNDLE, false},
    [CONSUMER_SEARCH] = {searches, search_show, DPI_BUNDLE, false},
    [CONSUMER_REGION] = {watches_region, region_show, DPI_BUNDLE, false},
    // Workers are told of an edge before the cycle that it lies at.
    [CONSUMER_WORKERS] = {has_workers, workers_show, 0, false},
    [CONSUMER_SAMPLING] = {never, sampling_show, 0, false},
};

void consumers_choose(struct simulation *s) {
    s->consumers = 0;
    for (unsigned i = 0; i < CONSUMERS; i++)
        s->consumers |= (unsigned)rows[i].wants(s) << i;
}

uint32_t consumers_needs(const struct simulation *s) {
    uint32_t needs = workers_dpi_options(s->workers) | (sampling_in_time(s->sampling) ? DPI_BUNDLE | DPI_SELECT : 0);
    for (unsigned i = 0; i < CONSUMERS; i++)
        needs |= rows[i].wants(s) ? rows[i].needs : 0;
    return needs;
}

void consumers_add(struct simulation *s, enum consumer consumer) {
    s->consumers |= 1u << consumer;
}

void consumers_cycle(struct simulation *s, const struct trace_cycle *cycle) {
    for (unsigned left = s->consumers; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (s->failed && !rows[i].always) continue;
        if (!rows[i].cycle(s, cycle)) s->consumers &= ~(1u << i);
    }
}

void consumers_quiet(struct simulation *s, const struct trace_cycle *cycle, uint64_t count) {
    int result = s->failed || !s->feed ? 0 : feed_quiet(s->feed, cycle->cycle, count, s->err);
    if (result < 0) simulation_fail(s, result);
}
