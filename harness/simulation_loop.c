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
    if (most == UINT64_MAX || !s->begun || s->begins) return UINT64_MAX;
    const uint64_t done = s->api->instructions(s->model) - s->before;
    return done < most ? most - done : 0;
}

static bool out_of_budget(const struct simulation *s) {
    if (simulation_measured_all(s)) return true;
    if (s->options->search && s->options->search->found) return true;
    return s->api->cycles(s->model) >= s->options->max_cycles || instructions_left(s) == 0;
}

static uint64_t stop_at(const struct position *edge, uint64_t now, uint64_t until) {
    return edge->kind == POSITION_CYCLE && now < edge->value ? smaller(until, edge->value) : until;
}

// Cycles to run in one go from `now` on: up to where something has to be done.
static uint64_t next_stop(const struct simulation *s, uint64_t now) {
    const struct simulation_options *o = s->options;
    if (s->transfers) return 1; // how many were recorded is asked after each
    uint64_t until = smaller(now + GO, o->max_cycles), left = instructions_left(s);
    if (left < UINT64_MAX) until = smaller(until, now + (left - 1) / s->config.width + 1); // they take as many
    if (s->has_region && !s->begun) until = stop_at(&s->measured.from, now, until);
    if (s->has_region && !s->ended) until = stop_at(&s->measured.to, now, until);
    const struct position *from = &s->fst.from, *to = &s->fst.to;
    if (o->fst && from->kind == POSITION_CYCLE && now < from->value) until = smaller(until, from->value);
    if (o->fst && to->kind == POSITION_CYCLE && now <= to->value && to->value < UINT64_MAX)
        until = smaller(until, to->value + 1);
    return until - now;
}

// Waveforms begin or end where the options say so. Returns whether they are being written.
static bool dump(struct simulation *s, bool dumping, uint64_t now) {
    const struct simulation_options *o = s->options;
    bool wanted = o->fst && trace_region_holds(&s->fst, now);
    if (wanted && !dumping) simulation_waves_open(s);
    if (dumping && !wanted) simulation_waves_close(s);
    return wanted;
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
    if (s->htif.refused && !s->failed) {
        htif_refusal(&s->htif, s->program, s->err);
        simulation_end(s, EXIT_USAGE);
    }
}

// The first cycle that counts: what samples and counts begins between two cycles.
static void begin_counting(struct simulation *s) {
    if (!s->begins || s->failed) return;
    s->begins = false;
    s->before = s->api->instructions(s->model) - s->first;
    if (!simulation_start_counting(s)) simulation_fail(s, -EINVAL);
}

// The first cycle that counts no more.
static void end_counting(struct simulation *s) {
    if (!s->ends || s->failed) return;
    s->ends = false;
    s->after = s->api->instructions(s->model) - s->last_first;
    simulation_read_counters(s);
}

static void collect_sample(struct simulation *s) {
    if (!s->sample_ready || s->failed) return;
    s->sample_ready = false;
    bool ended = s->htif.exited || halt_signal() || out_of_budget(s);
    int result = s->sampler ? sampler_collect(s->sampler, s->api, s->model, ended, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    const struct sample_record *record = result == 0 && s->sampler ? sampler_collected(s->sampler) : NULL;
    if (record) simulation_watch_record(s, record);
}

static void collect_transfers(struct simulation *s) {
    if (!s->transfers || s->failed || !s->begun || s->begins || s->ended) return;
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
    bool dumping = false;
    while (!s->failed && !s->htif.exited && !halt_signal()) {
        uint64_t now = s->api->cycles(s->model);
        if (out_of_budget(s)) break;
        simulation_count_from_to(s, now);
        begin_counting(s);
        end_counting(s);
        now = s->api->cycles(s->model); // where it programs counters, cycles pass
        dumping = dump(s, dumping, now);
        if (!s->failed) s->api->run(s->model, next_stop(s, now), halt_flag());
        halt_clear();
        if (dumping) simulation_waves_look(s);
        tell_quiet(s);
        look_for_failures(s);
        begin_counting(s);
        end_counting(s);
        collect_sample(s);
        collect_transfers(s);
        look_at_clock(s, &times);
    }
    if (times.show) fprintf(stderr, "\r%60s\r", "");
    if (dumping) simulation_waves_close(s);
}
