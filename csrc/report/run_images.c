// Opens the programs that a run was of, where they can be read and are what ran.
#include "report/run_images.h"
#include "base/paths.h"
#include <string.h>

// From the root where that is known: a path as it was typed may mean another file elsewhere.
static const char *program_path(const struct samples_header *h) {
    return h->real_path[0] ? h->real_path : h->program;
}

// What an option names instead of the file that the run found, or NULL.
static const char *instead(const struct report_options *o, const struct guest_images *images, uint32_t i) {
    if (images->list[i].modes == 1u << MODE_MACHINE) return o->firmware;
    if (images->list[i].modes == 1u << MODE_SUPERVISOR) return o->kernel;
    return &images->list[i] == guest_images_program(images) ? o->program : NULL;
}

// By its build id; without one, by the digest of what it loads, if both are known.
static bool is_what_ran(const struct program *program, const struct guest_image *image, const char *path,
                        struct error *fault) {
    const char *option = image->modes == 1u << MODE_MACHINE      ? "--firmware"
                         : image->modes == 1u << MODE_SUPERVISOR ? "--kernel"
                                                                 : "--program";
    const char *id = program_build_id(program), *digest = program_digest(program);
    if (image->build_id[0] && strcmp(id, image->build_id) != 0) {
        error_set(fault, "%s: not the program that ran (build id %s, not %s): name it with %s", path,
                  id[0] ? id : "absent", image->build_id, option);
    } else if (!image->build_id[0] && image->digest[0] && digest[0] && strcmp(digest, image->digest) != 0) {
        error_set(fault,
                  "%s: not the program that ran: its code or data differ (digest %s, not %s): name the one that ran "
                  "with %s, or run again",
                  path, digest, image->digest, option);
    } else {
        return true;
    }
    return false;
}

// One image, read where it can be; else one line says why not.
static bool open_image(struct run *d, const struct guest_image *image, const char *named, bool guest,
                       const struct report_options *options, struct error *err) {
    const char *path = named ? named : image->path;
    struct error fault = {""};
    const struct path_use uses[] = {{"--output", options->output, true}, {"the program", path, false}};
    if (!paths_check(uses, 2, err)) return false;
    const struct program_kind kind = {guest, options->debug_dir};
    struct program *program = program_load_as(path, &kind, &fault);
    if (program && !is_what_ran(program, image, path, &fault)) {
        program_destroy(program);
        program = NULL;
    }
    if (!program)
        warning(d->notices, "%s; the report has addresses only%s%s", fault.text, guest ? " for " : "",
                guest ? image->name : "");
    if (program && program_lack(program)) warning(d->notices, "%s", program_lack(program));
    const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
    return images_add(d->images, image->name, &extent, program) || report_out_of_memory(d->path, err) == 0;
}

// A program on the bare machine is one image, whatever the mode and address space.
bool run_open_images(struct run *d, const struct report_options *options, struct error *err) {
    const struct samples_header *h = d->header;
    struct guest_image whole = {.modes = UINT32_MAX, .any_space = true};
    d->images = images_create();
    if (!d->images) return report_out_of_memory(d->path, err) == 0;
    snprintf(whole.name, sizeof whole.name, "%s", paths_name(h->program));
    snprintf(whole.path, sizeof whole.path, "%s", program_path(h));
    snprintf(whole.build_id, sizeof whole.build_id, "%s", h->build_id);
    snprintf(whole.digest, sizeof whole.digest, "%s", h->digest);
    if (!h->images.count && !open_image(d, &whole, options->program, false, options, err)) return false;
    for (uint32_t i = 0; i < h->images.count; i++) {
        const struct guest_image *image = &h->images.list[i];
        const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
        uint32_t same = 0;
        while (same < i && strcmp(h->images.list[same].path, image->path) != 0)
            same++;
        if (same < i && images_add_extent(d->images, same, &extent)) continue;
        if (!open_image(d, &h->images.list[i], instead(options, &h->images, i), true, options, err)) return false;
    }
    d->readable = images_any_program(d->images);
    return !d->readable || (d->disasm = disasm_create(err));
}
