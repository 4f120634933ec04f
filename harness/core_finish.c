// The end of a run: what is still under way, the last comparisons, the files, the exit status.
#include "base/grouped.h"
#include "harness/core.h"
#include "harness/core_internal.h"
#include "harness/halt.h"
#include "harness/summary.h"
#include <errno.h>

// What a run that was cut short leaves is not compared, nor what several harts have stored: the last one has seen
// all dirty lines. A file that cannot be written is no difference.
static bool write_dumps(struct core *c, struct error *file_error) {
    if (!c->options->dumps || c->failed || (c->board && c->place.number + 1 < c->place.count)) return true;
    struct error err;
    const bool alone = host_exited(c->host) && !c->board;
    int result = memory_dumps_write(c->options->dumps, c->soc, alone ? workers_iss(c->workers) : NULL, &err);
    if (result == -EBADMSG) core_fail(c, result);
    if (result < 0) *(c->failed ? c->err : file_error) = err;
    return result == 0;
}

// All cycles passed have been shown. What a worker found comes before what ended the run: it belongs to an earlier
// cycle.
static void drain(struct core *c) {
    int result = c->feed ? feed_finish(c->feed, c->err) : 0;
    if (result < 0) core_fail(c, result);
    struct error err; // the first failure is reported
    result = sampling_drain(c->sampling, c->failed ? &err : c->err);
    if (result < 0 && !c->failed) core_fail(c, result);
}

// A run that ends before anything is measured has empty accounts.
static void begin_at_end(struct core *c, uint64_t cycles) {
    if (region_stage(c->region) >= REGION_COUNTS || c->failed) return;
    region_empty(c->region, cycles);
    struct region_edge *begin = region_edge(c->region, REGION_BEGIN);
    begin->instructions = c->api->instructions(c->model);
    begin->memory = soc_memory_counts(c->soc);
    int result = workers_begin(c->workers, cycles, c->err);
    if (result < 0) core_fail(c, result);
}

static void settle_stores(struct core *c) {
    if (c->failed) return;
    // Of several harts, which all stop in one cycle, stores may be on their way.
    const struct memory_event event = {
        .kind = MEMORY_SETTLED, .tick = c->api->cycles(c->model), .cut = !host_exited(c->host) || c->board};
    if (!host_exited(c->host) || c->board || host_settle(c->host, c->api, c->model)) {
        if (host_stage(c->host) == HOST_SETTLES && c->options->dumps) c->api->emit_dirty(c->model);
        const int result = c->failed ? 0 : workers_memory(c->workers, &event, c->err);
        if (result < 0) core_fail(c, result);
        return;
    }
    error_set(c->err, "%s: has ended, but a store before its end never completes", c->program);
    core_fail(c, -ETIMEDOUT);
}

// What is to be said where nothing was measured that was to be; false: something was.
static bool nothing_measured(const struct core *c, const struct summary *summary) {
    const struct simulation_options *o = c->options;
    const enum region_stage stage = region_stage(c->region);
    if (c->failed) return false;
    if (stage == REGION_LOADS) {
        error_set(c->err,
                  "%s: the run ended before the restored program's first instruction: nothing was measured: choose a "
                  "larger --max-cycles",
                  summary->program);
        return true;
    }
    if (o->sample_from && (stage < REGION_COUNTS || summary->cycles == 0)) {
        error_set(c->err, "%s: the run %s --sample-from %s: nothing was measured: choose an earlier one%s",
                  summary->program, stage >= REGION_COUNTS ? "came to --sample-to before" : "ended before",
                  o->sample_from, stage >= REGION_COUNTS ? ", or a later --sample-to" : "");
        return true;
    }
    if (stage < REGION_COUNTS) {
        error_set(c->err,
                  "%s: the run ended after %llu instructions, within --warmup %llu: nothing was measured: choose a "
                  "smaller one",
                  summary->program, (unsigned long long)region_warmed(c->region), (unsigned long long)o->warmup);
        return true;
    }
    if (!c->writer || o->samples_temporary || o->samples_unasked || summary->sampling.samples ||
        sampling_instructions(c->sampling))
        return false;
    error_set(c->err, "%s: holds no samples: the run had %llu cycles: choose a --period shorter than %llu", o->samples,
              (unsigned long long)summary->cycles, (unsigned long long)o->sampling.period);
    return true;
}

// whole: all that belongs into the file has been added to it; else what it has so far stays.
static bool close_samples(struct core *c, bool whole, struct error *err) {
    struct samples_writer *writer = c->writer;
    c->writer = NULL;
    if (!writer) return whole;
    if (whole) return samples_close(writer, err) == 0;
    samples_flush(writer, NULL);
    samples_abandon(writer);
    return false;
}

