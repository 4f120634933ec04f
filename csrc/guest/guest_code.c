// What the report is given of the guest's code: files, modes and address spaces.
#include "base/elf.h"
#include "base/paths.h"
#include "guest/guest.h"
#include "profile/place.h"
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is known of a file; its name in reports is `name`. Without the file there is no image.
static bool add(struct guest_images *images, const char *name, enum place_mode mode, const char *path,
                struct error *err) {
    char real[PATH_MAX];
    struct guest_image *image = &images->list[images->count];
    struct image *file = images->count < GUEST_IMAGES ? image_load_symbols(path, err) : NULL;
    if (!file) return false;
    *image = (struct guest_image){.modes = 1u << mode, .any_space = true};
    snprintf(image->name, sizeof image->name, "%s", name);
    snprintf(image->path, sizeof image->path, "%s", realpath(path, real) ? real : path);
    snprintf(image->build_id, sizeof image->build_id, "%s", image_build_id(file));
    snprintf(image->digest, sizeof image->digest, "%s", image_digest(file));
    image_destroy(file);
    images->count++;
    return true;
}

static bool add_of_guest(struct guest_images *images, const char *linux_elf, const char *file, const char *name,
                         enum place_mode mode) {
    char path[PATH_MAX];
    struct error no_matter; // `make linux` of before did not keep it: addresses only
    const int folder = (int)(paths_name(linux_elf) - linux_elf);
    return snprintf(path, sizeof path, "%.*s%s", folder, linux_elf, file) < (int)sizeof path &&
           add(images, name, mode, path, &no_matter);
}

// ---- where the program lies ----
uint64_t guest_bias(struct iss *iss, const char *path, struct error *err) {
    struct image *file = image_load_symbols(path, err);
    uint64_t entry = hart_pc(iss_last(iss));
    guest_auxiliary(iss, AT_ENTRY, &entry);
    uint64_t bias = file ? entry - image_entry(file) : 0;
    image_destroy(file);
    return bias;
}

// The last image is code of one process.
static void belongs(struct guest_images *images, uint64_t space, uint64_t bias) {
    struct guest_image *image = &images->list[images->count - 1];
    image->any_space = false;
    image->space = space;
    image->bias = bias;
}

int guest_describe(struct iss *iss, const struct guest_spaces *spaces, const struct guest_code *code,
                   const char *linux_elf, struct guest_images *images, struct error *err) {
    uint64_t vdso;
    *images = (struct guest_images){0};
    if (!add(images, paths_name(code->program), MODE_USER, code->program, err)) return -EINVAL;
    belongs(images, spaces->program, guest_bias(iss, code->program, err));
    if (add_of_guest(images, linux_elf, "vdso.so", "vdso",
                     MODE_USER)) // in each process, but where is known of this one
        belongs(images, spaces->program, guest_auxiliary(iss, AT_SYSINFO_EHDR, &vdso) ? vdso : 0);
    add_of_guest(images, linux_elf, "vmlinux", "kernel", MODE_SUPERVISOR);
    add_of_guest(images, linux_elf, "firmware.elf", "firmware", MODE_MACHINE);
    if (add_of_guest(images, linux_elf, "init", "init", MODE_USER)) belongs(images, spaces->init, 0);
    return 0;
}

struct libraries {
    const struct guest_spaces *spaces;
    const struct guest_code *code;
    struct guest_images *images;
    bool full;
};

// The loader lists the vDSO, too, which is no file, and what it listed before.
static void add_library(void *context, const char *path, uint64_t bias) {
    struct libraries *l = context;
    const struct guest_file *file = guest_find_library(l->code, path);
    char real[PATH_MAX];
    struct error no_matter;
    if (!file || !realpath(file->host, real)) return;
    for (uint32_t i = 0; i < l->images->count; i++) {
        if (strcmp(l->images->list[i].path, real) == 0 && l->images->list[i].bias == bias) return;
    }
    // Half of the space is for the children.
    l->full = l->full || l->images->count >= GUEST_IMAGES / 2;
    if (!l->full && add(l->images, paths_name(path), MODE_USER, file->host, &no_matter))
        belongs(l->images, l->spaces->program, bias);
}

void guest_describe_libraries(struct iss *ahead, const struct guest_spaces *spaces, const struct guest_code *code,
                              struct guest_images *images, const struct notices *notices) {
    struct libraries l = {spaces, code, images, false};
    guest_look_ahead(ahead, spaces, guest_opens_libraries(code), add_library, &l);
    if (l.full)
        warning(notices, "%s: more libraries than the report can name, which are %d: others have addresses only",
                code->program, GUEST_IMAGES / 2);
}

void guest_describe_children(const struct guest_spaces *spaces, struct guest_images *images) {
    const uint32_t count = images->count;
    for (uint32_t i = 0; i < count && images->count < GUEST_IMAGES; i++) {
        if (images->list[i].any_space || images->list[i].space != spaces->program) continue;
        images->list[images->count] = images->list[i];
        images->list[images->count++].any_space = true;
    }
}
