// Sample files of parts of a program, as one file that stands for all of it: each part counts as often as the parts
// that it stands for.
#ifndef TIPOFF_SAMPLES_SAMPLES_PROJECT_H
#define TIPOFF_SAMPLES_SAMPLES_PROJECT_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct samples_projected_part {
    const char *path;
    double multiplier; // above 0
};
struct samples_projection {
    const struct samples_projected_part *parts; // one or more
    size_t count;
    const char *region, *command; // for the header: what was measured, and the command line of this
    uint64_t instructions;        // of the whole
};

// Writes `out`: time of samples, of profiles and of results that add up, each times its part's multiplier. Samples come
// part after part, as if they had run one after the other, each once; chance is that of N samples as before. Call
// stacks that are equal are one. Left out: lists, and what was checked. False with err: a part cannot be read or is not
// complete, parts have different programs, periods or tables, no memory, or `out` cannot be written.
bool samples_project(const struct samples_projection *p, const char *out, struct error *err);

#endif
