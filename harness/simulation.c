// The run loop. The model runs many cycles a call; what needs the model itself (reading a sample, ending) is noted by
// the callbacks, which stop the call, and done here between two cycles.
#include "harness/simulation.h"
#include "base/htif.h"
#include "base/paths.h"
#include "base/place.h"
#include "harness/model_load.h"
#include "harness/sampler.h"
#include "harness/soc.h"
#include "harness/summary.h"
#include "iss/checkpoint.h"
#include "iss/resume.h"
#include "memory_map.h"
#include "workers/workers.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct simulation {
    const struct simulation_options *options;
    struct machine_config config;
    struct image *image;
    const char *program;             // its path
    struct checkpoint_origin origin; // with --restore:
    struct resume_devices *devices;  // what it has beside image
    struct soc *soc;
    struct workers *workers;
    struct sampler *sampler;
    struct event_counters counters;
    struct samples_writer *writer;
    const struct model_api *api;
    struct model *model;
    FILE *input; // what the UART receives, or NULL
    struct dpi_client client;
    const struct trace_cycle *last; // told last; valid inside callbacks
    struct htif htif;
    bool failed, sample_ready;
    int failure;      // where it failed: the exit status
    bool begun;       // time counts; not yet while a checkpoint's state is loaded
    uint64_t begin;   // the first cycle that does
    uint64_t before;  // instructions before it
    bool begins;      // it was told now: what samples and counts is to be started
    unsigned first;   // instructions that committed in it
    bool tell_memory; // some worker wants to know what passes between core and machine
    uint32_t lines;   // interrupt lines as told last
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
// The run is over, with the exit status that a result < 0 stands for: -EBADMSG, a difference; -ETIMEDOUT, no progress;
// -ENOMEM, bad luck with the machine; all else is an output that could not be written.
static void fail(struct simulation *s, int result) {
    bool difference = result == -EBADMSG || result == -EAGAIN || result == -EINVAL; // the last two: of a sample read
    s->failed = true;
    s->failure = difference             ? EXIT_DIFFERENCE
                 : result == -ETIMEDOUT ? EXIT_NO_PROGRESS
                 : result == -ENOMEM    ? EXIT_USAGE
                                        : EXIT_OUTPUT;
    stop_model = 1;
}

// What passes between core and machine, for the workers that want to know.
static void tell(struct simulation *s, const struct memory_event *event) {
    if (s->failed) return;
    int result = workers_memory(s->workers, event, s->err);
    if (result < 0) fail(s, result);
}

static void on_line_read(void *context, int port, unsigned id, uint64_t addr) {
    struct simulation *s = context;
    soc_line_read(s->soc, port, id, addr);
    if (!s->tell_memory) return;
    tell(s, &(struct memory_event){
                .kind = MEMORY_READ, .tick = soc_ticks(s->soc) + 1, .port = port, .id = id, .address = addr});
}

static void on_line_write(void *context, int port, uint64_t addr, const uint64_t data[8]) {
    struct simulation *s = context;
    soc_line_write(s->soc, addr, data);
    if (!s->tell_memory) return;
    tell(s, &(struct memory_event){
                .kind = MEMORY_WRITE, .tick = soc_ticks(s->soc) + 1, .port = port, .address = addr, .data = data});
}

static void on_device_request(void *context, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    struct simulation *s = context;
    soc_device_request(s->soc, write, bytes, addr, data);
    s->lines = UINT32_MAX; // to be told again
    const struct finisher *finisher = soc_finisher(s->soc);
    if (!finisher->ended || s->failed) return;
    stop_model = 1;
    if (!finisher->reset) {
        htif_end(&s->htif, finisher->status);
        return;
    }
    error_set(s->err, "%s: " FINISHER_RESET_TEXT, s->program);
    s->failed = true;
    s->failure = EXIT_NO_PROGRESS;
}

static void tell_tick(struct simulation *s, uint32_t code) {
    enum { LINES = TICK_MSIP | TICK_MTIP | TICK_MEIP | TICK_SEIP };
    uint64_t tick = soc_ticks(s->soc);
    if (code & TICK_INSN_RESPONSE)
        tell(s, &(struct memory_event){.kind = MEMORY_RESPONSE,
                                       .tick = tick,
                                       .port = DPI_PORT_INSN,
                                       .id = code >> TICK_INSN_ID & 31,
                                       .llc_miss = code & TICK_INSN_LLC_MISS});
    if (code & TICK_DATA_RESPONSE)
        tell(s, &(struct memory_event){.kind = MEMORY_RESPONSE,
                                       .tick = tick,
                                       .port = DPI_PORT_DATA,
                                       .id = code >> TICK_DATA_ID & 31,
                                       .llc_miss = code & TICK_DATA_LLC_MISS});
    if ((code & LINES) == s->lines) return;
    s->lines = code & LINES;
    tell(s, &(struct memory_event){.kind = MEMORY_LINES, .tick = tick, .lines = s->lines, .timer = soc_timer(s->soc)});
}

