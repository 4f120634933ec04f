// The run loop: the model runs many cycles a call; what the callbacks have noted is done here, between two cycles.
#include "harness/halt.h"
#include "harness/simulation_internal.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

struct times { // by the clock on the wall
    double started, shown, flushed;
    bool show; // how far it is
};

static void progress(struct simulation *s, double started) {
    double seconds = simulation_seconds() - started;
    uint64_t cycles = s->api->cycles(s->model), instructions = s->api->instructions(s->model);
    fprintf(stderr, "\r%12llu cycles  %8.1f kHz  IPC %5.3f ", (unsigned long long)cycles,
            (double)cycles / seconds / 1e3, cycles ? (double)instructions / (double)cycles : 0.0);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

enum { GO = 16384 }; // cycles between two looks at the clock

// Instructions that are still to be measured; UINT64_MAX: no limit.
static uint64_t instructions_left(const struct simulation *s) {
    const uint64_t most = s->options->max_insns;
    const struct region_edge *begin = region_edge(s->region, REGION_BEGIN);
    if (most == UINT64_MAX || region_stage(s->region) < REGION_COUNTS || region_due(s->region) == REGION_BEGIN)
        return UINT64_MAX;
    const uint64_t done = s->api->instructions(s->model) - begin->instructions;
    return done < most ? most - done : 0;
}

static bool out_of_budget(const struct simulation *s) {
    if (simulation_measured_all(s)) return true;
    if (s->search && search_found(s->search)) return true;
    return s->api->cycles(s->model) >= s->options->max_cycles || instructions_left(s) == 0;
}

// Cycles to run in one go from `now` on: up to where something has to be done.
static uint64_t next_stop(const struct simulation *s, uint64_t now) {
    const struct simulation_options *o = s->options;
    if (s->transfers) return 1; // how many were recorded is asked after each
    uint64_t until = smaller(now + GO, o->max_cycles), left = instructions_left(s);
    if (left < UINT64_MAX) until = smaller(until, now + (left - 1) / s->config.width + 1); // they take as many
    until = region_next(s->region, now, until);
    return waveforms_next(s->waveforms, now, until) - now;
}

// Waveforms that cannot be written end the run.
static void waveforms(struct simulation *s,
                      bool (*what)(struct waveforms *, const struct model_api *, struct model *, struct error *)) {
    struct error unsaid; // what failed first is said
    if (!what(s->waveforms, s->api, s->model, s->failed ? &unsaid : s->err) && !s->failed)
        simulation_end(s, EXIT_OUTPUT);
}

static void turn_waveforms(struct simulation *s, uint64_t now) {
    struct error unsaid;
    if (!waveforms_turn(s->waveforms, s->api, s->model, now, s->failed ? &unsaid : s->err) && !s->failed)
        simulation_end(s, EXIT_OUTPUT);
}

// What is due by the clock on the wall: the samples so far go to the file, so that a run that is killed loses a second.
static void once_a_second(struct simulation *s) {
    int result = s->writer && !s->failed ? samples_flush(s->writer, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    fflush(stdout);
}

// Idle cycles are passed now, and handed over however few they are: a core may hang.
static void tell_quiet(struct simulation *s) {
    uint64_t now = s->api->cycles(s->model);
    if (s->failed) return;
    dpi_finish(s->dpi, now);
    if (s->failed || !s->feed || now - s->handed_over < GO) return;
    s->handed_over = now;
    int result = feed_hand_over(s->feed, s->err);
    if (result < 0) simulation_fail(s, result);
}

// An assertion; a word that the host does not understand.
static void look_for_failures(struct simulation *s) {
    if (s->api->failed(s->model) && !s->failed) {
        error_set(s->err, "the model failed at cycle %llu: see the assertion above",
                  (unsigned long long)s->api->cycles(s->model));
        simulation_fail(s, -EBADMSG);
    }
    if (host_stage(s->host) == HOST_REFUSED && !s->failed) {
        host_refusal(s->host, s->program, s->err);
        simulation_end(s, EXIT_USAGE);
    }
}

static void collect_sample(struct simulation *s) {
    const struct sample_record *record;
    if (s->failed) return;
    bool ended = host_exited(s->host) || halt_signal() || out_of_budget(s);
    int result = sampling_collect(s->sampling, s->api, s->model, ended, &record, s->err);
    if (result < 0) simulation_fail(s, result);
    if (record && s->search && search_record(s->search, record)) halt_request();
}

static void collect_transfers(struct simulation *s) {
    if (!s->transfers || s->failed || !region_counts(s->region)) return;
    if (transfer_stacks_look(s->transfers, s->api, s->model, s->context)) return;
    error_set(s->err, "worker collections: out of memory: free some and run again, or set longer periods");
    simulation_fail(s, -ENOMEM);
}

static void look_at_clock(struct simulation *s, struct times *t) {
    double time = simulation_seconds();
    if (time - t->flushed > 1) {
        once_a_second(s);
        t->flushed = time;
    }
    if (t->show && time - t->shown > 0.5) {
        progress(s, t->started);
        t->shown = time;
    }
}

void simulation_loop(struct simulation *s) {
    double started = simulation_seconds();
    struct times times = {started, started, started, !s->options->quiet && isatty(STDERR_FILENO)};
    while (!s->failed && !host_exited(s->host) && !halt_signal()) {
        uint64_t now = s->api->cycles(s->model);
        if (out_of_budget(s)) break;
        simulation_met(s, region_between(s->region, now), now);
        simulation_do_edges(s);
        now = s->api->cycles(s->model); // where it programs counters, cycles pass
        turn_waveforms(s, now);
        if (!s->failed) s->api->run(s->model, next_stop(s, now), halt_flag());
        halt_clear();
        waveforms(s, waveforms_look);
        tell_quiet(s);
        look_for_failures(s);
        simulation_do_edges(s);
        collect_sample(s);
        collect_transfers(s);
        look_at_clock(s, &times);
    }
    if (times.show) fprintf(stderr, "\r%60s\r", "");
    waveforms(s, waveforms_finish);
}
