// Opens the programs that a run was of, where they can be read and are what ran.
#include "report/run_images.h"
#include "base/paths.h"

struct guest_image run_program_image(const struct samples_header *h) {
    struct guest_image image = {.bias = 0};
    snprintf(image.name, sizeof image.name, "%s", paths_name(h->program));
    // From the root where that is known: a path as it was typed may mean another file elsewhere.
    snprintf(image.path, sizeof image.path, "%s", h->real_path[0] ? h->real_path : h->program);
    snprintf(image.build_id, sizeof image.build_id, "%s", h->build_id);
    snprintf(image.digest, sizeof image.digest, "%s", h->digest);
    return image;
}

bool run_open_images(struct run *d, const struct report_options *o, struct error *err) {
    const struct guest_image program = run_program_image(d->header);
    const struct image_files files = {.program = o->program,
                                      .kernel = o->kernel,
                                      .firmware = o->firmware,
                                      .debug_dir = o->debug_dir,
                                      .output = o->output,
                                      .notices = o->notices};
    if (!(d->images = images_open(&d->header->images, &program, &files, err))) return false;
    d->readable = images_any_program(d->images);
    return !d->readable || (d->disasm = disasm_create(err));
}
