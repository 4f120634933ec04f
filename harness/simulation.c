// The run loop. The model runs many cycles a call; what needs the model itself (reading a sample, ending) is noted by
// the callbacks, which stop the call, and done here between two cycles.
#include "harness/simulation.h"
#include "harness/checks.h"
#include "harness/model_load.h"
#include "harness/sampler.h"
#include "harness/soc.h"
#include "harness/summary.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct simulation {
    const struct simulation_options *options;
    struct machine_config config;
    struct image *image;
    struct soc *soc;
    struct checks *checks;
    struct sampler *sampler;
    struct event_counters counters;
    struct samples_writer *writer;
    const struct model_api *api;
    struct model *model;
    FILE *input; // what the UART receives, or NULL
    struct dpi_client client;
    const struct trace_cycle *last; // told last; valid inside callbacks
    bool exited, failed, sample_ready;
    uint64_t tohost;
    struct error *err;
};

// Written by the signal handler and by the callbacks: the model polls it after every cycle.
static volatile int stop_model;
static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
    interrupted = number;
    stop_model = 1;
}

// ---- callbacks from the model's clock edge ----
static void on_line_read(void *context, int port, unsigned id, uint64_t addr) {
    soc_line_read(((struct simulation *)context)->soc, port, id, addr);
}
static void on_line_write(void *context, int port, uint64_t addr, const uint64_t data[8]) {
    (void)port;
    soc_line_write(((struct simulation *)context)->soc, addr, data);
}
static void on_device_request(void *context, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    soc_device_request(((struct simulation *)context)->soc, write, bytes, addr, data);
}
static uint32_t on_tick(void *context, uint64_t *mtime) {
    return soc_tick(((struct simulation *)context)->soc, mtime);
}
static void on_line_data(void *context, int port, uint64_t data[8]) {
    soc_line_data(((struct simulation *)context)->soc, port, data);
}
static uint64_t on_device_data(void *context) {
    return soc_device_data(((struct simulation *)context)->soc);
}

static void fail(struct simulation *s) {
    s->failed = true;
    stop_model = 1;
}

static void on_cycle(void *context, const struct trace_cycle *cycle) {
    struct simulation *s = context;
    s->last = cycle;
    if (s->failed) return;
    if (checks_cycle(s->checks, cycle, 1, s->err) < 0) fail(s);
    if (s->sampler && sampler_waits(s->sampler)) sampler_cycle(s->sampler, cycle->cycle, &cycle->bundle);
}

static void on_quiet(void *context, const struct trace_cycle *cycle, uint64_t count) {
    struct simulation *s = context;
    if (!s->failed && checks_cycle(s->checks, cycle, count, s->err) < 0) fail(s);
}

static void on_trigger(void *context, uint64_t cycle, bool taken) {
    struct simulation *s = context;
    if (s->failed || !s->sampler || !s->last) return;
    struct commit_bundle bundle = s->last->bundle;
    if (s->last->cycle != cycle) bundle.dispatch_valid = 0; // an untold cycle: quiet
    if (sampler_trigger(s->sampler, cycle, taken, &s->last->select, &bundle, s->err) < 0) fail(s);
    checks_sample(s->checks, cycle);
}

static void on_sample(void *context, uint64_t cycle) {
    struct simulation *s = context;
    (void)cycle;
    s->sample_ready = true;
    stop_model = 1;
}

static void on_tohost(void *context, uint64_t data) {
    struct simulation *s = context;
    if (!(data & 1) || s->exited) return; // HTIF: bit 0 ends the program, other commands are not served
    s->tohost = data;
    s->exited = true;
    stop_model = 1;
}

// ---- set-up ----
static int open_files(struct simulation *s) {
    const struct simulation_options *o = s->options;
    if (!o->samples) return 0;
    struct samples_header header = {.clock_mhz = s->config.clock_mhz,
                                    .width = s->config.width,
                                    .units = machine_config_units(&s->config),
                                    .period = o->period,
                                    .jitter_bits = o->jitter_bits,
                                    .seed = o->seed,
                                    .vectors = s->config.tea       ? SAMPLES_VECTORS_COMMIT
                                               : s->config.vectors ? SAMPLES_VECTORS_SAMPLE
                                                                   : SAMPLES_VECTORS_NONE,
                                    .event_count = EVENT_COUNT};
    static const char *const events[] = {EVENT_NAMES};
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        snprintf(header.events[i], sizeof header.events[i], "%s", events[i]);
    snprintf(header.config, sizeof header.config, "%s", s->config.name);
    snprintf(header.program, sizeof header.program, "%s", o->program);
    snprintf(header.build_id, sizeof header.build_id, "%s", image_build_id(s->image));
    snprintf(header.command, sizeof header.command, "%s", o->command);
    s->writer = samples_create(o->samples, &header, s->err);
    return s->writer ? 0 : -EIO;
}

