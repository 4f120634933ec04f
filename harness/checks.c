// Who observes a run: lockstep, cross-check with the Oracle, profilers, a tracer. Called once for each told cycle.
#include "harness/checks.h"
#include "cosim/cosim.h"
#include "oracle/oracle.h"
#include "profilers/profilers.h"
#include "trace/dpi.h"
#include "trace/pipeview.h"
#include "trace/tracer.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { HISTORY = 20, FST_BEFORE = 200, FST_AFTER = 20 }; // bundles; cycles around a difference

struct past { // what is printed of a bundle: no more is copied, in every cycle
    uint64_t cycle, count;
    uint8_t valid, commit, mispredict, flush, oldest, dispatch_valid;
    bool rob_empty, exception, replay, interrupt;
    uint64_t pc[MAX_LANES], dispatch_pc[MAX_LANES];
};

struct checks {
    const char *program, *command;
    unsigned width;
    struct cosim *cosim;
    struct oracle *oracle;
    struct profilers *profilers;
    struct stalls *stalls;
    const struct tracer_format *format;
    struct tracer *tracer;
    struct pipeview *pipeview;
    struct trace_window window; // of the tracer
    uint64_t cycles_checked;
    uint64_t events[EVENT_COUNT];
    struct past past[HISTORY];
    uint64_t past_count;
    const struct commit_bundle *bundle; // of the last cycle
};

struct checks *checks_create(const struct checks_options *o, struct error *err) {
    struct checks *c = calloc(1, sizeof *c);
    if (!c) {
        error_set(err, "checks: out of memory: free some and run again");
        return NULL;
    }
    c->program = o->program;
    c->command = o->command;
    c->width = o->config->width;
    const struct cosim_core core = {o->config->fp, o->config->pmp_entries, o->config->ad_update};
    if (o->cosim && !(c->cosim = cosim_create(o->image, &core, err))) goto failed;
    if (o->oracle && !(c->oracle = oracle_create(c->width, err))) goto failed;
    if (o->oracle && !(c->profilers = profilers_create(c->width, err))) goto failed;
    if (o->oracle && !(c->stalls = stalls_create(err))) goto failed;
    c->window = (struct trace_window){.to.value = UINT64_MAX};
    if (trace_edge_parse(&c->window.from, o->trace_from, o->image, err) < 0) goto failed;
    if (trace_edge_parse(&c->window.to, o->trace_to, o->image, err) < 0) goto failed;
    if (o->kanata && !(c->pipeview = pipeview_create(o->kanata, c->width, &c->window, err))) goto failed;
    if (o->trace) {
        if (!(c->format = tracer_find(o->trace_format, err))) goto failed;
        if (!(c->tracer = c->format->create(o->trace, c->width, err))) goto failed;
    }
    return c;
failed:
    checks_destroy(c);
    return NULL;
}

void checks_destroy(struct checks *c) {
    if (!c) return;
    cosim_destroy(c->cosim);
    oracle_destroy(c->oracle);
    profilers_destroy(c->profilers);
    stalls_destroy(c->stalls);
    if (c->format && c->tracer) c->format->close(c->tracer, NULL);
    struct error ignored;
    pipeview_close(c->pipeview, &ignored);
    free(c);
}

uint32_t checks_dpi_options(const struct checks *c) {
    uint32_t options = 0;
    if (c->cosim) options |= DPI_BUNDLE | DPI_RETIRE;
    if (c->oracle) options |= DPI_BUNDLE | DPI_SELECT;
    if (c->tracer) options |= DPI_BUNDLE;
    if (c->pipeview) options |= DPI_BUNDLE | DPI_STAGES;
    return options;
}

// ---- what a difference prints ----
static void print_bundle(const struct past *b, unsigned width) {
    fprintf(stderr, "  cycle %-10" PRIu64 " x%-4" PRIu64 "%s%s%s%s", b->cycle, b->count, b->rob_empty ? " empty" : "",
            b->exception ? " exception" : "", b->replay ? " replay" : "", b->interrupt ? " interrupt" : "");
    for (unsigned k = 0, lane = b->oldest; k < width; k++, lane = lane + 1 == width ? 0 : lane + 1) {
        if (!(b->valid >> lane & 1)) continue;
        fprintf(stderr, "  %s0x%" PRIx64 "%s%s", b->commit >> lane & 1 ? "*" : "", b->pc[lane],
                b->mispredict >> lane & 1 ? "m" : "", b->flush >> lane & 1 ? "f" : "");
    }
    for (unsigned i = 0; i < width; i++) {
        if (b->dispatch_valid >> i & 1) fprintf(stderr, "  %s0x%" PRIx64, i ? "" : "dispatch ", b->dispatch_pc[i]);
    }
    fputc('\n', stderr);
}

static void remember(struct checks *c, const struct trace_cycle *cycle, uint64_t count) {
    const struct commit_bundle *b = &cycle->bundle;
    struct past *p = &c->past[c->past_count++ % HISTORY];
    p->cycle = cycle->cycle, p->count = count;
    p->valid = b->valid, p->commit = b->commit, p->mispredict = b->mispredict, p->flush = b->flush;
    p->oldest = b->oldest, p->dispatch_valid = b->dispatch_valid;
    p->rob_empty = b->rob_empty, p->exception = b->exception, p->replay = b->replay, p->interrupt = b->interrupt;
    for (unsigned i = 0; i < c->width; i++)
        p->pc[i] = b->pc[i], p->dispatch_pc[i] = b->dispatch_pc[i];
    c->bundle = b;
}

static void print_rerun(const struct checks *c, uint64_t cycle) {
    fprintf(stderr, "Waveforms around it: %s --fst difference.fst --fst-from %" PRIu64 " --fst-to %" PRIu64 "\n",
            c->command, cycle > FST_BEFORE ? cycle - FST_BEFORE : 0, cycle + FST_AFTER);
}

