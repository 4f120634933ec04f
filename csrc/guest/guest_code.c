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

// ---- where the program lies ----
static bool load(struct iss *iss, uint64_t address, uint64_t *value) {
    uint64_t physical;
    return iss_load_address(iss, address, &physical) && iss_read(iss, physical, value, sizeof *value);
}

// An entry of the auxiliary vector, which lies above argument count, arguments and environment on the program's stack.
static bool auxiliary(struct iss *iss, uint64_t type, uint64_t *value) {
    enum { SP = 2, MOST = 100000 };
    uint64_t at = iss_x(iss, SP) + 8, word;
    for (int ends = 0, n = 0; ends < 2; at += 8, n++) {
        if (n == MOST || !load(iss, at, &word)) return false;
        ends += word == 0;
    }
    for (; load(iss, at, &word) && word != AT_NULL; at += 16) {
        if (word == type) return load(iss, at + 8, value);
    }
    return false;
}

// Runtime address less the file's: by the entry that the kernel tells the program; the loader runs first.
static uint64_t bias_of(struct iss *iss, const char *path, struct error *err) {
    struct image *file = image_load_symbols(path, err);
    uint64_t entry = iss_pc(iss);
    auxiliary(iss, AT_ENTRY, &entry);
    uint64_t bias = file ? entry - image_entry(file) : 0;
    image_destroy(file);
    return bias;
}

int guest_describe(struct iss *iss, const struct guest_spaces *spaces, const char *program, bool alone,
                   const char *linux_elf, struct guest_images *images, struct error *err) {
    const char *slash = strrchr(program, '/');
    *images = (struct guest_images){0};
    if (!add(images, slash ? slash + 1 : program, MODE_USER, program, err)) return -EINVAL;
    images->list[0].any_space = false;
    images->list[0].space = spaces->program;
    images->list[0].bias = bias_of(iss, program, err);
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