static bool set_up(struct simulation *s) {
    const struct simulation_options *o = s->options;
    if (machine_config_load(&s->config, o->config_path, s->err) < 0) return false;
    if (o->count) s->counters = *o->count;
    if (event_counters_assign(&s->counters, &s->config, o->period != 0, s->err) < 0) return false;
    if (!(s->image = image_load(o->program, s->err))) return false;
    if (!(s->api = model_load(o->model_path, s->err))) return false;
    if (o->input && !(s->input = fopen(o->input, "rb"))) {
        error_set(s->err, "%s: cannot open: %s: name another file", o->input, strerror(errno));
        return false;
    }
    if (!(s->soc = soc_create(&s->config, stdout, s->input, s->err)) || soc_load(s->soc, s->image, s->err) < 0)
        return false;
    if (o->dumps && memory_dumps_resolve(o->dumps, s->image, s->soc, s->err) < 0) return false;
    struct checks_options checks = {.config = &s->config,
                                    .image = s->image,
                                    .program = o->program,
                                    .command = o->command,
                                    .cosim = o->cosim,
                                    .oracle = o->oracle,
                                    .trace = o->trace,
                                    .trace_format = o->trace_format,
                                    .kanata = o->kanata,
                                    .trace_from = o->trace_from,
                                    .trace_to = o->trace_to};
    if (!(s->checks = checks_create(&checks, s->err)) || open_files(s) < 0) return false;
    if (o->period || o->follow_program) {
        struct sampler_options sampler = {o->period,       o->jitter_bits,    o->seed, s->config.sample_counter,
                                          s->config.width, s->config.tea != 0};
        if (!(s->sampler = sampler_create(&sampler, s->writer, s->err))) return false;
    }
    s->client = (struct dpi_client){
        .context = s,
        .options = checks_dpi_options(s->checks) | (s->sampler ? DPI_BUNDLE | DPI_SELECT : 0),
        .tohost_address = image_symbol(s->image, "tohost", 0),
        .line_read = on_line_read,
        .line_write = on_line_write,
        .device_request = on_device_request,
        .tick = on_tick,
        .line_data = on_line_data,
        .device_data = on_device_data,
        .cycle = on_cycle,
        .quiet = on_quiet,
        .trigger = on_trigger,
        .sample = on_sample,
        .tohost = on_tohost,
    };
    dpi_attach(&s->client);
    s->model = s->api->create(o->fst != NULL, o->seed);
    if (!s->model || (s->sampler && sampler_start(s->sampler, s->api, s->model, s->err) < 0)) return false;
    return event_counters_start(&s->counters, s->api, s->model, s->err) == 0;
}

