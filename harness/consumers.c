// The order of the consumers is the order of the rows below. It matters where one of them decides what another sees:
// edges are met before the workers hear of the cycle, and the sampler sees it before its trigger, which comes last.
#include "harness/consumers.h"
#include "harness/core_internal.h"
#include "profile/place.h"

// Each returns whether it wants the next cycle, too.
static bool ideal_cycle(struct core *c, const struct trace_cycle *cycle) {
    ideal_left(c->ideal, &cycle->left);
    return true;
}

static bool transfers_cycle(struct core *c, const struct trace_cycle *cycle) {
    c->context = place_context(cycle->bundle.priv, cycle->bundle.space);
    return true;
}

static bool waveforms_show(struct core *c, const struct trace_cycle *cycle) {
    if (waveforms_cycle(c->waveforms, cycle->cycle, &cycle->bundle)) core_halt(c);
    return waveforms_watch(c->waveforms);
}

static bool search_show(struct core *c, const struct trace_cycle *cycle) {
    if (search_cycle(c->search, cycle->cycle, &cycle->bundle)) core_halt(c);
    return search_watches(c->search);
}

static bool region_show(struct core *c, const struct trace_cycle *cycle) {
    core_met(c, region_cycle(c->region, cycle->cycle, &cycle->bundle), cycle->cycle);
    return region_watches(c->region);
}

static bool workers_show(struct core *c, const struct trace_cycle *cycle) {
    int result = feed_cycle(c->feed, cycle, c->err);
    if (result < 0) core_fail(c, result);
    return true;
}

static bool sampling_show(struct core *c, const struct trace_cycle *cycle) {
    sampling_cycle(c->sampling, cycle);
    return sampling_waits(c->sampling);
}

// ---- who wants the first cycle ----
static bool predicts(const struct core *c) {
    return c->ideal && ideal_predicts(c->ideal);
}
static bool has_transfers(const struct core *c) {
    return c->transfers != NULL;
}
static bool watches_waveforms(const struct core *c) {
    return waveforms_watch(c->waveforms);
}
static bool searches(const struct core *c) {
    return c->search && search_watches(c->search);
}
static bool watches_region(const struct core *c) {
    return region_watches(c->region);
}
static bool has_workers(const struct core *c) {
    return c->feed != NULL;
}
static bool never(const struct core *c) { // before its first trigger
    (void)c;
    return false;
}

static const struct row {
    bool (*wants)(const struct core *c);
    bool (*cycle)(struct core *c, const struct trace_cycle *cycle);
    uint32_t needs; // of a cycle, where it wants the first one
    bool always;    // after a failure, too: what the model asks next depends on it
} rows[CONSUMERS] = {
    // What left the core, before the model asks what comes next.
    [CONSUMER_IDEAL] = {predicts, ideal_cycle, DPI_BUNDLE | DPI_RETIRE, true},
    [CONSUMER_TRANSFERS] = {has_transfers, transfers_cycle, 0, false},
    // Edges that this cycle meets: of what is written, looked for and measured.
    [CONSUMER_WAVEFORMS] = {watches_waveforms, waveforms_show, DPI_BUNDLE, false},
    [CONSUMER_SEARCH] = {searches, search_show, DPI_BUNDLE, false},
    [CONSUMER_REGION] = {watches_region, region_show, DPI_BUNDLE, false},
    // Workers get an edge before its cycle.
    [CONSUMER_WORKERS] = {has_workers, workers_show, 0, false},
    [CONSUMER_SAMPLING] = {never, sampling_show, 0, false},
};

void consumers_choose(struct core *c) {
    c->consumers = 0;
    for (unsigned i = 0; i < CONSUMERS; i++)
        c->consumers |= (unsigned)rows[i].wants(c) << i;
}

uint32_t consumers_needs(const struct core *c) {
    uint32_t needs = workers_dpi_options(c->workers) | (sampling_in_time(c->sampling) ? DPI_BUNDLE | DPI_SELECT : 0);
    for (unsigned i = 0; i < CONSUMERS; i++)
        needs |= rows[i].wants(c) ? rows[i].needs : 0;
    return needs;
}

void consumers_add(struct core *c, enum consumer consumer) {
    c->consumers |= 1u << consumer;
}

void consumers_cycle(struct core *c, const struct trace_cycle *cycle) {
    for (unsigned left = c->consumers; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (c->failed && !rows[i].always) continue;
        if (!rows[i].cycle(c, cycle)) c->consumers &= ~(1u << i);
    }
}

void consumers_quiet(struct core *c, const struct trace_cycle *cycle, uint64_t count) {
    int result = c->failed || !c->feed ? 0 : feed_quiet(c->feed, cycle->cycle, count, c->err);
    if (result < 0) core_fail(c, result);
}
