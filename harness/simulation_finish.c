// The end of a run: what is still under way, the last comparisons, the files, the exit status.
#include "harness/halt.h"
#include "harness/simulation_internal.h"
#include "harness/summary.h"
#include <errno.h>

// What a run that was cut short leaves is not compared. A file that cannot be written is no difference.
static bool write_dumps(struct simulation *s, struct error *file_error) {
    if (!s->options->dumps || s->failed) return true;
    struct error err;
    int result =
        memory_dumps_write(s->options->dumps, s->soc, host_exited(s->host) ? workers_iss(s->workers) : NULL, &err);
    if (result == -EBADMSG) simulation_fail(s, result);
    if (result < 0) *(s->failed ? s->err : file_error) = err;
    return result == 0;
}

// All cycles passed have been shown. What a worker found comes before what ended the run: it is of an earlier cycle.
static void drain(struct simulation *s) {
    int result = s->feed ? feed_finish(s->feed, s->err) : 0;
    if (result < 0) simulation_fail(s, result);
    struct error err; // what failed first is said
    result = sampling_drain(s->sampling, s->failed ? &err : s->err);
    if (result < 0 && !s->failed) simulation_fail(s, result);
}

// A run that ends before anything is measured has empty accounts.
static void begin_at_end(struct simulation *s, uint64_t cycles) {
    if (region_stage(s->region) >= REGION_COUNTS || s->failed) return;
    region_empty(s->region, cycles);
    struct region_edge *begin = region_edge(s->region, REGION_BEGIN);
    begin->instructions = s->api->instructions(s->model);
    begin->memory = soc_memory_counts(s->soc);
    int result = workers_begin(s->workers, cycles, s->err);
    if (result < 0) simulation_fail(s, result);
}

static void settle_stores(struct simulation *s) {
    if (s->failed) return;
    const struct memory_event event = {
        .kind = MEMORY_SETTLED, .tick = s->api->cycles(s->model), .cut = !host_exited(s->host)};
    if (!host_exited(s->host) || host_settle(s->host, s->api, s->model)) {
        if (host_stage(s->host) == HOST_SETTLES && s->options->dumps) s->api->tell_dirty(s->model);
        const int result = s->failed ? 0 : workers_memory(s->workers, &event, s->err);
        if (result < 0) simulation_fail(s, result);
        return;
    }
    error_set(s->err, "%s: has ended, but a store from before its end is never done", s->program);
    simulation_fail(s, -ETIMEDOUT);
}

// What is to be said where nothing was measured that was to be; false: something was.
static bool nothing_measured(const struct simulation *s, const struct summary *summary) {
    const struct simulation_options *o = s->options;
    const enum region_stage stage = region_stage(s->region);
    if (s->failed) return false;
    if (stage == REGION_LOADS) {
        error_set(s->err,
                  "%s: the run ended before the restored program's first instruction: nothing was measured: choose a "
                  "larger --max-cycles",
                  summary->program);
        return true;
    }
    if (o->sample_from && (stage < REGION_COUNTS || summary->cycles == 0)) {
        error_set(s->err, "%s: the run %s --sample-from %s: nothing was measured: choose an earlier one%s",
                  summary->program, stage >= REGION_COUNTS ? "came to --sample-to before" : "ended before",
                  o->sample_from, stage >= REGION_COUNTS ? ", or a later --sample-to" : "");
        return true;
    }
    if (stage < REGION_COUNTS) {
        error_set(s->err,
                  "%s: the run ended after %llu instructions, within --warmup %llu: nothing was measured: choose a "
                  "smaller one",
                  summary->program, (unsigned long long)region_warmed(s->region), (unsigned long long)o->warmup);
        return true;
    }
    if (!s->writer || o->samples_temporary || summary->sampling.samples || sampling_instructions(s->sampling))
        return false;
    error_set(s->err, "%s: holds no samples: the run had %llu cycles: choose a --period shorter than %llu", o->samples,
              (unsigned long long)summary->cycles, (unsigned long long)o->sampling.period);
    return true;
}

int simulation_finish(struct simulation *s, double seconds) {
    uint64_t cycles = s->api->cycles(s->model);
    fflush(stdout); // in a log, what the program printed stands before what is said of it
    if (!s->failed && !dpi_finish(s->dpi, cycles)) {
        error_set(s->err, "the model left out a cycle in which something happened: the monitor and the core disagree");
        simulation_fail(s, -EBADMSG);
    }
    if ((s->tell_memory || s->options->dumps) && !s->failed) {
        s->api->tell_dirty(s->model);
        if (s->ideal) ideal_tell_written(s->ideal, s->client.dirty_line, s);
    }
    const struct region_edge *begin = region_edge(s->region, REGION_BEGIN), *end = region_edge(s->region, REGION_END);
    const bool ended = region_stage(s->region) >= REGION_OVER;
    if (!ended) simulation_read_counters(s);
    drain(s);
    begin_at_end(s, cycles);
    if (s->ideal && !s->failed && ideal_finish(s->ideal, s->err) < 0) simulation_fail(s, -EBADMSG);
    int sampled = s->failed ? 0 : sampling_finish(s->sampling, s->api, s->model, cycles, s->err);
    if (sampled < 0) simulation_fail(s, sampled);
    struct summary summary = {
        .config = &s->config,
        .program = simulation_named_program(s),
        .cycles = (ended ? end->cycle : cycles) - begin->cycle,
        .instructions = (ended ? end->instructions : s->api->instructions(s->model)) - begin->instructions,
        .seconds = seconds,
        .from_cycle = begin->cycle,
        .from_instruction = begin->instructions,
        .to_cycle = ended ? end->cycle : 0,
        .memory = memory_counts_since(ended ? end->memory : soc_memory_counts(s->soc), begin->memory),
        .sampling = sampling_counts(s->sampling),
        .counters = &s->counters,
        .ideal = s->ideal,
        .workers = s->workers,
        .transfers = s->transfers,
        .exited = host_exited(s->host),
        .exit_code = host_code(s->host),
        .limit = ended                             ? "--sample-to"
                 : cycles < s->options->max_cycles ? "--max-insns"
                                                   : "--max-cycles",
        .interrupted = halt_signal() != 0,
        .failed = s->failed,
    };
    settle_stores(s);
    int result = s->failed ? 0 : workers_finish(s->workers, cycles, s->err);
    if (result < 0) {
        workers_explain(s->workers, stderr);
        simulation_fail(s, result);
    }
    fflush(stdout);
    simulation_keep_failure(s);
    struct error file_error = {""};
    bool dumped = write_dumps(s, &file_error);
    int status = s->failed ? s->failure : host_exited(s->host) ? htif_status(host_code(s->host)) : EXIT_CYCLES;
    if (halt_signal() && !s->failed && !host_exited(s->host)) status = 128 + halt_signal();
    if (s->options->note) *s->options->note = soc_note(s->soc);
    bool empty = nothing_measured(s, &summary);
    if (empty && (status == 0 || status == EXIT_CYCLES)) status = EXIT_USAGE;
    summary.status = status;
    summary.failed = s->failed;
    bool written =
        summary_write_files(&summary, s->writer, s->options->stats, s->options->profile, &file_error) && dumped;
    s->writer = NULL; // closed by summary_write_files
    if (!s->options->quiet) summary_print(&summary, stderr);
    if (!written && !s->failed) {
        *s->err = file_error;
        return EXIT_OUTPUT;
    }
    return status;
}
