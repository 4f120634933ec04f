// Whose code runs where, under an operating system: firmware, kernel and programs, each an ELF file, with the mode and
// the address space in which its addresses mean it. Carried by checkpoints and sample files.
#ifndef TIPOFF_PROFILE_GUEST_IMAGES_H
#define TIPOFF_PROFILE_GUEST_IMAGES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

enum { GUEST_IMAGES = 64 };

struct guest_image {
    char name[64];     // "kernel"
    uint32_t modes;    // bit of each enum place_mode
    bool any_space;    // in all address spaces that no other image has; else in this one:
    uint64_t space;    // satp's page number
    uint64_t bias;     // address at run time less the file's
    uint64_t bytes;    // of an image without a file: from `bias` on; 0: all of its modes
    char path[1024];   // from the root; "": there is no file
    char build_id[64]; // or ""
    char digest[32];   // of what its file loads (base/elf_digest.h); "" where the writer did not know
};

struct guest_images {
    uint32_t count; // 0: no operating system
    struct guest_image list[GUEST_IMAGES];
};

// As the member "images" of a JSON object; without images there is none. take: false if it is damaged.
void guest_images_put(cJSON *object, const struct guest_images *images);
bool guest_images_take(const cJSON *object, struct guest_images *images);
// The program itself: the first that runs in user mode; NULL if there is none.
const struct guest_image *guest_images_program(const struct guest_images *images);

#endif
