// Makes what a run is made of, up to the model's first cycle, and takes it down again.
#include "base/cpus.h"
#include "base/memory_size.h"
#include "base/paths.h"
#include "harness/core.h"
#include "harness/core_internal.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool core_outputs_creatable(struct core *c) {
    const struct simulation_options *o = c->options;
    const char *const paths[] = {o->samples, o->stats,          o->profile,
                                 o->fst,     o->stats_together, o->failure_asked ? o->failure_checkpoint : NULL};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (paths[i] && !paths_creatable(paths[i], c->err)) return false;
    }
    for (unsigned i = 0; o->dumps && i < o->dumps->count; i++) {
        if (o->dumps->list[i].path && !paths_creatable(o->dumps->list[i].path, c->err)) return false;
    }
    const char *path;
    for (size_t i = 0; (path = worker_requests_file(o->workers, i)); i++) {
        if (!paths_creatable(path, c->err)) return false;
    }
    return true;
}

// Under an operating system the program to name is the one that runs on it.
const char *core_named_program(const struct core *c) {
    const struct guest_image *program = guest_images_program(&c->origin.images);
    return program ? program->path : c->program;
}

static int open_files(struct core *c) {
    const struct simulation_options *o = c->options;
    if (!o->samples) return 0;
    struct samples_header header = {.clock_mhz = c->config.clock_mhz,
                                    .width = c->config.width,
                                    .units = machine_config_units(&c->config),
                                    .sampling = o->sampling,
                                    .vectors = c->config.tea       ? SAMPLES_VECTORS_COMMIT
                                               : c->config.vectors ? SAMPLES_VECTORS_SAMPLE
                                                                   : SAMPLES_VECTORS_NONE,
                                    .event_count = machine_config_events(&c->config)};
    static const char *const events[] = {EVENT_NAMES};
    for (unsigned i = 0; i < header.event_count; i++)
        snprintf(header.events[i], sizeof header.events[i], "%s", events[i]);
    snprintf(header.config, sizeof header.config, "%s", c->config.name);
    header.images = c->origin.images;
    snprintf(header.program, sizeof header.program, "%s", core_named_program(c));
    char real[PATH_MAX];
    if (realpath(core_named_program(c), real)) snprintf(header.real_path, sizeof header.real_path, "%s", real);
    if (o->sample_from || o->sample_to)
        snprintf(header.region, sizeof header.region, "%s%s%s%s%s", o->sample_from ? "from " : "",
                 o->sample_from ? o->sample_from : "", o->sample_from && o->sample_to ? " " : "",
                 o->sample_to ? "up to " : "", o->sample_to ? o->sample_to : "");
    snprintf(header.settings, sizeof header.settings, "%s", c->config.settings);
    const struct guest_image *guest = guest_images_program(&c->origin.images);
    snprintf(header.build_id, sizeof header.build_id, "%s", guest ? guest->build_id : image_build_id(c->image));
    snprintf(header.digest, sizeof header.digest, "%s", guest ? guest->digest : image_digest(c->image));
    snprintf(header.command, sizeof header.command, "%s", o->typed ? o->typed : o->command);
    c->writer = samples_create(o->samples, &header, c->err);
    return c->writer ? 0 : -EIO;
}

// What is asked of the core, and it does not have.
static bool unknown(struct core *c) {
    c->failure = EXIT_USAGE;
    return false;
}

// In the order of the cycles: all before this one have been emitted.
static bool emit_counters(struct core *c, bool read) {
    const uint64_t now = c->api->cycles(c->model);
    struct counter_event event;
    int result = 0;
    if (c->feed && c->counters.count) dpi_finish(c->dpi, now);
    for (unsigned i = 0; c->feed && result == 0 && event_counters_event(&c->counters, i, read, now, &event); i++)
        result = feed_counter(c->feed, &event, c->err);
    if (result < 0) core_fail(c, result);
    return result == 0;
}

void core_read_counters(struct core *c) {
    event_counters_read(&c->counters, c->api, c->model);
    if (!c->failed) emit_counters(c, true);
}

// Of several harts, which have to stay within a turn of each other, one that begins in its midst has few cycles for it.
static bool prepare_counting(struct core *c) {
    return sampling_prepare(c->sampling, c->api, c->model, c->err) == 0 &&
           event_counters_prepare(&c->counters, c->api, c->model, c->err) == 0;
}

