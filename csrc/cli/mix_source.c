// Images, then counts: of a run on the simulator by its counting loop, of a sample file by its collections and its
// jumps. What does not match, and what is too little, is refused.
#include "cli/mix_source.h"
#include "base/container.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/folder.h"
#include "iss/checkpoint.h"
#include "machine/console.h"
#include "machine/ends.h"
#include "profile/collection.h"
#include "samples/samples.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_SAMPLES = 100, FEWEST_STACKS = 20 }; // of which a mix is told
enum { CHUNK = 1 << 24 };

// ---- images ----
static bool add_image(struct mix_source *s, const struct guest_image *image, const char *named, const char *option,
                      const struct program_kind *kind, struct error *err) {
    const char *path = named ? named : image->path;
    const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
    struct program *p = program_load_as(path, kind, err);
    if (!p) return false;
    const char *id = program_build_id(p), *digest = program_digest(p);
    const bool by_id = image->build_id[0] != '\0';
    if (by_id ? strcmp(id, image->build_id) != 0
              : image->digest[0] && digest[0] && strcmp(digest, image->digest) != 0) {
        error_set(err, "%s: not the program that ran (%s %s, not %s): name the one that ran with %s, or run again",
                  path, by_id ? "build id" : "digest", by_id ? (*id ? id : "absent") : digest,
                  by_id ? image->build_id : image->digest, option);
        program_destroy(p);
        return false;
    }
    if (images_add(s->images, image->name, &extent, p)) return true;
    error_nomem(err, path);
    return false;
}

static bool add_whole(struct mix_source *s, const struct guest_image *image, const struct mix_source_options *o,
                      struct error *err) {
    return add_image(s, image, o->program, "--program", &(struct program_kind){false, o->debug_dir}, err);
}

static bool add_guest(struct mix_source *s, const struct guest_images *images, const struct mix_source_options *o,
                      struct error *err) {
    for (uint32_t i = 0; i < images->count; i++) {
        const struct guest_image *image = &images->list[i];
        const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
        const bool firmware = image->modes == 1u << MODE_MACHINE, kernel = image->modes == 1u << MODE_SUPERVISOR;
        const char *named = firmware                                ? o->firmware
                            : kernel                                ? o->kernel
                            : image == guest_images_program(images) ? o->program
                                                                    : NULL;
        uint32_t same = 0;
        while (same < i && strcmp(images->list[same].path, image->path) != 0)
            same++;
        if (same < i && images_add_extent(s->images, same, &extent)) continue;
        if (!add_image(s, image, named,
                       firmware ? "--firmware"
                       : kernel ? "--kernel"
                                : "--program",
                       &(struct program_kind){true, o->debug_dir}, err))
            return false;
    }
    return true;
}

// ---- on the simulator ----
struct counting {
    struct mix *mix;
    uint64_t total;
    bool good;
};

static void counted(void *context, uint64_t pc, uint8_t privilege, uint64_t space, uint64_t count) {
    struct counting *c = context;
    c->total += count;
    c->good = c->good && mix_add_exact(c->mix, (struct place){pc, place_context(privilege, space)}, count);
}

static bool run(struct mix_source *s, const struct mix_source_options *o, struct iss *iss, struct error *err) {
    uint64_t done = 0, code = 0;
    while (done < o->max && !iss_exited(iss, NULL) && !iss_refused(iss, "", NULL) && !iss_asks_for_reset(iss))
        done += iss_run(iss, o->max - done < CHUNK ? o->max - done : CHUNK);
    if (iss_refused(iss, o->file, err)) return false;
    struct counting c = {.mix = s->mix, .good = iss_counts_whole(iss)};
    iss_each_count(iss, counted, &c);
    if (!c.good) {
        error_nomem(err, o->file);
        return false;
    }
    const bool exited = iss_exited(iss, &code);
    if (!exited) s->status = STATUS_OUT_OF_BUDGET;
    snprintf(s->text, sizeof s->text,
             "exact counts of %" PRIu64 " instructions on the instruction-set simulator%s; %" PRIu64
             " outside all images",
             c.total, exited ? "" : ", which did not end", s->mix->outside[MIX_EXACT]);
    return true;
}

static bool make_machine(struct mix_source *s, const struct mix_source_options *o, struct iss *iss, struct error *err) {
    struct checkpoint_origin origin = {.images = {.count = 0}};
    struct guest_image whole = {.modes = UINT32_MAX, .any_space = true};
    if (o->restore &&
        (checkpoint_read(iss, &origin, o->restore, err) < 0 || !checkpoint_has(iss, o->memory, o->restore, err)))
        return false;
    if (!o->restore && iss_set_memory(iss, o->memory, err) < 0) return false;
    const char *path = o->restore ? origin.program : o->file;
    snprintf(s->program, sizeof s->program, "%.1000s", path);
    snprintf(whole.name, sizeof whole.name, "%.60s", paths_name(path));
    snprintf(whole.path, sizeof whole.path, "%.1000s", path);
    if (origin.images.count) return add_guest(s, &origin.images, o, err);
    struct image *image = image_load(path, err);
    if (!image) return false;
    bool good = o->restore ? checkpoint_is_of(&origin, image, o->restore, err) : iss_load(iss, image, err) == 0;
    if (good && !o->restore) iss_set_arguments(iss, o->argv);
    if (good && o->max == UINT64_MAX) good = ends_by_itself(image, "--max-insns", err);
    image_destroy(image);
    return good && add_whole(s, &whole, o, err);
}

