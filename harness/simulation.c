// The cores of a run, by turns, from their loading to their end.
#include "base/cpus.h"
#include "base/grouped.h"
#include "harness/board.h"
#include "harness/core.h"
#include "harness/halt.h"
#include "harness/progress.h"
#include "harness/schedule.h"
#include "harness/team.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    size_t count;
    bool harts;        // of one machine
    struct team *team; // that runs them
    uint64_t until;    // a turn's end
    struct core *cores[SIMULATION_CORES];
    struct simulation_end *ends;
    volatile int *stops[SIMULATION_CORES];
    struct schedule_core places[SIMULATION_CORES];
    double started, flushed; // by the clock on the wall
    struct progress progress;
};

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void look_at_progress(struct run *r, double seconds) {
    uint64_t cycles = 0, instructions = 0;
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t of_one = core_cycles(r->cores[i]);
        cycles = r->harts ? of_one : cycles + of_one;
        instructions += core_instructions(r->cores[i]);
    }
    progress_look(&r->progress, seconds, cycles, instructions);
}

static void look_at_clock(struct run *r) {
    double time = seconds_now();
    if (time - r->flushed > 1) {
        for (size_t i = 0; i < r->count; i++)
            core_flush(r->cores[i]);
        fflush(stdout);
        r->flushed = time;
    }
    look_at_progress(r, time - r->started);
}

// A core that is over leaves its files at once: nothing that befalls another one can take them away.
static void finish(struct run *r, size_t i) {
    progress_clear(&r->progress);
    r->ends[i].status = core_finish(r->cores[i], seconds_now() - r->started);
}

static void look(struct run *r, size_t i) {
    r->places[i] = (struct schedule_core){core_cycles(r->cores[i]), core_quiet_until(r->cores[i]), false};
    if (core_runs(r->cores[i])) return;
    r->places[i].over = true;
    finish(r, i);
}

// What the harts have done together.
static void sum_up(const struct run *r) {
    const uint64_t cycles = core_cycles(r->cores[0]);
    uint64_t instructions = 0;
    for (size_t i = 0; i < r->count; i++)
        instructions += core_instructions(r->cores[i]);
    char text[2][GROUPED_TEXT];
    fprintf(stderr, "%zu harts: %s cycles, %s instructions, IPC %.3f\n", r->count, grouped(text[0], cycles),
            grouped(text[1], instructions), cycles ? (double)instructions / (double)cycles : 0.0);
}

// By turns, each up to where another one would have to be asked.
static void run_cores(struct run *r, uint64_t latency) {
    size_t i;
    uint64_t until;
    for (i = 0; i < r->count; i++)
        look(r, i);
    while (schedule_next(r->places, r->count, latency, &i, &until)) {
        core_turn(r->cores[i], until);
        look_at_clock(r);
        look(r, i);
    }
}

// ---- harts ----
// A turn: at most up to where it hears of the others, and of itself over the board.
static void turn(void *context, size_t i) {
    struct run *r = context;
    while (core_runs(r->cores[i]) && core_cycles(r->cores[i]) < r->until)
        core_turn(r->cores[i], r->until);
}

// All run up to the same cycle, side by side where there are threads for it; then what they have done reaches the
// others, in one thread and in their order. So the number of threads changes nothing. False: none runs any more.
static bool next_turn(struct run *r) {
    r->until = UINT64_MAX;
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t until = core_cycles(r->cores[i]) + BOARD_LATENCY;
        if (core_runs(r->cores[i]) && until < r->until) r->until = until;
    }
    return r->until < UINT64_MAX;
}

static void run_harts(struct run *r) {
    while (next_turn(r)) {
        team_do(r->team);
        look_at_clock(r);
        core_advance(r->cores, (unsigned)r->count);
    }
    core_stopped(r->cores, (unsigned)r->count);
    for (size_t i = 0; i < r->count; i++)
        finish(r, i);
}

static void loop(struct run *r, uint64_t latency, const struct simulation_options *options) {
    r->started = r->flushed = seconds_now();
    r->progress = (struct progress){.out = options->quiet ? NULL : stderr,
                                    .terminal = isatty(STDERR_FILENO),
                                    .max_cycles = options->max_cycles,
                                    .length = options->length,
                                    .context = (void *)options};
    if (!r->harts) {
        run_cores(r, latency);
    } else {
        run_harts(r);
        if (!options->quiet) sum_up(r);
    }
}

// What a phase of the set-up has come to: one core that cannot run keeps all from running.
static bool all(struct run *r, bool (*phase)(struct core *), int status) {
    for (size_t i = 0; i < r->count; i++) {
        if (phase(r->cores[i])) continue;
        r->ends[i].status = core_failure(r->cores[i]) ? core_failure(r->cores[i]) : status;
        return false;
    }
    return true;
}

static bool create(struct run *r, const struct simulation_options *options) {
    for (size_t i = 0; i < r->count; i++) {
        const struct core_place place = {(unsigned)i, (unsigned)r->count, r->harts, r->harts && i ? r->cores[0] : NULL};
        r->cores[i] = core_create(&options[i], &place, &r->ends[i].err);
        r->ends[i].status = EXIT_USAGE;
        if (!r->cores[i]) return false;
        r->stops[i] = core_stop(r->cores[i]);
    }
    return true;
}

// Side by side, harts share no more than what they hand over between their turns.
static bool form_team(struct run *r, unsigned threads) {
    const unsigned most = (unsigned)r->count;
    if (!r->harts) return true;
    for (size_t i = 0; i < r->count; i++)
        if (!core_apart(r->cores[i])) threads = 1;
    if (threads == 0) threads = cpus_available();
    r->team = team_create(threads < most ? threads : most, turn, r, r->count, &r->ends[0].err);
    r->ends[0].status = EXIT_USAGE;
    return r->team != NULL;
}

static void name_failures(const struct run *r) {
    for (size_t i = 0; i < r->count && r->count > 1; i++) {
        struct error plain = r->ends[i].err;
        if (plain.text[0]) error_set(&r->ends[i].err, "%s %zu: %s", r->harts ? "hart" : "core", i, plain.text);
    }
}

static bool before_writing(const struct simulation_options *options) {
    if (options->writes) options->writes(options->writes_context);
    return true;
}

static void run(struct run *r, const struct simulation_options *options, uint64_t latency) {
    memset(r->ends, 0, r->count * sizeof *r->ends);
    if (create(r, options) && all(r, core_load, EXIT_USAGE) && all(r, core_outputs_creatable, EXIT_OUTPUT) &&
        before_writing(options) && all(r, core_set_up, EXIT_OUTPUT) && form_team(r, options->threads)) {
        halt_on_signals(r->stops, r->count);
        loop(r, latency, options);
        halt_as_before();
    }
    team_destroy(r->team);
    for (size_t i = r->count; i-- > 0;) // of harts, the first has what is theirs together
        core_destroy(r->cores[i]);
    name_failures(r);
}

void simulation_run_cores(const struct simulation_options *options, size_t count, uint64_t latency,
                          struct simulation_end *ends) {
    run(&(struct run){.count = count, .ends = ends}, options, latency);
}

void simulation_run_harts(const struct simulation_options *options, size_t count, struct simulation_end *ends) {
    run(&(struct run){.count = count, .harts = true, .ends = ends}, options, BOARD_LATENCY);
}

int simulation_run(const struct simulation_options *options, struct error *err) {
    struct simulation_end end;
    simulation_run_cores(options, 1, SCHEDULE_NO_LINKS, &end);
    if (end.err.text[0]) *err = end.err;
    return end.status;
}
