// Opens the programs that a run was of, where they can be read and are what ran.
#include "report/run_images.h"
#include "analysis/analysis.h"
#include "base/bisect.h"
#include "base/paths.h"
#include "report/style.h"
#include "results.h"
#include <stdlib.h>

struct guest_image run_program_image(const struct samples_header *h) {
    struct guest_image image = {.bias = 0};
    snprintf(image.name, sizeof image.name, "%s", paths_name(h->program));
    // From the root where that is known: a path as it was typed may mean another file elsewhere.
    snprintf(image.path, sizeof image.path, "%s", h->real_path[0] ? h->real_path : h->program);
    snprintf(image.build_id, sizeof image.build_id, "%s", h->build_id);
    snprintf(image.digest, sizeof image.digest, "%s", h->digest);
    return image;
}

// The instructions of another core's trace; NULL: there is no memory, or they are not in order.
static struct program_listed *list_traced(const struct traced_text *texts, size_t count) {
    struct program_listed *list = calloc(count + 1, sizeof *list);
    bool good = list;
    for (size_t i = 0; good && i < count; i++) {
        list[i] = (struct program_listed){texts[i].pc, texts[i].begins};
        good = i == 0 || texts[i - 1].pc < texts[i].pc;
    }
    if (good) return list;
    free(list);
    return NULL;
}

static bool text_before(const void *entry, const void *key) {
    return ((const struct traced_text *)entry)->pc < *(const uint64_t *)key;
}

const struct traced_text *run_traced_text(const struct run *d, uint64_t pc) {
    size_t count;
    const struct traced_text *all = results_traced_text(samples_results(d->samples), &count);
    const size_t from = bisect(all, count, sizeof *all, text_before, &pc);
    return from < count && all[from].pc == pc ? &all[from] : NULL;
}

// All addresses of its profiles and call stacks, from malloc. NULL: no memory.
static struct place *sampled_places(const struct run *d, size_t *count) {
    uint32_t stacks;
    const struct stack_node *nodes = samples_stacks(d->samples, &stacks);
    size_t all = stacks;
    for (size_t p = 0; p < samples_profile_count(d->samples); p++)
        all += samples_profile(d->samples, p)->count;
    struct place *list = malloc((all + 1) * sizeof *list);
    *count = 0;
    for (size_t p = 0; list && p < samples_profile_count(d->samples); p++) {
        const struct samples_profile *profile = samples_profile(d->samples, p);
        for (size_t i = 0; i < profile->count; i++)
            list[(*count)++] = row_place(&profile->rows[i]);
    }
    for (uint32_t i = STACK_LOST + 1; list && i < stacks; i++)
        list[(*count)++] = (struct place){nodes[i].site, nodes[nodes[i].parent].context};
    return list;
}

bool run_open_images(struct run *d, const struct report_options *o, struct error *err) {
    const struct guest_image program = run_program_image(d->header);
    size_t count;
    const struct traced_text *texts = results_traced_text(samples_results(d->samples), &count);
    const bool foreign = style_sampled(d), traced = results_imported(samples_results(d->samples)) && !foreign;
    struct program_listed *listed = traced ? list_traced(texts, count) : NULL;
    size_t sampled_count = 0;
    struct place *sampled = foreign ? sampled_places(d, &sampled_count) : NULL;
    if (foreign && !sampled) return report_out_of_memory(d->path, err) == 0;
    const struct image_files files = {.program = o->program,
                                      .kernel = o->kernel,
                                      .firmware = o->firmware,
                                      .debug_dir = o->debug_dir,
                                      .output = o->output,
                                      .listed = listed,
                                      .listed_count = count,
                                      .notices = o->notices,
                                      .sampled = sampled,
                                      .sampled_count = sampled_count};
    d->images = images_open(&d->header->images, &program, &files, err);
    free(listed);
    free(sampled);
    if (!d->images) return false;
    d->readable = images_any_program(d->images);
    return !d->readable || (d->disasm = disasm_create(err));
}
