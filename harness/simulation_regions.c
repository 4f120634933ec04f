// Regions of a run: what is measured, where waveforms begin and end, and a position that is looked for.
#include "harness/halt.h"
#include "harness/simulation_internal.h"
#include <errno.h>

static bool takes_samples(const struct simulation *s) {
    return s->options->period || s->options->follow_program;
}

static bool no_samples(struct simulation *s, const char *text) {
    error_set(s->err, "%s: a sample, but none is taken: give --period, too", text);
    return false;
}

static bool take_fst(struct simulation *s) {
    const struct simulation_options *o = s->options;
    if (trace_region_parse(&s->fst, "fst", o->fst_from, o->fst_to, POSITIONS_SEEN, s->image, s->err) < 0) return false;
    return !trace_region_needs_samples(&s->fst) || takes_samples(s) || no_samples(s, "--fst-from and --fst-to");
}

static bool take_measured(struct simulation *s) {
    const struct simulation_options *o = s->options;
    s->has_region = o->sample_from || o->sample_to;
    return trace_region_parse(&s->measured, "sample", o->sample_from, o->sample_to, POSITIONS_COMMITTED, s->image,
                              s->err) == 0;
}

static void found(struct simulation *s, uint64_t cycle) {
    s->options->search->found = true;
    s->options->search->cycle = cycle;
    halt_request();
}

static bool take_search(struct simulation *s) {
    struct simulation_search *search = s->options->search;
    s->sought.to.value = UINT64_MAX;
    if (!search) return true;
    if (position_parse(&s->sought.from, search->at, POSITIONS_ON_CORE, s->image, s->err) < 0) return false;
    const enum position_kind kind = s->sought.from.kind;
    if (kind == POSITION_CYCLE) found(s, s->sought.from.value);
    return (kind != POSITION_SAMPLE && kind != POSITION_PLACE_SAMPLE) || takes_samples(s) || no_samples(s, search->at);
}

static bool commits_matter(const struct simulation *s) {
    return trace_region_needs_commits(&s->fst) || trace_region_needs_commits(&s->sought) ||
           trace_region_needs_commits(&s->measured);
}

bool simulation_take_regions(struct simulation *s) {
    if (!take_fst(s) || !take_measured(s) || !take_search(s)) return false;
    s->watches = commits_matter(s);
    return true;
}

static unsigned open_edges(const struct trace_region *r) {
    return (r->from.kind != POSITION_CYCLE) + (r->to.kind != POSITION_CYCLE);
}

void simulation_watch(struct simulation *s, const struct trace_cycle *cycle) {
    const unsigned before = open_edges(&s->fst);
    trace_region_bundle(&s->fst, cycle->cycle, &cycle->bundle);
    trace_region_bundle(&s->sought, cycle->cycle, &cycle->bundle);
    trace_region_bundle(&s->measured, cycle->cycle, &cycle->bundle);
    s->watches = commits_matter(s);
    if (open_edges(&s->fst) < before) halt_request();
    if (s->options->search && s->sought.from.kind == POSITION_CYCLE) found(s, s->sought.from.value);
}

void simulation_watch_sample(struct simulation *s, uint64_t cycle) {
    if (!trace_region_needs_samples(&s->fst)) return;
    trace_region_sample(&s->fst, cycle);
    halt_request();
}

static bool names(const struct sample *sample, uint64_t address) {
    bool named = false;
    for (unsigned lanes = sample->valid; lanes && !named; lanes &= lanes - 1)
        named = sample->addr[__builtin_ctz(lanes)] == address;
    return named;
}

void simulation_watch_record(struct simulation *s, const struct sample_record *record) {
    struct position *p = &s->sought.from;
    const bool counts =
        p->kind == POSITION_SAMPLE || (p->kind == POSITION_PLACE_SAMPLE && names(&record->sample, p->value));
    if (s->options->search && !s->options->search->found && counts && --p->count == 0) found(s, record->cycle);
}

// ---- what is measured ----
unsigned simulation_committed(const struct commit_bundle *b) {
    return (unsigned)__builtin_popcount(b->commit & (b->first | 1u << b->oldest));
}

void simulation_begin(struct simulation *s, uint64_t cycle, unsigned now) {
    s->begun = true;
    s->begin = cycle;
    s->begins = true;
    s->first = now;
    s->memory_before = soc_memory_counts(s->soc);
    int result = s->feed ? feed_begin(s->feed, cycle, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    halt_request();
}

void simulation_stop_counting(struct simulation *s, uint64_t cycle, unsigned now) {
    s->ended = true;
    s->end = cycle;
    s->ends = true;
    s->last_first = now;
    s->memory_after = soc_memory_counts(s->soc);
    if (s->sampler) sampler_end(s->sampler, cycle);
    int result = s->feed ? feed_end(s->feed, cycle, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    halt_request();
}

void simulation_count_from_to(struct simulation *s, uint64_t now) {
    const struct position *from = &s->measured.from, *to = &s->measured.to;
    if (!s->has_region || s->failed || !s->entered) return;
    if (!s->begun && from->kind == POSITION_CYCLE && now >= from->value && s->warmed >= s->options->warmup)
        simulation_begin(s, now, 0);
    if (s->begun && !s->ended && to->kind == POSITION_CYCLE && now >= to->value) simulation_stop_counting(s, now, 0);
}

bool simulation_measured_all(const struct simulation *s) {
    enum { BEHIND = 1000 }; // cycles: rival profilers wait for instructions, too
    return s->ended && s->closed && s->api->cycles(s->model) >= s->end + BEHIND &&
           !(s->sampler && sampler_owes(s->sampler));
}
