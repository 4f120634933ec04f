// One import of a perf.data file, while it is made. Not for other files than perf_*.c.
#ifndef TIPOFF_IMPORT_PERF_IMPORT_INTERNAL_H
#define TIPOFF_IMPORT_PERF_IMPORT_INTERNAL_H

#include "import/perf_import.h"
#include "import/perf_samples.h"
#include "samples/samples.h"

enum { PERF_USERS = 56 }; // of the images: files of user mode

struct perf_import {
    const struct import_options *o;
    struct perf_data *data;
    struct perf_maps *maps; // until the samples have them
    struct perf_samples *samples;
    struct samples_header h;
    size_t program;           // object of --program, or SIZE_MAX
    size_t users[PERF_USERS]; // objects with an image, in its order
    unsigned user_count;
    bool *shown; // of each object: it has one
    uint64_t free_at;
    uint64_t left_out; // files without an image
};

// ---- images (perf_images.c) ----
void perf_build_id_of(const char *path, char text[2 * PERF_BUILD_ID + 1]); // in hex; "": none, or no ELF file
bool perf_add_images(struct perf_import *i, struct error *err);            // of what the samples are in
struct place perf_moved(const struct perf_import *i, struct place place);  // as it is written: in the image's range

// ---- what is written (perf_write.c) ----
int perf_write(struct perf_import *i, struct error *err); // 0, or -EIO with err

#endif
