// A file of regions (NAME.regions, JSON): which slices of a run stand for it, as `tipoff regions find --format json`
// writes it and `tipoff regions run` and `validate` read it. Counts are JSON numbers below 2^53, addresses text
// (0x...). The multiplier of a region: what is measured of it, times this, added up over all regions, is an estimate of
// the run (Sabu's thesis, formulas 3.1 and 3.2).
#ifndef TIPOFF_METHODS_REGIONS_REGIONS_FILE_H
#define TIPOFF_METHODS_REGIONS_REGIONS_FILE_H

#include "methods/regions/regions.h"
#include <stdio.h>

enum { REGIONS_FILE_VERSION = 1, REGIONS_FILE_MOST = 1 << 28 }; // bytes of one

struct regions_region {
    size_t slice, cluster;
    struct regions_marker start, end;             // as of struct regions_slice
    uint64_t begin, steps, instructions, counted; // likewise
    double multiplier;                            // above 0
    char *checkpoint;                             // path; NULL: none was made
    uint64_t warmup;                              // steps by which the checkpoint lies before begin
};

// The cluster of a slice whose cluster is not known: regions that others have chosen.
#define REGIONS_NO_CLUSTER UINT32_MAX

// Of every slice of the run.
struct regions_slices {
    uint64_t begin, steps, instructions, counted;
    size_t cluster;
};

struct regions_file {
    char *program, *digest; // path, and image_digest; "": not known
    char *method;           // by name
    char *input, *restore;  // paths of the console's input and of the checkpoint that it began with; NULL: none
    char **arguments;       // of the program, without its name, ended by NULL; NULL: none
    unsigned harts;         // 1 or more
    uint64_t quantum;       // of the run, instructions; 0: the default, or the checkpoint's
    uint64_t interval;      // instructions of a slice that were asked for; 0: not known
    uint64_t steps, instructions, counted; // totals of the slices
    struct regions_region *regions;        // in order of their clusters
    size_t region_count;
    struct regions_slices *slices;
    size_t slice_count;
};

// Everything that it holds, and makes it empty.
void regions_file_free(struct regions_file *f);
// Whether the cluster of each slice is known.
bool regions_file_clustered(const struct regions_file *f);
// All of it, in one JSON object. False with err: no memory (what could not be written is the caller's to see).
bool regions_file_write(const struct regions_file *f, FILE *out, struct error *err);
// f: empty; to be freed in any case. 0, or a negative errno with err: it cannot be read, is no file of regions, or says
// what cannot be. Whatever reads it may rely on: one region or more, each with one slice of its own whose numbers are
// the region's; slices in order, none overlaps another; totals are their sums; warmup is at most begin.
int regions_file_read(struct regions_file *f, const char *path, struct error *err);

#endif
