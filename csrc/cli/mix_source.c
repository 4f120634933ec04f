// Images, then counts: of a run on the simulator by its counting loop, of a sample file by its collections and its
// jumps. What does not match, and what is too little, is refused.
#include "cli/mix_source.h"
#include "base/container.h"
#include "base/grouped.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/folder.h"
#include "iss/checkpoint.h"
#include "machine/console.h"
#include "machine/ends.h"
#include "profile/collection.h"
#include "report/run_images.h"
#include "samples/samples.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_SAMPLES = 100, FEWEST_STACKS = 20 }; // that a mix needs
enum { CHUNK = 1 << 24 };

// ---- images ----
static bool open_images(struct mix_source *s, const struct guest_images *list, const struct guest_image *program,
                        const struct mix_source_options *o, struct error *err) {
    const struct image_files files = {
        .program = o->program, .kernel = o->kernel, .firmware = o->firmware, .debug_dir = o->debug_dir, .needed = true};
    s->images = images_open(list, program, &files, err);
    return s->images != NULL;
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
    char total[GROUPED_TEXT], outside[GROUPED_TEXT];
    const bool exited = iss_exited(iss, &code);
    if (!exited) s->status = STATUS_OUT_OF_BUDGET;
    snprintf(s->text, sizeof s->text,
             "exact counts of %s instructions on the instruction-set simulator%s; %s outside all images",
             grouped(total, c.total), exited ? "" : ", which did not end",
             grouped(outside, s->mix->outside[MIX_EXACT]));
    return true;
}

static bool make_machine(struct mix_source *s, const struct mix_source_options *o, struct iss *iss, struct error *err) {
    struct checkpoint_origin origin = {.images = {.count = 0}};
    struct guest_image program = {.bias = 0};
    if (o->restore &&
        (checkpoint_read(iss, &origin, o->restore, err) < 0 || !checkpoint_has(iss, o->memory, o->restore, err)))
        return false;
    if (!o->restore && iss_set_memory(iss, o->memory, err) < 0) return false;
    const char *path = o->restore ? origin.program : o->file;
    snprintf(s->program, sizeof s->program, "%.1000s", path);
    snprintf(program.name, sizeof program.name, "%.60s", paths_name(path));
    snprintf(program.path, sizeof program.path, "%.1000s", path);
    if (origin.images.count) return open_images(s, &origin.images, &program, o, err);
    struct image *image = image_load(path, err);
    if (!image) return false;
    bool good = o->restore ? checkpoint_is_of(&origin, image, o->restore, err) : iss_load(iss, image, err) == 0;
    if (good && !o->restore) iss_set_arguments(iss, o->argv);
    if (good && o->max == UINT64_MAX) good = ends_by_itself(image, "--max-insns", err);
    image_destroy(image);
    return good && open_images(s, &origin.images, &program, o, err);
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
    char found[GROUPED_TEXT], stacks[GROUPED_TEXT];
    if (!exact && o->exact) error_set(err, "%s: %s", o->file, why.text);
    if (o->exact)
        snprintf(s->text, sizeof s->text, "exact counts of the run on %s, from its jumps",
                 samples_header(samples)->config);
    else
        snprintf(s->text, sizeof s->text,
                 "%s samples (%s), one every %" PRIu64
                 " instructions; %s stacks of %u taken transfers (%s), one every %" PRIu64 "; on %s",
                 grouped(found, sample_count), o->skid ? "mepc" : "precise", c->ebs_period,
                 grouped(stacks, stack_count), c->depth,
                 c->source == COLLECTION_UNIT ? "the core's records" : "modelled", c->lbr_period,
                 samples_header(samples)->config);
    return exact || !o->exact;
}

// Takes the samples.
static bool from_samples(struct mix_source *s, struct samples *samples, const struct mix_source_options *o,
                         struct error *err) {
    if (!samples) return false;
    samples_warn(samples, o->notices);
    const struct samples_header *h = samples_header(samples);
    const struct guest_image program = run_program_image(h);
    snprintf(s->program, sizeof s->program, "%.1000s", h->program);
    const bool good = open_images(s, &h->images, &program, o, err) && (s->mix = mix_create(s->images, err)) &&
                      take_counts(s, samples, o, err);
    samples_destroy(samples);
    return good;
}

bool mix_source_open(struct mix_source *s, const struct mix_source_options *o, struct error *err) {
    *s = (struct mix_source){.images = NULL};
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
