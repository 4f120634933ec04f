// The files that samples are in, as images of one address space in which each has a range of its own.
#include "base/elf_digest.h"
#include "base/paths.h"
#include "import/perf_import_internal.h"
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };
#define FREE_RANGES (UINT64_C(1) << 47) // from here on nobody has a range

void perf_build_id_of(const char *path, char text[2 * PERF_BUILD_ID + 1]) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    text[0] = '\0';
    if (fd < 0) return;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF) elf_build_id(elf, text, 2 * PERF_BUILD_ID + 1);
    elf_end(elf);
    close(fd);
}

static struct guest_image *add_image(struct perf_import *i, const char *name, unsigned modes) {
    struct guest_image *image = &i->h.images.list[i->h.images.count++];
    *image = (struct guest_image){.modes = modes, .any_space = true};
    snprintf(image->name, sizeof image->name, "%s", name);
    return image;
}

static bool overlaps(const struct perf_import *i, const struct perf_elf *f, uint64_t bias) {
    for (unsigned k = 0; k < i->user_count; k++) {
        const struct perf_elf *o = &i->samples->files[i->users[k]];
        if (f->low + bias < o->high + o->bias && o->low + o->bias < f->high + bias) return true;
    }
    return f->low + bias > f->high + bias || f->high + bias > FREE_RANGES;
}

// Where it ran, if no other file has taken that.
static void place_file(struct perf_import *i, struct perf_elf *f) {
    if (!overlaps(i, f, f->bias)) return;
    f->bias = i->free_at - f->low / PAGE * PAGE;
    i->free_at += ((f->high - f->low) / PAGE + 2) * PAGE;
}

static void add_user(struct perf_import *i, size_t object) {
    struct perf_elf *f = &i->samples->files[object];
    const struct perf_object *o = perf_maps_object(i->samples->maps, object);
    char id[2 * PERF_BUILD_ID + 1];
    if (f->high - f->low >= FREE_RANGES) return;
    place_file(i, f);
    i->users[i->user_count++] = object;
    i->shown[object] = true;
    struct guest_image *image = add_image(i, paths_name(o->path), 1u << MODE_USER);
    image->bias = f->bias;
    if (f->readable) perf_build_id_of(f->path, id);
    if (f->readable && *o->build_id && strcmp(id, o->build_id) != 0)
        warning(i->o->notices, "%s: not what was recorded (build id %s, not %s); the report has no symbols of it",
                f->path, *id ? id : "absent", o->build_id);
    if (f->readable && (!*o->build_id || strcmp(id, o->build_id) == 0)) {
        char real[PATH_MAX];
        snprintf(image->path, sizeof image->path, "%s", realpath(f->path, real) ? real : f->path);
        snprintf(image->build_id, sizeof image->build_id, "%s", o->build_id);
    } else {
        if (!f->readable && o->path[0] == '/')
            warning(i->o->notices, "%s: cannot be read; the report has no symbols of it", f->path);
        image->bias += f->low;
        image->bytes = f->high - f->low;
    }
}

static int heavier(const void *x, const void *y, void *context) {
    const struct perf_import *i = context;
    const size_t *a = x, *b = y;
    const bool programs[] = {*a == i->program, *b == i->program};
    const uint64_t weights[] = {i->samples->files[*a].weight, i->samples->files[*b].weight};
    const bool executed[] = {perf_maps_object(i->samples->maps, *a)->executed,
                             perf_maps_object(i->samples->maps, *b)->executed};
    if (programs[0] != programs[1]) return programs[0] ? -1 : 1;
    if (executed[0] != executed[1]) return executed[0] ? -1 : 1;
    if (weights[0] != weights[1]) return weights[0] > weights[1] ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

// Those that were executed before libraries, and the heaviest first: the first one is the program.
bool perf_add_images(struct perf_import *i, struct error *err) {
    const size_t count = perf_maps_objects(i->samples->maps);
    size_t *order = calloc(count + 1, sizeof *order), met = 0;
    i->shown = calloc(count + 1, sizeof *i->shown);
    if (!order || !i->shown) {
        free(order);
        return error_nomem(err, i->o->file) == 0;
    }
    for (size_t k = 0; k < count; k++)
        if (i->samples->files[k].placed) order[met++] = k;
    qsort_r(order, met, sizeof *order, heavier, i);
    i->free_at = FREE_RANGES;
    for (size_t k = 0; k < met; k++) {
        if (i->user_count < PERF_USERS) add_user(i, order[k]);
        if (!i->shown[order[k]]) i->left_out++;
    }
    free(order);
    if (i->left_out)
        warning(i->o->notices, "%s: %" PRIu64 " files with little time are [unknown] in reports", i->o->file,
                i->left_out);
    add_image(i, "[kernel]", 1u << MODE_SUPERVISOR);
    add_image(i, "[hypervisor]", 1u << MODE_MACHINE);
    add_image(i, "[unknown]", 1u << PERF_MODE_UNKNOWN);
    return true;
}

struct place perf_moved(const struct perf_import *i, struct place place) {
    const uint64_t object = place_space(place.context);
    if (place_mode(place.context) != MODE_USER) return place;
    if (!i->shown[object]) return (struct place){place.pc, place_context(PERF_MODE_UNKNOWN, 0)};
    return (struct place){place.pc + i->samples->files[object].bias, place_context(MODE_USER, 0)};
}
