// Makes what a run is made of, up to the model's first cycle, and takes it down again.
#include "base/cpus.h"
#include "base/memory_size.h"
#include "base/paths.h"
#include "harness/simulation_internal.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool simulation_outputs_creatable(struct simulation *s) {
    const struct simulation_options *o = s->options;
    const char *const paths[] = {o->samples, o->stats, o->profile, o->fst,
                                 o->failure_asked ? o->failure_checkpoint : NULL};
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

// Under an operating system the program to name is the one that runs on it.
const char *simulation_named_program(const struct simulation *s) {
    const struct guest_image *program = guest_images_program(&s->origin.images);
    return program ? program->path : s->program;
}

static int open_files(struct simulation *s) {
    const struct simulation_options *o = s->options;
    if (!o->samples) return 0;
    struct samples_header header = {.clock_mhz = s->config.clock_mhz,
                                    .width = s->config.width,
                                    .units = machine_config_units(&s->config),
                                    .sampling = o->sampling,
                                    .vectors = s->config.tea       ? SAMPLES_VECTORS_COMMIT
                                               : s->config.vectors ? SAMPLES_VECTORS_SAMPLE
                                                                   : SAMPLES_VECTORS_NONE,
                                    .event_count = EVENT_COUNT};
    static const char *const events[] = {EVENT_NAMES};
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        snprintf(header.events[i], sizeof header.events[i], "%s", events[i]);
    snprintf(header.config, sizeof header.config, "%s", s->config.name);
    header.images = s->origin.images;
    snprintf(header.program, sizeof header.program, "%s", simulation_named_program(s));
    char real[PATH_MAX];
    if (realpath(simulation_named_program(s), real)) snprintf(header.real_path, sizeof header.real_path, "%s", real);
    if (o->sample_from || o->sample_to)
        snprintf(header.region, sizeof header.region, "%s%s%s%s%s", o->sample_from ? "from " : "",
                 o->sample_from ? o->sample_from : "", o->sample_from && o->sample_to ? " " : "",
                 o->sample_to ? "up to " : "", o->sample_to ? o->sample_to : "");
    snprintf(header.settings, sizeof header.settings, "%s", s->config.settings);
    const struct guest_image *guest = guest_images_program(&s->origin.images);
    snprintf(header.build_id, sizeof header.build_id, "%s", guest ? guest->build_id : image_build_id(s->image));
    snprintf(header.digest, sizeof header.digest, "%s", guest ? guest->digest : image_digest(s->image));
    snprintf(header.command, sizeof header.command, "%s", o->typed ? o->typed : o->command);
    s->writer = samples_create(o->samples, &header, s->err);
    return s->writer ? 0 : -EIO;
}

// What is asked of the core, and it does not have.
static bool unknown(struct simulation *s) {
    s->failure = EXIT_USAGE;
    return false;
}

// In the order of the cycles: all before this one have been told.
static bool tell_counters(struct simulation *s, bool read) {
    const uint64_t now = s->api->cycles(s->model);
    struct counter_event event;
    int result = 0;
    if (s->feed && s->counters.count) dpi_finish(s->dpi, now);
    for (unsigned i = 0; s->feed && result == 0 && event_counters_event(&s->counters, i, read, now, &event); i++)
        result = feed_counter(s->feed, &event, s->err);
    if (result < 0) simulation_fail(s, result);
    return result == 0;
}

void simulation_read_counters(struct simulation *s) {
    event_counters_read(&s->counters, s->api, s->model);
    if (!s->failed) tell_counters(s, true);
}

bool simulation_start_counting(struct simulation *s) {
    const uint64_t begin = region_edge(s->region, REGION_BEGIN)->cycle;
    if (sampling_start(s->sampling, s->api, s->model, begin, s->err) < 0) return false;
    if (event_counters_start(&s->counters, s->api, s->model, s->err) < 0 || !tell_counters(s, false)) return false;
    return !s->transfers || transfer_stacks_start(s->transfers, s->api, s->model, s->err);
}

// Whose stacks of transfers a collection is to have.
static bool take_transfers(struct simulation *s) {
    const struct collection *wanted = workers_collection(s->workers);
    if (!wanted || wanted->source != COLLECTION_UNIT) return true;
    s->transfers = transfer_stacks_create(wanted, s->config.ctr_depth, s->err);
    return s->transfers || unknown(s);
}

// A core of others may have a memory map of its own.
static bool has_memory(struct simulation *s) {
    char size[MEMORY_SIZE_TEXT];
    if (s->memory_asked || s->memory == DRAM_BYTES) return true;
    error_set(s->err, "%s: a model whose memory has %s, always: omit --memory, or name another model",
              s->options->model_path, memory_size_text(DRAM_BYTES, size));
    return unknown(s);
}

bool simulation_set_up(struct simulation *s) {
    const struct simulation_options *o = s->options;
    const struct console console = host_console(s->host);
    if (!(s->soc = soc_create(&s->config, s->memory, &console, s->err))) return unknown(s);
    if (soc_load(s->soc, s->image, s->err) < 0) return false;
    if (s->devices) soc_restore(s->soc, s->devices, &console);
    if (o->dumps && memory_dumps_resolve(o->dumps, s->image, s->soc, s->err) < 0) return unknown(s);
    struct workers_options workers = simulation_workers(s);
    if (!(s->workers = workers_create(&workers, s->err)) || open_files(s) < 0) return false;
    if (!take_transfers(s)) return false;
    const struct sampling_options sampling = {&o->sampling, o->profileme, &s->config, simulation_hart_id(s),
                                              workers_stacks(s->workers) != NULL};
    if (!(s->sampling = sampling_create(&sampling, s->writer, s->err))) return false;
    uint32_t parts = ideal_parts(&s->config);
    if (parts && !(s->ideal = ideal_create(parts, s->soc, s->image, &workers.run.core, s->err))) return false;
    s->tell_memory = workers_want_memory(s->workers);
    s->lines = UINT32_MAX; // to be passed in the first tick
    bool thread = o->threads ? o->threads > 1 : cpus_available() > 1;
    if (workers_dpi_options(s->workers) && !(s->feed = feed_create(s->workers, FEED_ENTRIES, thread, s->err)))
        return false;
    if (s->feed && sampling_in_time(s->sampling)) feed_on_shown(s->feed, simulation_take_stacks, s);
    consumers_choose(s);
    s->client = simulation_client(s);
    if (o->platform) {
        s->driven = *s->api;
        s->api = &s->driven;
        o->platform->connect(o->platform->context, s->config.clock_mhz, &s->driven, &s->client);
    }
    if (!(s->dpi = dpi_create(&s->client, s->err))) return false;
    dpi_enter(s->dpi);
    s->model = s->api->create(o->fst != NULL, o->sampling.seed);
    if (s->model) s->api->set_hart_id(s->model, simulation_hart_id(s));
    if (!s->model || !has_memory(s)) return false;
    return region_stage(s->region) < REGION_COUNTS || simulation_start_counting(s) ||
           unknown(s); // its unit is not what it should be
}

void simulation_tear_down(struct simulation *s) {
    if (s->model) s->api->destroy(s->model);
    dpi_destroy(s->dpi);
    sampling_destroy(s->sampling);
    transfer_stacks_destroy(s->transfers);
    samples_abandon(s->writer);
    feed_destroy(s->feed);
    workers_destroy(s->workers);
    ideal_destroy(s->ideal);
    region_destroy(s->region);
    waveforms_destroy(s->waveforms);
    search_destroy(s->search);
    soc_destroy(s->soc);
    free(s->devices);
    host_destroy(s->host);
    image_destroy(s->image);
}
