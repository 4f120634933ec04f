// What the report is told of the guest's code: files, modes and address spaces.
#include "base/elf.h"
#include "base/place.h"
#include "guest/guest.h"
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
    image_destroy(file);
    images->count++;
    return true;
}

static void add_of_guest(struct guest_images *images, const char *linux_elf, const char *file, const char *name,
                         enum place_mode mode) {
    char path[PATH_MAX];
    struct error no_matter; // `make linux` of before did not keep it: addresses only
    const char *slash = strrchr(linux_elf, '/');
    int folder = slash ? (int)(slash + 1 - linux_elf) : 0;
    if (snprintf(path, sizeof path, "%.*s%s", folder, linux_elf, file) < (int)sizeof path)
        add(images, name, mode, path, &no_matter);
}

// How far from where the file says the program lies: it has come to its entry.
static uint64_t bias_of(const char *path, uint64_t pc, struct error *err) {
    struct image *file = image_load_symbols(path, err);
    uint64_t bias = file ? pc - image_entry(file) : 0;
    image_destroy(file);
    return bias;
}

int guest_describe(const struct iss *iss, const struct guest_spaces *spaces, const char *program, bool alone,
                   const char *linux_elf, struct guest_images *images, struct error *err) {
    const char *slash = strrchr(program, '/');
    *images = (struct guest_images){0};
    if (!add(images, slash ? slash + 1 : program, MODE_USER, program, err)) return -EINVAL;
    images->list[0].any_space = false;
    images->list[0].space = spaces->program;
    images->list[0].bias = bias_of(program, iss_pc(iss), err);
    add_of_guest(images, linux_elf, "vmlinux", "kernel", MODE_SUPERVISOR);
    add_of_guest(images, linux_elf, "firmware.elf", "firmware", MODE_MACHINE);
    uint32_t init = images->count;
    add_of_guest(images, linux_elf, "init", "init", MODE_USER);
    if (images->count > init) {
        images->list[init].any_space = false;
        images->list[init].space = spaces->init;
    }
    if (alone && images->count < GUEST_IMAGES) {
        images->list[images->count] = images->list[0];
        images->list[images->count++].any_space = true;
    }
    return 0;
}
