// The results of several sample files as those of one (cmd_results.c).
#ifndef TIPOFF_CLI_RESULTS_FOUND_H
#define TIPOFF_CLI_RESULTS_FOUND_H

#include "results.h"
#include "samples/samples.h"

struct results_found {
    struct results *results; // the caller makes it
    struct samples *first;   // file, whose program is to be that of all
    const char *first_path;
    bool warned; // that another's is not
    struct samples_unknown unknown[SAMPLES_UNKNOWN_MOST];
    size_t unknown_count;
    bool more_unknown; // than these
};
// One file more; a warning says what is damaged, passed over or belongs to another program. False with err: it does not
// read, or a sum is too large.
bool results_found_read(struct results_found *f, const char *path, struct error *err);
void results_found_free(struct results_found *f);

#endif
