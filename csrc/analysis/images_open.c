// Opens the programs of a run: each file once, whatever it is mapped to.
#include "analysis/images_open.h"
#include "analysis/analysis.h"
#include "analysis/program_sampled.h"
#include "base/paths.h"
#include <stdlib.h>
#include <string.h>

static const char *option_of(const struct guest_image *image) {
    return image->modes == 1u << MODE_MACHINE      ? "--firmware"
           : image->modes == 1u << MODE_SUPERVISOR ? "--kernel"
                                                   : "--program";
}

// What an option names instead of the file that the run found, or NULL.
static const char *instead(const struct image_files *files, const struct guest_images *list, uint32_t i) {
    if (list->list[i].modes == 1u << MODE_MACHINE) return files->firmware;
    if (list->list[i].modes == 1u << MODE_SUPERVISOR) return files->kernel;
    return &list->list[i] == guest_images_program(list) ? files->program : NULL;
}

// By its build id; without one, by the digest of what it loads, if both are known.
static bool is_what_ran(const struct program *program, const struct guest_image *image, const char *path,
                        struct error *fault) {
    const char *id = program_build_id(program), *digest = program_digest(program);
    if (image->build_id[0] && strcmp(id, image->build_id) != 0) {
        error_set(fault, "%s: not the program that ran (build id %s, not %s): name it with %s", path,
                  id[0] ? id : "absent", image->build_id, option_of(image));
    } else if (!image->build_id[0] && image->digest[0] && digest[0] && strcmp(digest, image->digest) != 0) {
        error_set(fault,
                  "%s: not the program that ran: its code or data differ (digest %s, not %s): name the one that ran "
                  "with %s, or run again",
                  path, digest, image->digest, option_of(image));
    } else {
        return true;
    }
    return false;
}

// The addresses that an image may have, by its file; from malloc. NULL: no memory.
static uint64_t *sampled_of(const struct guest_image *image, const struct image_files *files, size_t *count) {
    uint64_t *list = malloc((files->sampled_count + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < files->sampled_count; i++) {
        const uint64_t pc = files->sampled[i].pc - image->bias;
        const bool its = image->modes >> place_mode(files->sampled[i].context) & 1;
        if (its && (!image->bytes || pc < image->bytes)) list[(*count)++] = pc;
    }
    return list;
}

static struct program *load(const struct guest_image *image, const char *path, const struct program_kind *kind,
                            const struct image_files *files, struct error *err) {
    const bool bare = files->sampled && !*path;
    size_t count;
    if (!bare && !*path) return NULL; // of a trace no program may be known
    if (!bare && !(files->sampled && program_is_foreign(path))) return program_load_as(path, kind, err);
    uint64_t *list = sampled_of(image, files, &count);
    struct program *program = !list  ? NULL
                              : bare ? program_bare(image->name, list, count)
                                     : program_sampled(path, kind->debug_dir, list, count, err);
    if (!program && !*err->text) error_nomem(err, path);
    free(list);
    return program;
}

static bool open_image(struct images *images, const struct guest_image *image, const char *named, bool guest,
                       const struct image_files *files, struct error *err) {
    const char *path = named ? named : image->path;
    struct error fault = {""};
    const struct path_use uses[] = {{"--output", files->output, true}, {"the program", path, false}};
    if (!paths_check(uses, 2, err)) return false;
    const struct program_kind kind = {guest, files->debug_dir, files->listed, files->listed_count};
    struct program *program = load(image, path, &kind, files, &fault);
    if (program && !is_what_ran(program, image, path, &fault)) {
        program_destroy(program);
        program = NULL;
    }
    if (!program && files->needed) {
        if (!*path) error_set(&fault, "no program is known: name it with %s", option_of(image));
        *err = fault;
        return false;
    }
    if (!program && *path)
        warning(files->notices, "%s; the report has addresses only%s%s", fault.text, guest ? " for " : "",
                guest ? image->name : "");
    if (program && program_lack(program) && !files->needed) warning(files->notices, "%s", program_lack(program));
    const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
    return images_add(images, image->name, &extent, program) || error_nomem(err, path) == 0;
}

static bool open_list(struct images *images, const struct guest_images *list, const struct image_files *files,
                      struct error *err) {
    for (uint32_t i = 0; i < list->count; i++) {
        const struct guest_image *image = &list->list[i];
        const struct image_extent extent = {image->modes, image->any_space, image->space, image->bias};
        uint32_t same = 0;
        while (same < i && (!*image->path || strcmp(list->list[same].path, image->path) != 0))
            same++;
        if (same < i && images_add_extent(images, same, &extent)) continue;
        if (!open_image(images, image, instead(files, list, i), true, files, err)) return false;
    }
    return true;
}

struct images *images_open(const struct guest_images *list, const struct guest_image *bare,
                           const struct image_files *files, struct error *err) {
    struct images *images = images_create();
    struct guest_image whole = *bare; // one image, whatever the mode and address space
    whole.modes = UINT32_MAX;
    whole.any_space = true;
    if (images && (list->count ? open_list(images, list, files, err)
                               : open_image(images, &whole, files->program, false, files, err)))
        return images;
    if (!images) error_nomem(err, bare->path);
    images_destroy(images);
    return NULL;
}
