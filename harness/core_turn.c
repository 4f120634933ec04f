// A turn of a core: its model runs many cycles a call; what the callbacks have noted is done here, between two cycles.
#include "harness/core.h"
#include "harness/core_internal.h"
#include "harness/halt.h"
#include <errno.h>
#include <string.h>

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

enum { GO = 16384 }; // cycles of a turn at most: between two looks at the clock

// Instructions that are still to be measured; UINT64_MAX: no limit.
static uint64_t instructions_left(const struct core *c) {
    const uint64_t most = c->options->max_insns;
    const struct region_edge *begin = region_edge(c->region, REGION_BEGIN);
    if (most == UINT64_MAX || region_stage(c->region) < REGION_COUNTS || region_due(c->region) == REGION_BEGIN)
        return UINT64_MAX;
    const uint64_t done = c->api->instructions(c->model) - begin->instructions;
    return done < most ? most - done : 0;
}

static bool out_of_budget(const struct core *c) {
    if (core_measured_all(c)) return true;
    if (c->search && search_found(c->search)) return true;
    return core_cycle(c) >= c->options->max_cycles || instructions_left(c) == 0;
}

// Cycles to run in one go from `now` on: up to where something has to be done.
static uint64_t next_stop(const struct core *c, uint64_t now) {
    const struct simulation_options *o = c->options;
    if (c->transfers) return 1; // how many were recorded is asked after each
    uint64_t until = smaller(now + GO, o->max_cycles), left = instructions_left(c);
    if (left < UINT64_MAX) until = smaller(until, now + (left - 1) / c->config.width + 1); // they take as many
    until = region_next(c->region, now, until);
    return waveforms_next(c->waveforms, now, until) - now;
}

// Waveforms that cannot be written end the run.
void core_waveforms(struct core *c,
                    bool (*what)(struct waveforms *, const struct model_api *, struct model *, struct error *)) {
    struct error later; // the first failure is reported
    if (!what(c->waveforms, c->api, c->model, c->failed ? &later : c->err) && !c->failed) core_end(c, EXIT_OUTPUT);
}

static void turn_waveforms(struct core *c, uint64_t now) {
    struct error later;
    if (!waveforms_turn(c->waveforms, c->api, c->model, now, c->failed ? &later : c->err) && !c->failed)
        core_end(c, EXIT_OUTPUT);
}

// Idle cycles are passed now, and handed over however few they are: a core may hang. Those of several harts are shown
// between their turns (core_harts.c).
static void emit_quiet(struct core *c) {
    uint64_t now = core_cycle(c);
    if (c->failed) return;
    dpi_finish(c->dpi, now);
    if (c->failed || !c->feed || c->harts || now - c->handed_over < GO) return;
    c->handed_over = now;
    int result = feed_hand_over(c->feed, c->err);
    if (result < 0) core_fail(c, result);
}

// An assertion; a word that the host does not understand.
static void look_for_failures(struct core *c) {
    if (c->api->failed(c->model) && !c->failed) {
        error_set(c->err, "the model failed at cycle %llu: see the assertion above", (unsigned long long)core_cycle(c));
        core_fail(c, -EBADMSG);
    }
    if (c->links && links_failed(c->links) && !c->failed) {
        error_set(c->err, "the hub failed by cycle %llu: see the assertion above", (unsigned long long)core_cycle(c));
        core_fail(c, -EBADMSG);
    }
    if (!c->board && host_stage(c->host) == HOST_REFUSED && !c->failed) {
        host_refusal(c->host, c->program, c->err);
        core_end(c, EXIT_USAGE);
    }
}

// A hart of several that has come to `until` does so when its next turn begins: it takes a cycle.
static void collect_sample(struct core *c, uint64_t until) {
    const struct sample_record *record;
    if (c->failed) return;
    bool ended = core_exited(c) || halt_signal() || out_of_budget(c);
    if (c->board && !ended && core_cycle(c) >= until) return;
    int result = sampling_collect(c->sampling, c->api, c->model, ended, &record, c->err);
    if (result < 0) core_fail(c, result);
    if (record && c->search && search_record(c->search, record)) core_halt(c);
}

static void collect_transfers(struct core *c) {
    if (!c->transfers || c->failed || !region_counts(c->region)) return;
    if (transfer_stacks_look(c->transfers, c->api, c->model, c->context)) return;
    error_set(c->err, "worker collections: out of memory: set longer periods");
    core_fail(c, -ENOMEM);
}

bool core_runs(const struct core *c) {
    dpi_enter(c->dpi);
    if (c->board && board_end(c->board) <= soc_ticks(c->soc)) return false;
    return !c->failed && !core_exited(c) && !halt_signal() && !out_of_budget(c);
}

void core_turn(struct core *c, uint64_t until) {
    dpi_enter(c->dpi);
    if (c->board) collect_sample(c, until);
    const uint64_t before = core_cycle(c);
    core_met(c, region_between(c->region, before), before);
    core_do_edges(c);
    const uint64_t now = core_cycle(c); // where it programs counters, cycles pass
    if (c->board) until = smaller(until, now + board_end(c->board) - soc_ticks(c->soc));
    turn_waveforms(c, now);
    if (!c->failed && now < until) c->api->run(c->model, smaller(next_stop(c, now), until - now), &c->stop);
    __atomic_store_n(&c->stop, 0, __ATOMIC_RELAXED);
    core_waveforms(c, waveforms_look);
    emit_quiet(c);
    look_for_failures(c);
    core_do_edges(c);
    collect_sample(c, until);
    collect_transfers(c);
}
