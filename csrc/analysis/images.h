// The images of a run: which ELF file's code is at an address, by privilege mode and address space. A program on the
// bare machine is one image for all modes; under Linux there are firmware (mode M), kernel (S) and programs (U, each in
// an address space of its own).
#ifndef TIPOFF_ANALYSIS_IMAGES_H
#define TIPOFF_ANALYSIS_IMAGES_H

#include "profile/place.h"
#include <stddef.h>

struct program;
struct program_function;
struct program_instruction;
struct images;

struct image_extent { // what an image is for
    unsigned modes;   // bit of each enum place_mode
    bool any_space;   // all address spaces that no other image names
    uint64_t space;   // else this one
    uint64_t bias;    // runtime address less the file's
};

struct image_hit {
    size_t image;       // number, in the order of images_add
    size_t instruction; // of its program (analysis.h)
    const struct program *program;
    uint64_t bias;
};

struct images *images_create(void);         // NULL: no memory
void images_destroy(struct images *images); // with the programs; NULL is fine
// Takes the program over, which may be NULL: there is an image, but it cannot be read. False: no memory.
bool images_add(struct images *images, const char *name, const struct image_extent *extent, struct program *program);
// Another extent of image `of`, whose program it shares.
bool images_add_extent(struct images *images, size_t of, const struct image_extent *extent);
size_t images_count(const struct images *images);
const char *images_name(const struct images *images, size_t i);
const struct image_extent *images_extent(const struct images *images, size_t i);
const struct program *images_program(const struct images *images, size_t i); // or NULL
bool images_any_program(const struct images *images);                        // one at least can be read
// The instruction there. An image of that very address space goes before those of any.
bool images_find(const struct images *images, struct place place, struct image_hit *hit);
const struct program_instruction *image_hit_instruction(const struct image_hit *hit);
const struct program_function *image_hit_function(const struct image_hit *hit); // which that is in
// The first image with code in this context, whatever its address; SIZE_MAX: none.
size_t images_of_context(const struct images *images, uint64_t context);
size_t images_only_of_context(const struct images *images, uint64_t context); // SIZE_MAX: none, or several

#endif