bool core_start_counting(struct core *c) {
    const uint64_t begin = region_edge(c->region, REGION_BEGIN)->cycle;
    if (sampling_start(c->sampling, c->api, c->model, begin, c->err) < 0) return false;
    if (event_counters_start(&c->counters, c->api, c->model, c->err) < 0 || !emit_counters(c, false)) return false;
    return !c->transfers || transfer_stacks_start(c->transfers, c->api, c->model, c->err);
}

// Whose stacks of transfers a collection is to have.
static bool take_transfers(struct core *c) {
    const struct worker_requests *r = c->options->workers;
    const struct worker_value *source = r ? worker_requests_value(r, "collections", "source") : NULL;
    if (!source || strcmp(source->text, "unit") != 0) return true;
    c->transfers =
        transfer_stacks_create((unsigned)worker_requests_value(r, "collections", "depth")->number,
                               worker_requests_value(r, "collections", "lbr")->number, c->config.ctr_depth, c->err);
    return c->transfers || unknown(c);
}

// A core of others may have a memory map of its own.
static bool has_memory(struct core *c) {
    char size[MEMORY_SIZE_TEXT];
    if (c->memory_asked || c->memory == DRAM_BYTES) return true;
    error_set(c->err, "%s: the memory of this model has a fixed size, %s: omit --memory, or name another model",
              c->options->model_path, memory_size_text(DRAM_BYTES, size));
    return unknown(c);
}

bool core_set_up(struct core *c) {
    const struct simulation_options *o = c->options;
    const struct console console = host_console(c->host);
    struct core *first = c->place.first;
    if (c->place.harts && !(c->board = first ? first->board : board_create(c->place.count, c->host, c->err)))
        return unknown(c);
    const struct soc_place place = {c->board, c->place.number, first ? first->soc : NULL};
    const struct machine_config behind = core_config_behind(c);
    if (!(c->soc = soc_create(&behind, c->memory, &console, &place, c->err)) || !core_link(c) || !core_serve(c))
        return unknown(c);
    if (soc_load(c->soc, c->image, c->err) < 0) return false;
    if (c->devices) soc_restore(c->soc, c->devices, &console);
    if (!core_warm(c)) return unknown(c);
    if (o->dumps && memory_dumps_resolve(o->dumps, c->image, c->soc, c->err) < 0) return unknown(c);
    struct workers_options workers = core_workers(c);
    if (!(c->workers = workers_create(&workers, c->err)) || open_files(c) < 0) return false;
    if (!take_transfers(c)) return false;
    const struct sampling_options sampling = {&o->sampling,
                                              o->profileme,
                                              &c->config,
                                              core_hart_id(c),
                                              workers_stacks(c->workers) != NULL,
                                              workers_data(c->workers) != NULL};
    if (!(c->sampling = sampling_create(&sampling, c->writer, c->err))) return false;
    uint32_t parts = ideal_parts(&c->config);
    if (parts && !(c->ideal = ideal_create(parts, c->soc, c->image, &workers.run.core, c->err))) return false;
    bus_watch_begin(&c->bus, workers_want_memory(c->workers));
    bool thread = o->threads ? o->threads > 1 : cpus_available() > 1;
    if (workers_dpi_options(c->workers) &&
        !(c->feed = c->harts ? feed_of_harts(c->workers, c->harts, c->place.number, c->err)
                             : feed_create(c->workers, FEED_ENTRIES, thread, c->err)))
        return false;
    if (c->feed && sampling_in_time(c->sampling)) feed_on_shown(c->feed, core_take_stacks, c);
    consumers_choose(c);
    c->client = core_client(c);
    if (o->platform) {
        c->driven = *c->api;
        c->api = &c->driven;
        o->platform->connect(o->platform->context, c->config.clock_mhz, &c->driven, &c->client);
    }
    if (!(c->dpi = dpi_create(&c->client, c->err))) return false;
    dpi_enter(c->dpi);
    c->model = c->api->create(o->fst != NULL, o->sampling.seed);
    if (c->model) c->api->set_hart_id(c->model, core_hart_id(c));
    if (c->model && !o->platform && !c->board) c->api->set_skip(c->model, o->skip);
    if (!c->model || !has_memory(c)) return false;
    if (!core_is_warm(c)) return unknown(c);
    c->before_ticks = c->api->cycles(c->model) - soc_ticks(c->soc);
    const bool later = region_stage(c->region) < REGION_COUNTS;
    if (later && !c->board) return true;
    return (later ? prepare_counting(c) : core_start_counting(c)) || unknown(c); // its unit is not what it should be
}
