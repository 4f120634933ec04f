// Opens the programs of a run, by what it says of each, and sees that they are what ran.
#ifndef TIPOFF_ANALYSIS_IMAGES_OPEN_H
#define TIPOFF_ANALYSIS_IMAGES_OPEN_H

#include "analysis/images.h"
#include "base/error.h"
#include "base/notices.h"
#include "profile/guest_images.h"

// Files that are named instead of those that the run found; each may be NULL.
struct program_listed;
struct image_files {
    const char *program, *kernel, *firmware;
    const char *debug_dir;               // separate debug files are looked for there, too
    const char *output;                  // which no image may be
    bool needed;                         // an image that cannot be read, or is another one, is an error
    const struct program_listed *listed; // of program_kind (analysis.h)
    size_t listed_count;
    const struct notices *notices; // else a warning: it is added without a program
    // All addresses of a recording of another machine, of any ISA (program_sampled.h). NULL: a run of RISC-V.
    const struct place *sampled;
    size_t sampled_count;
};

// Those of `list` or, where that is empty, `bare`: the one program of a bare machine, whose modes and space this sets.
// The caller destroys them. NULL with err.
struct images *images_open(const struct guest_images *list, const struct guest_image *bare,
                           const struct image_files *files, struct error *err);

#endif