// ---- the loop ----
static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void progress(struct simulation *s, double started) {
    double seconds = seconds_now() - started;
    uint64_t cycles = s->api->cycles(s->model), instructions = s->api->instructions(s->model);
    fprintf(stderr, "\r%12llu cycles  %8.1f kHz  IPC %5.3f ", (unsigned long long)cycles,
            (double)cycles / seconds / 1e3, cycles ? (double)instructions / (double)cycles : 0.0);
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// Cycles to run in one go from `now` on: up to where something has to be done.
static uint64_t next_stop(const struct simulation *s, uint64_t now) {
    const struct simulation_options *o = s->options;
    enum { GO = 16384 }; // between two looks at the clock
    uint64_t until = smaller(now + GO, o->max_cycles);
    if (o->fst && now < o->fst_from) until = smaller(until, o->fst_from);
    if (o->fst && now <= o->fst_to && o->fst_to < UINT64_MAX) until = smaller(until, o->fst_to + 1);
    return until - now;
}

static void loop(struct simulation *s, double started) {
    const struct simulation_options *o = s->options;
    bool show = !o->quiet && isatty(STDERR_FILENO), dumping = false;
    double shown = started;
    while (!s->failed && !s->exited && !interrupted) {
        uint64_t now = s->api->cycles(s->model);
        if (now >= o->max_cycles) break;
        if (o->fst && !dumping && now >= o->fst_from && now <= o->fst_to) {
            s->api->dump_open(s->model, o->fst);
            dumping = true;
        } else if (dumping && now > o->fst_to) {
            s->api->dump_close(s->model);
            dumping = false;
        }
        s->api->run(s->model, next_stop(s, now), &stop_model);
        stop_model = 0;
        if (s->api->failed(s->model)) {
            error_set(s->err, "the model failed at cycle %llu: see the assertion above",
                      (unsigned long long)s->api->cycles(s->model));
            s->failed = true;
        }
        if (s->sample_ready && !s->failed) {
            s->sample_ready = false;
            if (s->sampler && sampler_collect(s->sampler, s->api, s->model, s->err) < 0) s->failed = true;
        }
        double time = show ? seconds_now() : 0;
        if (show && time - shown > 0.5) {
            progress(s, started);
            shown = time;
        }
    }
    if (show) fprintf(stderr, "\r%60s\r", "");
    if (dumping) s->api->dump_close(s->model);
}

// What a run that was cut short leaves is not compared. A file that cannot be written is no difference.
static bool write_dumps(struct simulation *s, struct error *file_error) {
    if (!s->options->dumps || s->failed) return true;
    struct error err;
    int result = memory_dumps_write(s->options->dumps, s->soc, s->exited ? checks_iss(s->checks) : NULL, &err);
    s->failed = result == -EBADMSG;
    if (result < 0) *(s->failed ? s->err : file_error) = err;
    return result == 0;
}

static int finish(struct simulation *s, double seconds) {
    uint64_t cycles = s->api->cycles(s->model);
    if (!s->failed && !dpi_finish(cycles)) {
        error_set(s->err, "the model left out a cycle in which something happened: the monitor and the core disagree");
        s->failed = true;
    }
    event_counters_read(&s->counters, s->api, s->model);
    if (!s->failed && s->sampler && sampler_finish(s->sampler, s->api, s->model, cycles, s->err) < 0) s->failed = true;
    struct summary summary = {
        .config = &s->config,
        .program = s->options->program,
        .cycles = cycles,
        .instructions = s->api->instructions(s->model),
        .seconds = seconds,
        .memory = soc_memory_counts(s->soc),
        .sampling = s->sampler ? sampler_counts(s->sampler) : (struct sampler_counts){0},
        .counters = &s->counters,
        .exited = s->exited,
        .exit_code = s->tohost >> 1,
        .interrupted = interrupted != 0,
        .failed = s->failed,
    };
    if (!s->failed && checks_finish(s->checks, cycles, s->err) < 0) s->failed = true;
    struct error file_error = {""};
    bool dumped = write_dumps(s, &file_error);
    summary.checks = checks_counts(s->checks);
    summary.cosim = s->options->cosim;
    summary.oracle = s->options->oracle;
    int status = s->failed ? EXIT_DIFFERENCE : s->exited ? (int)(s->tohost >> 1 & 0xff) : EXIT_CYCLES;
    if (interrupted && !s->failed && !s->exited) status = 128 + interrupted;
    summary.status = status;
    summary.failed = s->failed;
    bool written =
        summary_write_files(&summary, s->checks, s->writer, s->options->stats, s->options->profile, &file_error) &&
        dumped;
    s->writer = NULL; // closed by summary_write_files
    if (!s->options->quiet) summary_print(&summary, stderr);
    if (!written && !s->failed) {
        *s->err = file_error;
        return EXIT_USAGE;
    }
    return status;
}

static void tear_down(struct simulation *s) {
    if (s->model) s->api->destroy(s->model);
    dpi_detach();
    sampler_destroy(s->sampler);
    samples_abandon(s->writer);
    checks_destroy(s->checks);
    soc_destroy(s->soc);
    if (s->input) fclose(s->input);
    image_destroy(s->image);
}

int simulation_run(const struct simulation_options *options, struct error *err) {
    struct simulation s = {.options = options, .err = err};
    int status = EXIT_USAGE;
    interrupted = 0;
    stop_model = 0;
    if (set_up(&s)) {
        struct sigaction action = {.sa_handler = on_signal}, old_int, old_term;
        sigaction(SIGINT, &action, &old_int);
        sigaction(SIGTERM, &action, &old_term);
        double started = seconds_now();
        loop(&s, started);
        status = finish(&s, seconds_now() - started);
        sigaction(SIGINT, &old_int, NULL);
        sigaction(SIGTERM, &old_term, NULL);
        fflush(stdout);
    }
    tear_down(&s);
    return status;
}
