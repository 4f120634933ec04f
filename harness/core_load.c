// Everything that a run reads, before anything is written: configuration, program or checkpoint, model.
#include "base/cpus.h"
#include "base/memory_size.h"
#include "harness/core.h"
#include "harness/core_internal.h"
#include "harness/model_load.h"
#include "machine/console.h"
#include "machine/ends.h"
#include <inttypes.h>
#include <stdlib.h>

// Finds tohost. A program without it never ends by itself: an option has to say when.
static bool has_end(struct core *c) {
    const bool loads = c->devices && !c->options->from_reset;
    const struct htif *from = c->devices ? &c->devices->htif : NULL;
    if (host_find(c->host, c->image, c->memory, from, loads, c->err) < 0) return false;
    const bool limited = c->options->max_cycles < UINT64_MAX || c->options->max_insns < UINT64_MAX;
    return limited || host_tohost(c->host) || ends_by_itself(c->image, "--max-cycles or --max-insns", c->err);
}

unsigned core_hart_id(const struct core *c) {
    if (c->place.harts) return c->place.number;
    return c->devices ? c->devices->hart_id : c->options->hart_id;
}

struct workers_options core_workers(const struct core *c) {
    const struct simulation_options *o = c->options;
    return (struct workers_options){.run = {.config = c->config.name,
                                            .model = o->model_path,
                                            .model_digest = c->config.model_digest,
                                            .width = c->config.width,
                                            .rob_entries = c->config.rob_entries,
                                            .counters = c->config.counters,
                                            .sample_counter = c->config.sample_counter,
                                            .counts = c->counters.count != 0,
                                            .vectors = c->config.vectors,
                                            .event_count = machine_config_events(&c->config),
                                            .gated = c->config.vector_window != 0,
                                            .fcsr_flush = c->config.fcsr_flush,
                                            .fetch_width = c->config.fetch_width,
                                            .load_queue = c->config.load_queue,
                                            .store_queue = c->config.store_queue,
                                            .profileme = o->profileme,
                                            .ideal_l1i = c->config.ideal.l1i,
                                            .ideal_tlb = c->config.ideal.tlb,
                                            .core = {.fp = c->config.fp,
                                                     .pmp_entries = c->config.pmp_entries,
                                                     .window = c->config.window,
                                                     .ctr_depth = c->config.ctr_depth,
                                                     .profileme = c->config.profile_tags != 0,
                                                     .triggers = c->config.triggers,
                                                     .ad_update = c->config.ad_update,
                                                     .hart_id = core_hart_id(c),
                                                     .harts = c->place.harts ? c->place.count : 0,
                                                     .hart = c->place.harts ? c->place.number : 0,
                                                     .memory = c->memory},
                                            .image = c->image,
                                            .devices = c->devices,
                                            .input = o->input,
                                            .harts = c->harts,
                                            .held = c->held,
                                            .held_count = c->held_count,
                                            .hart = c->place.number},
                                    .name = c->name,
                                    .command = o->command,
                                    .no_waves = o->model_named && c->api && !c->api->waveforms,
                                    .lockstep = o->cosim,
                                    .oracle = o->oracle,
                                    .samples = sampling_settings_any(&o->sampling),
                                    .requests = o->workers};
}

static bool load_program(struct core *c, const char *path) {
    c->program = path;
    return (c->image = image_load(path, c->err)) != NULL && image_fits(c->image, c->memory, c->err);
}