static bool from_simulator(struct mix_source *s, const struct mix_source_options *o, struct error *err) {
    FILE *input = o->input ? console_open(o->input, err) : NULL;
    if (o->input && !input) return false;
    struct host_roots roots = o->file_roots;
    roots.notices = o->notices;
    struct iss *iss = iss_create(err);
    if (iss) iss_set_console(iss, NULL, input);
    if (iss) iss_set_file_roots(iss, &roots);
    bool good = iss && make_machine(s, o, iss, err) && iss_count(iss, err) && (s->mix = mix_create(s->images, err)) &&
                run(s, o, iss, err);
    iss_destroy(iss);
    if (input) fclose(input);
    return good;
}

// ---- of a sample file ----
static bool take_record(void *context, const struct samples_header *header, const struct sample_record *record) {
    (void)context;
    (void)header;
    (void)record;
    return true;
}

static bool enough(const struct results *r, const char *path, struct error *err) {
    size_t samples, stacks;
    results_retired_sample(r, &samples);
    results_transfer_stack(r, &stacks);
    if (!results_collection(r)) {
        error_set(err,
                  "%s: has no samples of retired instructions and no branch records: run again with --worker "
                  "collections (docs/guide/mix.md)",
                  path);
        return false;
    }
    if (samples >= FEWEST_SAMPLES && stacks >= FEWEST_STACKS) return true;
    error_set(
        err,
        "%s: %zu samples and %zu stacks are too few for a mix, which takes %d and %d: run longer, or with shorter "
        "periods (--worker collections:ebs=N,lbr=N)",
        path, samples, stacks, FEWEST_SAMPLES, FEWEST_STACKS);
    return false;
}

static bool open_images(struct mix_source *s, const struct samples_header *h, const struct mix_source_options *o,
                        struct error *err) {
    struct guest_image whole = {.modes = UINT32_MAX, .any_space = true};
    const char *path = h->real_path[0] ? h->real_path : h->program;
    snprintf(s->program, sizeof s->program, "%.1000s", h->program);
    snprintf(whole.name, sizeof whole.name, "%.60s", paths_name(h->program));
    snprintf(whole.path, sizeof whole.path, "%.1000s", path);
    snprintf(whole.build_id, sizeof whole.build_id, "%s", h->build_id);
    snprintf(whole.digest, sizeof whole.digest, "%s", h->digest);
    return h->images.count ? add_guest(s, &h->images, o, err) : add_whole(s, &whole, o, err);
}

static bool take_counts(struct mix_source *s, const struct samples *samples, const struct mix_source_options *o,
                        struct error *err) {
    const struct results *r = samples_results(samples);
    const struct collection *c = results_collection(r);
    size_t sample_count, stack_count;
    results_retired_sample(r, &sample_count);
    results_transfer_stack(r, &stack_count);
    struct error why = {""};
    if (!o->exact && (!enough(r, o->file, err) || !mix_add_collection(s->mix, r, o->skid, err))) return false;
    const bool exact = mix_add_edges(s->mix, r, &why);
    if (!exact) {
        free(s->mix->counts[MIX_EXACT]);
        s->mix->counts[MIX_EXACT] = NULL;
    }
    if (!exact && o->exact) error_set(err, "%s: %s", o->file, why.text);
    if (o->exact)
        snprintf(s->text, sizeof s->text, "exact counts of the run on %s, from its jumps",
                 samples_header(samples)->config);
    else
        snprintf(s->text, sizeof s->text,
                 "%zu samples (%s), one every %" PRIu64
                 " instructions; %zu stacks of %u taken transfers (%s), one every %" PRIu64 "; on %s",
                 sample_count, o->skid ? "mepc" : "precise", c->ebs_period, stack_count, c->depth,
                 c->source == COLLECTION_UNIT ? "the core's records" : "modelled", c->lbr_period,
                 samples_header(samples)->config);
    return exact || !o->exact;
}

// Takes the samples.
static bool from_samples(struct mix_source *s, struct samples *samples, const struct mix_source_options *o,
                         struct error *err) {
    if (!samples) return false;
    bool good = samples_state(samples) != SAMPLES_CORRUPT;
    if (!good) error_set(err, "%s", samples_fault(samples));
    if (samples_state(samples) == SAMPLES_TRUNCATED)
        warning(o->notices, "%s; the samples before it are good", samples_fault(samples));
    good = good && open_images(s, samples_header(samples), o, err) && (s->mix = mix_create(s->images, err)) &&
           take_counts(s, samples, o, err);
    samples_destroy(samples);
    return good;
}

bool mix_source_open(struct mix_source *s, const struct mix_source_options *o, struct error *err) {
    *s = (struct mix_source){.images = images_create()};
    if (!s->images) {
        error_nomem(err, NULL);
        return false;
    }
    if (o->restore) return from_simulator(s, o, err);
    bool is_samples;
    struct error fault = {""};
    struct samples *samples = samples_read_if(o->file, &is_samples, take_record, NULL, &fault);
    if (is_samples && !samples) error_set(err, "%s", fault.text);
    if (is_samples) return from_samples(s, samples, o, err);
    if (o->exact) return from_simulator(s, o, err);
    struct image *image = image_load(o->file, err); // says what is wrong with it
    if (image)
        error_set(err, "%s: this is a program: give --exact for its exact counts, or name a sample file", o->file);
    image_destroy(image);
    return false;
}

void mix_source_close(struct mix_source *s) {
    mix_destroy(s->mix);
    images_destroy(s->images);
}