static uint32_t on_tick(void *context, uint64_t *mtime) {
    struct simulation *s = context;
    uint64_t address;
    uint32_t code = soc_tick(s->soc, mtime);
    if (s->tell_memory) tell_tick(s, code);
    if (htif_waits(&s->htif)) htif_tick(&s->htif, soc_ticks(s->soc));
    if (htif_wants(&s->htif, &address)) code |= TICK_HOST;
    if (s->htif.exited || s->htif.refused) stop_model = 1;
    return code;
}

static void on_line_data(void *context, int port, uint64_t data[8]) {
    soc_line_data(((struct simulation *)context)->soc, port, data);
}
static uint64_t on_device_data(void *context) {
    return soc_device_data(((struct simulation *)context)->soc);
}

// Time begins to count with the first cycle in which an instruction of the restored program is the oldest.
static void look_for_begin(struct simulation *s, const struct trace_cycle *cycle) {
    const struct commit_bundle *b = &cycle->bundle;
    if (b->rob_empty || (b->priv == MODE_MACHINE && resume_is_rom(b->pc[b->oldest]))) return;
    s->begun = true;
    s->begin = cycle->cycle;
    s->begins = true;
    s->first = (unsigned)__builtin_popcount(b->commit & (b->first | 1u << b->oldest));
    int result = workers_begin(s->workers, cycle->cycle, s->err);
    if (result < 0) fail(s, result);
    stop_model = 1;
}

static void on_cycle(void *context, const struct trace_cycle *cycle) {
    struct simulation *s = context;
    s->last = cycle;
    if (s->failed) return;
    if (!s->begun) look_for_begin(s, cycle);
    int result = workers_cycle(s->workers, cycle, 1, s->err);
    if (result < 0) fail(s, result);
    if (s->sampler && sampler_waits(s->sampler)) sampler_cycle(s->sampler, cycle->cycle, &cycle->bundle);
}

static void on_quiet(void *context, const struct trace_cycle *cycle, uint64_t count) {
    struct simulation *s = context;
    int result = s->failed ? 0 : workers_cycle(s->workers, cycle, count, s->err);
    if (result < 0) fail(s, result);
}

static void on_trigger(void *context, uint64_t cycle, bool taken) {
    struct simulation *s = context;
    if (s->failed || !s->sampler || !s->last) return;
    struct commit_bundle bundle = s->last->bundle;
    if (s->last->cycle != cycle) bundle.dispatch_valid = 0; // an untold cycle: quiet
    int result = sampler_trigger(s->sampler, cycle, taken, &s->last->select, &bundle, s->err);
    if (result < 0) fail(s, result);
    workers_sample(s->workers, cycle);
}

static void on_sample(void *context, uint64_t cycle) {
    struct simulation *s = context;
    (void)cycle;
    s->sample_ready = true;
    stop_model = 1;
}

static void on_tohost(void *context, uint64_t addr, unsigned bytes, uint64_t data) {
    struct simulation *s = context;
    htif_store(&s->htif, addr, bytes, data, soc_ticks(s->soc));
    if (s->htif.exited || s->htif.refused) stop_model = 1;
}

static uint64_t on_host_address(void *context) {
    uint64_t address = 0;
    return htif_wants(&((struct simulation *)context)->htif, &address) ? address : 0;
}

static bool on_host_access(void *context, bool cached, uint64_t *addr, uint64_t *word) {
    struct simulation *s = context;
    if (!htif_wants(&s->htif, addr)) return false;
    void *memory = soc_memory_at(s->soc, *addr, sizeof *word);
    if (!cached) *word = 0;
    if (!cached && memory) memcpy(word, memory, sizeof *word);
    bool write = htif_access(&s->htif, word) && memory;
    if (write) memcpy(memory, word, sizeof *word);
    return write;
}