// The program with the checkpoint's memory, and code that leads to its state; devices as they were.
static bool take_checkpoint(struct core *c, struct iss *from) {
    const struct simulation_options *o = c->options;
    const struct machine_config *m = &c->config;
    enum { FAR = 10 * 1000 * 1000 };
    iss_set_console(from, stdout, c->place.first ? NULL : host_input(c->host)); // it is read on once
    iss_set_second_console(from, stderr);
    iss_set_arguments(from, o->argv);
    iss_set_file_roots(from, &c->roots);
    iss_set_window(from, m->window);
    iss_set_ctr_depth(from, m->ctr_depth);
    iss_set_profileme(from, m->profile_tags != 0);
    iss_set_triggers(from, m->triggers);
    if (checkpoint_read(from, &c->origin, o->restore, c->err) < 0 ||
        !checkpoint_has(from, o->memory, o->restore, c->err) ||
        !checkpoint_fits(from, m->fp, m->pmp_entries, m->ad_update, o->restore, c->err))
        return false;
    c->memory = iss_memory_bytes(from);
    uint64_t advanced = resume_advance(from, FAR);
    if (advanced && !o->quiet && !c->place.first)
        notice(o->notices,
               "%s%s: starts %" PRIu64 " instructions later, at the first point where the RTL core can be restored",
               c->name, o->restore, advanced);
    if (iss_exited(from, NULL)) {
        error_set(c->err, "%s: the program ends before the RTL core can be restored: write an earlier checkpoint",
                  o->restore);
        return false;
    }
    if (!load_program(c, o->program ? o->program : c->origin.program) ||
        !checkpoint_is_of(&c->origin, c->image, o->restore, c->err) || resume_image(from, c->image, c->err) < 0)
        return false;
    resume_devices(from, c->devices);
    return true;
}

static bool load_checkpoint(struct core *c) {
    struct iss *from = iss_create_harts(c->place.harts ? c->place.count : 1, c->err);
    c->devices = from ? calloc(1, sizeof *c->devices) : NULL;
    if (from && !c->devices) error_nomem(c->err, "checkpoint");
    bool good = c->devices && take_checkpoint(c, from);
    iss_destroy(from);
    return good;
}

// Symbols of the program under an operating system; where its file has gone there are none.
static void know_guest(struct core *c) {
    const struct guest_image *guest = guest_images_program(&c->origin.images);
    struct error unread;
    struct image *program = guest ? image_load_symbols(guest->path, &unread) : NULL;
    if (program) image_contain(c->image, program, guest->bias);
}

bool core_load(struct core *c) {
    const struct simulation_options *o = c->options;
    if (machine_config_load(&c->config, o->config_path, c->err) < 0) return false;
    for (size_t i = 0; i < o->set_count; i++) {
        if (machine_config_set(&c->config, o->set[i], c->err) < 0) return false;
    }
    if (!core_join(c) || ideal_check(&c->config, c->err) < 0) return false;
    if (o->count) c->counters = *o->count;
    if (event_counters_assign(&c->counters, &c->config, o->sampling.period != 0, c->err) < 0) return false;
    c->host = c->place.first ? c->place.first->host : host_create(o->argv, &c->roots, o->input, c->err);
    if (!c->host) return false;
    c->memory = memory_size_or_default(o->memory);
    if (!(o->restore ? load_checkpoint(c) : load_program(c, o->program)) || !has_end(c)) return false;
    know_guest(c);
    if (!(c->api = model_load(o->model_path, &c->config, c->err))) return false;
    if (c->api->lint_findings)
        warning(o->notices,
                "%s%s: built with STRICT=0 over %" PRIu32
                " lint findings, not for results: build it without (make build/%s/%s)",
                c->name, o->model_path, c->api->lint_findings, c->config.name, model_file(o->model_path));
    if (!core_take_hub(c)) return false;
    if (o->fst && !c->api->waveforms) {
        error_set(c->err, "%s: this model has no waveforms: omit --model, or name one that has them (make build/%s/%s)",
                  o->model_path, c->config.name, MODEL_FILE_WAVES);
        return false;
    }
    const bool thread = (o->threads ? o->threads : cpus_available()) > c->place.count; // one that no model needs
    if (c->place.harts && o->cosim &&
        !(c->harts = c->place.first ? c->place.first->harts : harts_create(c->place.count, thread, c->err)))
        return false;
    struct workers_options workers = core_workers(c);
    if (c->options->profileme && instruction_sampler_check(c->options->profileme, c->config.profile_tags, c->err) < 0)
        return false;
    return core_take_regions(c) && workers_check(&workers, c->err) == 0;
}
