// Opens the programs that a run was of, where they can be read and are what ran.
#include "report/run_images.h"
#include "analysis/analysis.h"
#include "base/bisect.h"
#include "base/paths.h"
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

bool run_open_images(struct run *d, const struct report_options *o, struct error *err) {
    const struct guest_image program = run_program_image(d->header);
    size_t count;
    const struct traced_text *texts = results_traced_text(samples_results(d->samples), &count);
    struct program_listed *listed = results_imported(samples_results(d->samples)) ? list_traced(texts, count) : NULL;
    const struct image_files files = {.program = o->program,
                                      .kernel = o->kernel,
                                      .firmware = o->firmware,
                                      .debug_dir = o->debug_dir,
                                      .output = o->output,
                                      .listed = listed,
                                      .listed_count = count,
                                      .notices = o->notices};
    d->images = images_open(&d->header->images, &program, &files, err);
    free(listed);
    if (!d->images) return false;
    d->readable = images_any_program(d->images);
    return !d->readable || (d->disasm = disasm_create(err));
}