// ---- set-up ----
// Under an operating system what is told of is its program.
static const char *named_program(const struct simulation *s) {
    const struct guest_image *program = guest_images_program(&s->origin.images);
    return program ? program->path : s->program;
}

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
    header.images = s->origin.images;
    snprintf(header.program, sizeof header.program, "%s", named_program(s));
    char real[PATH_MAX];
    if (realpath(named_program(s), real)) snprintf(header.real_path, sizeof header.real_path, "%s", real);
    snprintf(header.settings, sizeof header.settings, "%s", s->config.settings);
    const struct guest_image *guest = guest_images_program(&s->origin.images);
    snprintf(header.build_id, sizeof header.build_id, "%s", guest ? guest->build_id : image_build_id(s->image));
    snprintf(header.command, sizeof header.command, "%s", o->typed ? o->typed : o->command);
    s->writer = samples_create(o->samples, &header, s->err);
    return s->writer ? 0 : -EIO;
}

// Finds tohost. A program without it never ends by itself: somebody has to say when it shall.
static bool has_end(struct simulation *s) {
    uint64_t tohost, fromhost;
    if (htif_find(s->image, &tohost, &fromhost, s->err) < 0) return false;
    htif_reset(&s->htif, tohost, fromhost, stdout, NULL);
    if (s->devices) {
        s->htif = s->devices->htif;
        s->htif.out = stdout;
    }
    bool ends = tohost || image_symbol(s->image, FINISHER_SYMBOL, 0) == FINISHER_BASE;
    if (ends || s->options->max_cycles < UINT64_MAX) return true;
    error_set(
        s->err,
        "%s: has no symbol tohost, so that nothing ends the run: link one in (docs/workloads.md), or give --max-cycles",
        s->program);
    return false;
}

static struct workers_options workers_options(const struct simulation *s) {
    const struct simulation_options *o = s->options;
    return (struct workers_options){
        .run = {.width = s->config.width,
                .rob_entries = s->config.rob_entries,
                .vectors = s->config.vectors,
                .fcsr_flush = s->config.fcsr_flush,
                .core = {.fp = s->config.fp, .pmp_entries = s->config.pmp_entries, .ad_update = s->config.ad_update},
                .image = s->image},
        .command = o->command,
        .lockstep = o->cosim,
        .oracle = o->oracle,
        .samples = o->period || o->follow_program,
        .requests = o->workers};
}

static bool load_program(struct simulation *s, const char *path) {
    s->program = path;
    return (s->image = image_load(path, s->err)) != NULL;
}

// The program with the checkpoint's memory, and code that leads to its state; devices as they were.
static bool take_checkpoint(struct simulation *s, struct iss *from) {
    const struct simulation_options *o = s->options;
    const struct machine_config *c = &s->config;
    enum { FAR = 10 * 1000 * 1000 };
    iss_set_console(from, stdout, s->input);
    iss_set_second_console(from, stderr);
    if (checkpoint_read(from, &s->origin, o->restore, s->err) < 0 ||
        !checkpoint_fits(from, c->fp, c->pmp_entries, c->ad_update, o->restore, s->err))
        return false;
    uint64_t advanced = resume_advance(from, FAR);
    if (advanced && !o->quiet)
        fprintf(stderr, "tipoff: %s: begins %" PRIu64 " instructions later, where a core can\n", o->restore, advanced);
    if (iss_exited(from, NULL)) {
        error_set(s->err, "%s: the program ends before a core can begin: make it earlier", o->restore);
        return false;
    }
    if (!load_program(s, o->program ? o->program : s->origin.program) ||
        !checkpoint_is_of(&s->origin, s->image, o->restore, s->err) || resume_image(from, s->image, s->err) < 0)
        return false;
    resume_devices(from, s->devices);
    return true;
}

static bool load_checkpoint(struct simulation *s) {
    struct iss *from = iss_create(s->err);
    s->devices = from ? calloc(1, sizeof *s->devices) : NULL;
    if (from && !s->devices) error_set(s->err, "checkpoint: out of memory: free some and run again");
    bool good = s->devices && take_checkpoint(s, from);
    iss_destroy(from);
    return good;
}

// Everything that is read, before anything is written.
static bool load(struct simulation *s) {
    const struct simulation_options *o = s->options;
    if (machine_config_load(&s->config, o->config_path, s->err) < 0) return false;
    for (size_t i = 0; i < o->set_count; i++) {
        if (machine_config_set(&s->config, o->set[i], s->err) < 0) return false;
    }
    if (o->count) s->counters = *o->count;
    if (event_counters_assign(&s->counters, &s->config, o->period != 0, s->err) < 0) return false;
    if (o->input && !(s->input = paths_open(o->input, s->err))) return false;
    if (!(o->restore ? load_checkpoint(s) : load_program(s, o->program)) || !has_end(s)) return false;
    if (!(s->api = model_load(o->model_path, &s->config, s->err))) return false;
    s->htif.in = s->input;
    struct workers_options workers = workers_options(s);
    return workers_check(&workers, s->err) == 0;
}

