// Everything that a run reads, before anything is written: configuration, program or checkpoint, model.
#include "base/memory_size.h"
#include "harness/model_load.h"
#include "harness/simulation_internal.h"
#include "machine/console.h"
#include "memory_map.h"
#include <inttypes.h>
#include <stdlib.h>

// Finds tohost. A program without it never ends by itself: an option has to say when.
static bool has_end(struct simulation *s) {
    const bool loads = s->devices && !s->options->from_reset;
    const struct htif *from = s->devices ? &s->devices->htif : NULL;
    if (host_find(s->host, s->image, s->memory, from, loads, s->err) < 0) return false;
    bool ends = host_tohost(s->host) || image_symbol(s->image, FINISHER_SYMBOL, 0) == FINISHER_BASE;
    if (ends || s->options->max_cycles < UINT64_MAX || s->options->max_insns < UINT64_MAX) return true;
    error_set(s->err,
              "%s: has no symbol tohost, so that nothing ends the run: link one in (docs/guide/workloads.md), or give "
              "--max-cycles or --max-insns",
              s->program);
    return false;
}

unsigned simulation_hart_id(const struct simulation *s) {
    return s->devices ? s->devices->hart_id : s->options->hart_id;
}

struct workers_options simulation_workers(const struct simulation *s) {
    const struct simulation_options *o = s->options;
    return (struct workers_options){.run = {.config = s->config.name,
                                            .model = o->model_path,
                                            .model_digest = s->config.model_digest,
                                            .width = s->config.width,
                                            .rob_entries = s->config.rob_entries,
                                            .counters = s->config.counters,
                                            .sample_counter = s->config.sample_counter,
                                            .counts = s->counters.count != 0,
                                            .vectors = s->config.vectors,
                                            .gated = s->config.vector_window != 0,
                                            .fcsr_flush = s->config.fcsr_flush,
                                            .fetch_width = s->config.fetch_width,
                                            .profileme = o->profileme,
                                            .ideal_l1i = s->config.ideal.l1i,
                                            .ideal_tlb = s->config.ideal.tlb,
                                            .core = {.fp = s->config.fp,
                                                     .pmp_entries = s->config.pmp_entries,
                                                     .window = s->config.window,
                                                     .ctr_depth = s->config.ctr_depth,
                                                     .profileme = s->config.profile_tags != 0,
                                                     .ad_update = s->config.ad_update,
                                                     .hart_id = simulation_hart_id(s),
                                                     .memory = s->memory},
                                            .image = s->image,
                                            .devices = s->devices,
                                            .input = o->input},
                                    .command = o->command,
                                    .no_waves = o->model_named && s->api && !s->api->waveforms,
                                    .lockstep = o->cosim,
                                    .oracle = o->oracle,
                                    .samples = sampling_settings_any(&o->sampling),
                                    .requests = o->workers};
}

static bool load_program(struct simulation *s, const char *path) {
    s->program = path;
    return (s->image = image_load(path, s->err)) != NULL && image_fits(s->image, s->memory, s->err);
}

// The program with the checkpoint's memory, and code that leads to its state; devices as they were.
static bool take_checkpoint(struct simulation *s, struct iss *from) {
    const struct simulation_options *o = s->options;
    const struct machine_config *c = &s->config;
    enum { FAR = 10 * 1000 * 1000 };
    iss_set_console(from, stdout, host_input(s->host));
    iss_set_second_console(from, stderr);
    iss_set_arguments(from, o->argv);
    iss_set_file_roots(from, &o->file_roots);
    iss_set_window(from, c->window);
    iss_set_ctr_depth(from, c->ctr_depth);
    iss_set_profileme(from, c->profile_tags != 0);
    if (checkpoint_read(from, &s->origin, o->restore, s->err) < 0 ||
        !checkpoint_has(from, o->memory, o->restore, s->err) ||
        !checkpoint_fits(from, c->fp, c->pmp_entries, c->ad_update, o->restore, s->err))
        return false;
    s->memory = iss_memory_bytes(from);
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

// Symbols of the program under an operating system; where its file has gone there are none.
static void know_guest(struct simulation *s) {
    const struct guest_image *guest = guest_images_program(&s->origin.images);
    struct error unread;
    struct image *program = guest ? image_load_symbols(guest->path, &unread) : NULL;
    if (program) image_contain(s->image, program, guest->bias);
}

bool simulation_load(struct simulation *s) {
    const struct simulation_options *o = s->options;
    if (machine_config_load(&s->config, o->config_path, s->err) < 0) return false;
    for (size_t i = 0; i < o->set_count; i++) {
        if (machine_config_set(&s->config, o->set[i], s->err) < 0) return false;
    }
    if (ideal_check(&s->config, s->err) < 0) return false;
    if (o->count) s->counters = *o->count;
    if (event_counters_assign(&s->counters, &s->config, o->sampling.period != 0, s->err) < 0) return false;
    if (!(s->host = host_create(o->argv, &o->file_roots, o->input, s->err))) return false;
    s->memory = memory_size_or_default(o->memory);
    if (!(o->restore ? load_checkpoint(s) : load_program(s, o->program)) || !has_end(s)) return false;
    know_guest(s);
    if (!(s->api = model_load(o->model_path, &s->config, s->err))) return false;
    if (s->api->lint_findings)
        fprintf(stderr,
                "tipoff: warning: %s: built with STRICT=0 over %" PRIu32
                " lint findings, not for results: build it without (make build/%s/%s)\n",
                o->model_path, s->api->lint_findings, s->config.name, model_file(o->model_path));
    if (o->fst && !s->api->waveforms) {
        error_set(s->err, "%s: a model without waveforms: omit --model, or name one that has them (make build/%s/%s)",
                  o->model_path, s->config.name, MODEL_FILE_WAVES);
        return false;
    }
    struct workers_options workers = simulation_workers(s);
    if (s->options->profileme && instruction_sampler_check(s->options->profileme, s->config.profile_tags, s->err) < 0)
        return false;
    return simulation_take_regions(s) && workers_check(&workers, s->err) == 0;
}
