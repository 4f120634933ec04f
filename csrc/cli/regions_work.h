// What regions_measure.c, regions_keys.c, regions_places.c and regions_backends.c share.
#ifndef TIPOFF_CLI_REGIONS_WORK_H
#define TIPOFF_CLI_REGIONS_WORK_H

#include "cli/children.h"
#include "cli/iss_program.h"
#include "cli/regions_measure.h"
#include <limits.h>

// Of a region's markers: executions, by all harts, before its checkpoint.
struct regions_before {
    uint64_t start, end;
};

struct regions_work {
    struct regions_measure *m;
    char folder[PATH_MAX];         // of configurations and models
    char *keep;                    // where results are kept
    bool alone;                    // a region at the program's beginning needs no checkpoint
    uint64_t common;               // digest of what is the same for all regions
    uint64_t *keys;                // of each
    struct regions_before *before; // likewise, of several harts
    struct child *children;
    size_t *regions; // of each child
    size_t count;
    struct error *err;
    int status; // of what is wrong
};

// Who simulates a region: the command line that leaves its result, for measures_read, in the file `part` (samples:
// part.tips).
struct regions_backend {
    const char *name;
    void (*command)(const struct regions_work *w, size_t region, const char *part, struct child *child);
    bool (*digest)(const struct regions_work *w, uint64_t *digest); // of the model
    bool counts, samples;                                           // takes --count and --set, --period
    bool steps;                                                     // its instructions are instructions and traps
};
extern const struct regions_backend regions_backends[];
enum { REGIONS_BACKENDS = 2 };

// regions_keys.c
// Whether the program is the one of the file; sets alone.
bool regions_check_program(struct regions_work *w);
// Every region has a checkpoint that lies where it is wanted, or needs none. False with err and status.
bool regions_find_checkpoints(struct regions_work *w);
// Under which names results are kept.
bool regions_make_keys(struct regions_work *w);
// It begins where the program does, cold or with a warm-up.
bool regions_begins_alone(const struct regions_work *w, const struct regions_region *r);
bool regions_digest_file(uint64_t *digest, const char *path, struct error *err);
// The program, as it ran when its regions were found, on the simulator. The exit status.
int regions_run_again(struct regions_work *w, iss_program_with *with, void *context);

// regions_places.c
// Whether its edges are executions of markers, by all harts; else instructions.
bool regions_by_markers(const struct regions_file *f);
// Fills in `before` by another run on the simulator. False with err and status.
bool regions_count_before(struct regions_work *w);
// Drops those whose end was not met: the others stand for the run. False with err: none is left.
bool regions_leave_out(struct regions_measure *m, struct error *err);

#endif