static bool outputs_creatable(const struct simulation *s) {
    const struct simulation_options *o = s->options;
    const char *const paths[] = {o->samples, o->stats, o->profile, o->fst};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i] && !paths_creatable(paths[i], s->err)) return false;
    }
    for (unsigned i = 0; o->dumps && i < o->dumps->count; i++) {
        if (!paths_creatable(o->dumps->list[i].path, s->err)) return false;
    }
    const char *path;
    for (size_t i = 0; (path = worker_requests_file(o->workers, i)); i++) {
        if (!paths_creatable(path, s->err)) return false;
    }
    return true;
}

// Samples and counts from now on.
static bool start_counting(struct simulation *s) {
    return (!s->sampler || sampler_start(s->sampler, s->api, s->model, s->begin, s->err) == 0) &&
           event_counters_start(&s->counters, s->api, s->model, s->err) == 0;
}

static bool set_up(struct simulation *s) {
    const struct simulation_options *o = s->options;
    const struct console console = {.out = stdout, .in = s->input, .out1 = stderr};
    if (!(s->soc = soc_create(&s->config, &console, s->err)) || soc_load(s->soc, s->image, s->err) < 0) return false;
    if (s->devices) soc_restore(s->soc, s->devices, &console);
    if (o->dumps && memory_dumps_resolve(o->dumps, s->image, s->soc, s->err) < 0) {
        s->failure = EXIT_USAGE;
        return false;
    }
    struct workers_options workers = workers_options(s);
    if (!(s->workers = workers_create(&workers, s->err)) || open_files(s) < 0) return false;
    if (o->period || o->follow_program) {
        struct sampler_options sampler = {o->period,       o->jitter_bits,    o->seed, s->config.sample_counter,
                                          s->config.width, s->config.tea != 0};
        if (!(s->sampler = sampler_create(&sampler, s->writer, s->err))) return false;
    }
    s->begun = !s->devices || o->from_reset;
    s->tell_memory = workers_want_memory(s->workers);
    s->client = (struct dpi_client){
        .context = s,
        .options =
            workers_dpi_options(s->workers) | (s->sampler ? DPI_BUNDLE | DPI_SELECT : 0) | (s->begun ? 0 : DPI_BUNDLE),
        .tohost_address = s->htif.tohost,
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
        .host_address = on_host_address,
        .host_access = on_host_access,
    };
    dpi_attach(&s->client);
    s->model = s->api->create(o->fst != NULL, o->seed);
    return s->model && (!s->begun || start_counting(s));
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

static void dump_failed(struct simulation *s, int fault) {
    if (fault == 0 || s->failed) return;
    error_set(s->err, "%s: cannot write waveforms: %s: choose another file, or free some space", s->options->fst,
              fault == -EINVAL ? "not a regular file" : strerror(-fault));
    s->failed = true;
    s->failure = EXIT_OUTPUT;
}

// Waveforms begin or end where the options say so. Returns whether they are being written.
static bool dump(struct simulation *s, bool dumping, uint64_t now) {
    const struct simulation_options *o = s->options;
    bool wanted = o->fst && now >= o->fst_from && now <= o->fst_to;
    if (wanted && !dumping) dump_failed(s, s->api->dump_open(s->model, o->fst));
    if (dumping && !wanted) dump_failed(s, s->api->dump_close(s->model));
    return wanted;
}

// What is due by the clock on the wall: the samples so far go to the file, so that a run that is killed loses a second.
static void once_a_second(struct simulation *s) {
    int result = s->writer && !s->failed ? samples_flush(s->writer, s->err) : 0;
    if (result < 0) fail(s, result);
    fflush(stdout);
}

static void loop(struct simulation *s, double started) {
    const struct simulation_options *o = s->options;
    bool show = !o->quiet && isatty(STDERR_FILENO), dumping = false;
    double shown = started, flushed = started;
    while (!s->failed && !s->htif.exited && !interrupted) {
        uint64_t now = s->api->cycles(s->model);
        if (now >= o->max_cycles) break;
        dumping = dump(s, dumping, now);
        if (!s->failed) s->api->run(s->model, next_stop(s, now), &stop_model);
        stop_model = 0;
        if (dumping) dump_failed(s, s->api->dump_fault(s->model));
        if (!s->failed) dpi_finish(s->api->cycles(s->model)); // what is quiet now is told now: a core may hang
        if (s->api->failed(s->model)) {
            error_set(s->err, "the model failed at cycle %llu: see the assertion above",
                      (unsigned long long)s->api->cycles(s->model));
            fail(s, -EBADMSG);
        }
        if (s->begins && !s->failed) {
            s->begins = false;
            s->before = s->api->instructions(s->model) - s->first;
            if (!start_counting(s)) fail(s, -EINVAL);
        }
        if (s->htif.refused && !s->failed) {
            htif_refusal(&s->htif, s->program, s->err);
            s->failed = true;
            s->failure = EXIT_USAGE;
        }
        if (s->sample_ready && !s->failed) {
            s->sample_ready = false;
            bool ended = s->htif.exited || interrupted || s->api->cycles(s->model) >= o->max_cycles;
            int result = s->sampler ? sampler_collect(s->sampler, s->api, s->model, ended, s->err) : 0;
            if (result < 0) fail(s, result);
        }
        double time = seconds_now();
        if (time - flushed > 1) {
            once_a_second(s);
            flushed = time;
        }
        if (show && time - shown > 0.5) {
            progress(s, started);
            shown = time;
        }
    }
    if (show) fprintf(stderr, "\r%60s\r", "");
    if (dumping) dump_failed(s, s->api->dump_close(s->model));
}

// What a run that was cut short leaves is not compared. A file that cannot be written is no difference.
static bool write_dumps(struct simulation *s, struct error *file_error) {
    if (!s->options->dumps || s->failed) return true;
    struct error err;
    int result = memory_dumps_write(s->options->dumps, s->soc, s->htif.exited ? workers_iss(s->workers) : NULL, &err);
    if (result == -EBADMSG) fail(s, result);
    if (result < 0) *(s->failed ? s->err : file_error) = err;
    return result == 0;
}

static int finish(struct simulation *s, double seconds) {
    uint64_t cycles = s->api->cycles(s->model);
    if (!s->failed && !dpi_finish(cycles)) {
        error_set(s->err, "the model left out a cycle in which something happened: the monitor and the core disagree");
        fail(s, -EBADMSG);
    }
    event_counters_read(&s->counters, s->api, s->model);
    int sampled = s->failed || !s->sampler ? 0 : sampler_finish(s->sampler, s->api, s->model, cycles, s->err);
    if (sampled < 0) fail(s, sampled);
    struct summary summary = {
        .config = &s->config,
        .program = named_program(s),
        .cycles = cycles - s->begin,
        .instructions = s->api->instructions(s->model) - s->before,
        .seconds = seconds,
        .memory = soc_memory_counts(s->soc),
        .sampling = s->sampler ? sampler_counts(s->sampler) : (struct sampler_counts){0},
        .counters = &s->counters,
        .workers = s->workers,
        .exited = s->htif.exited,
        .exit_code = s->htif.code,
        .interrupted = interrupted != 0,
        .failed = s->failed,
    };
    int result = s->failed ? 0 : workers_finish(s->workers, cycles, s->err);
    if (result < 0) fail(s, result);
    struct error file_error = {""};
    bool dumped = write_dumps(s, &file_error);
    int status = s->failed ? s->failure : s->htif.exited ? htif_status(s->htif.code) : EXIT_CYCLES;
    if (interrupted && !s->failed && !s->htif.exited) status = 128 + interrupted;
    bool empty = s->writer && !s->options->samples_temporary && !s->failed && summary.sampling.samples == 0;
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
    if (empty)
        error_set(s->err, "%s: holds no samples: the run had %llu cycles: choose a --period shorter than %llu",
                  s->options->samples, (unsigned long long)cycles, (unsigned long long)s->options->period);
    return status;
}

static void tear_down(struct simulation *s) {
    if (s->model) s->api->destroy(s->model);
    dpi_detach();
    sampler_destroy(s->sampler);
    samples_abandon(s->writer);
    workers_destroy(s->workers);
    soc_destroy(s->soc);
    free(s->devices);
    if (s->input) fclose(s->input);
    image_destroy(s->image);
}

int simulation_run(const struct simulation_options *options, struct error *err) {
    struct simulation s = {.options = options, .err = err};
    int status = EXIT_OUTPUT;
    interrupted = 0;
    stop_model = 0;
    if (!load(&s)) {
        status = EXIT_USAGE;
    } else if (!outputs_creatable(&s)) {
        status = EXIT_OUTPUT;
    } else if (set_up(&s)) {
        static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
        struct sigaction action = {.sa_handler = on_signal}, old[3];
        for (int i = 0; i < 3; i++)
            sigaction(numbers[i], &action, &old[i]);
        double started = seconds_now();
        loop(&s, started);
        status = finish(&s, seconds_now() - started);
        for (int i = 0; i < 3; i++)
            sigaction(numbers[i], &old[i], NULL);
    }
    if (s.failure && !s.model) status = s.failure;
    tear_down(&s);
    return status;
}
