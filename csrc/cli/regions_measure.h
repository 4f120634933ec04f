// The regions of a file, simulated: what `tipoff regions run` and `validate` have in common. What a region has measured
// is kept in a folder under the digest of all that it depends on, and taken from there the next time.
#ifndef TIPOFF_CLI_REGIONS_MEASURE_H
#define TIPOFF_CLI_REGIONS_MEASURE_H

#include "methods/regions/measures.h"
#include "methods/regions/regions_file.h"
#include <argp.h>
#include <stdint.h>

struct regions_backend;
enum { REGIONS_SETS = 32 };
struct regions_measure {
    // What is asked for; the parser of regions_measure_argp fills it in.
    const struct regions_backend *backend;
    const char *path, *config, *keep, *count;
    const char *set[REGIONS_SETS];
    unsigned sets, jobs;
    uint64_t warmup, period; // period 0: no samples
    bool has_warmup, quiet;
    bool accesses; // caches are filled by those that the checkpoints have recorded
    // What it gave:
    struct regions_file file;
    struct measures *of; // of each region
    char **samples;      // paths of each region's, where there is a period
    size_t reused;       // regions that were measured before
    size_t missed;       // those that are left out: the program ended before their end marker was met
};

// --on, --config, --warmup, --jobs, --keep, --count, --set, --quiet and REGIONS: a child of a command's own, whose
// parser sets state->child_inputs. Their keys are REGIONS_MEASURE_KEYS and more.
enum { REGIONS_MEASURE_KEYS = 0x2000 };
extern const struct argp regions_measure_argp;

void regions_measure_begin(struct regions_measure *m);
void regions_measure_free(struct regions_measure *m);
// Reads the file and simulates its regions. EXIT_SUCCESS, or a status with err; 128 and the signal's number where one
// came: what has ended until then is kept.
int regions_measure(struct regions_measure *m, struct error *err);
// Instructions by which the cores warm up before the region, of the file's steps before it.
uint64_t regions_warmup(const struct regions_file *f, const struct regions_region *r);

#endif