// The statistics of all harts, once the last one is over.
static bool write_together(struct core *c, const struct summary *summary, struct error *err) {
    struct together *t = &(c->place.first ? c->place.first : c)->together;
    if (!c->options->stats_together) return true;
    if (!together_add(t, summary, err)) return false;
    return c->place.number + 1 < c->place.count || together_write(t, summary, c->options->stats_together, err);
}

int core_finish(struct core *c, double seconds) {
    dpi_enter(c->dpi);
    core_waveforms(c, waveforms_finish);
    if (c->options->search) return c->failure; // it is all that was asked for
    uint64_t cycles = c->api->cycles(c->model);
    fflush(stdout); // in a log, what the program printed stands before messages about it
    if (!c->failed && !dpi_finish(c->dpi, cycles)) {
        error_set(c->err, "the model did not emit a cycle in which something happened: monitor and core disagree");
        core_fail(c, -EBADMSG);
    }
    if ((c->bus.watched || c->options->dumps) && !c->failed) {
        c->api->emit_dirty(c->model);
        if (c->ideal) ideal_emit_written(c->ideal, c->client.dirty_line, c);
    }
    const struct region_edge *begin = region_edge(c->region, REGION_BEGIN), *end = region_edge(c->region, REGION_END);
    const bool ended = region_stage(c->region) >= REGION_OVER;
    if (!ended) core_read_counters(c);
    drain(c);
    begin_at_end(c, cycles);
    if (c->ideal && !c->failed && ideal_finish(c->ideal, c->err) < 0) core_fail(c, -EBADMSG);
    int sampled = c->failed ? 0 : sampling_finish(c->sampling, c->api, c->model, cycles, c->err);
    if (sampled < 0) core_fail(c, sampled);
    struct summary summary = {
        .config = &c->config,
        .program = core_named_program(c),
        .hart = core_hart_id(c),
        .cycles = (ended ? end->cycle : cycles) - begin->cycle,
        .instructions = (ended ? end->instructions : c->api->instructions(c->model)) - begin->instructions,
        .seconds = seconds,
        .from_cycle = begin->cycle,
        .from_instruction = begin->instructions,
        .to_cycle = ended ? end->cycle : 0,
        .memory = memory_counts_since(ended ? end->memory : soc_memory_counts(c->soc), begin->memory),
        .sampling = sampling_counts(c->sampling),
        .counters = &c->counters,
        .ideal = c->ideal,
        .workers = c->workers,
        .transfers = c->transfers,
        .exited = core_exited(c),
        .exit_code = host_code(c->host),
        .limit = ended                             ? "--sample-to"
                 : cycles < c->options->max_cycles ? "--max-insns"
                                                   : "--max-cycles",
        .interrupted = halt_signal() != 0,
        .failed = c->failed,
    };
    settle_stores(c);
    int result = c->failed ? 0 : workers_finish(c->workers, cycles, c->err);
    if (result < 0) {
        workers_explain(c->workers, stderr);
        core_fail(c, result);
    }
    fflush(stdout);
    core_keep_failure(c);
    struct error file_error = {""};
    bool dumped = write_dumps(c, &file_error);
    int status = c->failed ? c->failure : core_exited(c) ? htif_status(host_code(c->host)) : EXIT_CYCLES;
    if (halt_signal() && !c->failed && !core_exited(c)) status = 128 + halt_signal();
    if (c->options->note) *c->options->note = soc_note(c->soc);
    if (c->options->taken) *c->options->taken += summary.sampling.samples;
    bool empty = nothing_measured(c, &summary);
    if (empty && (status == 0 || status == EXIT_CYCLES)) status = EXIT_USAGE;
    summary.status = status;
    summary.failed = c->failed;
    bool written = summary_write_files(&summary, c->writer, c->options->stats, c->options->profile, &file_error);
    written = close_samples(c, written, &file_error) && dumped;
    written = written && write_together(c, &summary, &file_error);
    if (!c->options->quiet) {
        fputs(c->name, stderr);
        summary_print(&summary, stderr);
        if (c->options->skip)
            fprintf(stderr, "  %s cycles, in which the core is idle, were %s\n",
                    grouped((char[GROUPED_TEXT]){""}, c->api->skipped(c->model)),
                    c->options->skip == MODEL_SKIP_CHECK ? "simulated, and are as skipping them would be" : "skipped");
    }
    if (!written && !c->failed) {
        *c->err = file_error;
        return EXIT_OUTPUT;
    }
    return status;
}