static void print_bundles(const struct checks *c) {
    fprintf(stderr, "The last bundles (*: commits, m: mispredicted, f: flushes):\n");
    uint64_t first = c->past_count > HISTORY ? c->past_count - HISTORY : 0;
    for (uint64_t i = first; i < c->past_count; i++)
        print_bundle(&c->past[i % HISTORY], c->width);
}

static int crosscheck(struct checks *c, const struct trace_cycle *cycle, struct error *err) {
    struct oracle_difference d;
    if (!oracle_crosscheck(c->oracle, &cycle->bundle, &cycle->select, &cycle->oir, &d)) return 0;
    print_bundles(c);
    print_rerun(c, cycle->cycle);
    error_set(err, "cross-check: cycle %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64, cycle->cycle, d.field,
              d.expected, d.got);
    return -EBADMSG;
}

static void count_events(struct checks *c, const struct commit_bundle *b) {
    if (b->exception) {
        for (unsigned e = 0; e < EVENT_COUNT; e++)
            c->events[e] += b->exception_psv >> e & 1;
    }
    for (unsigned lanes = b->commit; lanes; lanes &= lanes - 1) {
        unsigned psv = b->psv[__builtin_ctz(lanes)];
        for (; psv; psv &= psv - 1)
            c->events[__builtin_ctz(psv)]++;
    }
}

static int out_of_memory(struct error *err) {
    error_set(err, "out of memory: free some and run again");
    return -ENOMEM;
}

// Those of the cycles that are in the window.
static int trace(struct checks *c, const struct trace_cycle *cycle, uint64_t count, struct error *err) {
    const struct commit_bundle *b = &cycle->bundle;
    for (unsigned k = 0, lane = b->oldest; b->commit && k < c->width; k++, lane = lane + 1 == c->width ? 0 : lane + 1) {
        if (b->commit >> lane & 1) trace_window_commit(&c->window, cycle->cycle, b->pc[lane]);
    }
    uint64_t first = cycle->cycle, inside = trace_window_clip(&c->window, &first, count);
    if (!inside) return 0;
    if (first == cycle->cycle) return c->format->cycle(c->tracer, cycle, inside, err);
    struct trace_cycle later = *cycle;
    later.cycle = first;
    return c->format->cycle(c->tracer, &later, inside, err);
}

int checks_cycle(struct checks *c, const struct trace_cycle *cycle, uint64_t count, struct error *err) {
    int result;
    remember(c, cycle, count);
    if (c->cosim && (cycle->retired_count || cycle->trap.valid) && count == 1) {
        result = cosim_cycle(c->cosim, cycle, err);
        if (result < 0) {
            fprintf(stderr, "The last instructions, as the core committed them:\n");
            cosim_print_history(c->cosim, stderr);
            print_rerun(c, cycle->cycle);
            return result;
        }
    }
    if (c->oracle) {
        if ((result = crosscheck(c, cycle, err)) < 0) return result;
        if (oracle_step(c->oracle, &cycle->bundle, count) < 0) return out_of_memory(err);
        if (stalls_step(c->stalls, &cycle->bundle, count) < 0) return out_of_memory(err);
        profilers_step(c->profilers, &cycle->bundle, count);
        c->cycles_checked += count;
        if (cycle->bundle.commit || cycle->bundle.exception) count_events(c, &cycle->bundle);
    }
    if (c->pipeview && pipeview_cycle(c->pipeview, cycle) < 0) return out_of_memory(err);
    return c->tracer ? trace(c, cycle, count, err) : 0;
}

void checks_sample(struct checks *c, uint64_t cycle) {
    if (c->profilers && c->bundle) profilers_sample(c->profilers, c->bundle, cycle);
}

int checks_finish(struct checks *c, uint64_t cycles, struct error *err) {
    int result = 0;
    if (c->tracer) {
        result = c->format->close(c->tracer, err);
        c->tracer = NULL;
    }
    if (result == 0 && c->pipeview) {
        result = pipeview_close(c->pipeview, err);
        c->pipeview = NULL;
    }
    if (result == 0 && c->oracle) result = oracle_finish(c->oracle, cycles, err);
    if (result == 0 && c->profilers) result = profilers_finish(c->profilers, cycles, err);
    return result;
}

const struct iss *checks_iss(const struct checks *c) {
    return c->cosim ? cosim_iss(c->cosim) : NULL;
}

struct checks_counts checks_counts(const struct checks *c) {
    struct checks_counts counts = {.cycles = c->cycles_checked};
    if (c->cosim) {
        counts.instructions = cosim_instructions(c->cosim);
        counts.traps = cosim_traps(c->cosim);
    }
    for (unsigned i = 0; c->oracle && i < STATE_COUNT; i++)
        counts.states[i] = oracle_state_units(c->oracle, i);
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        counts.events[i] = c->events[i];
    return counts;
}

const struct profile_row *checks_oracle_rows(const struct checks *c, size_t *count) {
    *count = 0;
    return c->oracle ? oracle_rows(c->oracle, count) : NULL;
}

struct stalls *checks_stalls(const struct checks *c) {
    return c->stalls;
}

int checks_add_profiles(const struct checks *c, struct samples_writer *writer, struct error *err) {
    size_t count;
    if (!c->oracle) return 0;
    const struct profile_row *rows = oracle_rows(c->oracle, &count);
    int result = samples_add_profile(writer, "Oracle", rows, count, err);
    for (size_t i = 0; result == 0 && i < profilers_count(); i++) {
        rows = profilers_rows(c->profilers, i, &count);
        result = samples_add_profile(writer, profilers_name(i), rows, count, err);
    }
    return result;
}
