// Regions in the formats of others: LoopPoint's table of regions (the CSV of its tool for PinPlay, which Sniper and
// gem5 read), and gem5's JSON of regions (gem5.resources.looppoint). Both name places by markers.
#ifndef TIPOFF_METHODS_REGIONS_REGION_FORMATS_H
#define TIPOFF_METHODS_REGIONS_REGION_FORMATS_H

#include "methods/regions/regions_file.h"

// What another tool has chosen, before it is found in a run.
struct foreign_region {
    size_t number;                    // the tool's: of the region, or the label of its cluster
    struct regions_marker start, end; // pc 0 of an end: the run's
    uint64_t interval;                // SimPoint's, from 0 on, instead of markers
    double multiplier;                // as the file has it; 0: by the weight
    double weight;                    // share of the run that it stands for; 0: by the multiplier
};
struct foreign_regions { // zeros at first; foreign_regions_free
    struct foreign_region *at;
    size_t count, capacity;
    size_t warmups; // of the file, that were passed over
};
void foreign_regions_free(struct foreign_regions *f);
// False with err, which names the file, its line or region, and what is wrong: it cannot be read, has no region, or one
// that is given twice.
bool looppoint_table_read(struct foreign_regions *f, const char *path, struct error *err);
bool gem5_regions_read(struct foreign_regions *f, const char *path, struct error *err);
bool simpoint_regions_read(struct foreign_regions *f, const char *simpoints, const char *weights, struct error *err);

// Whether each region begins and ends at a marker, or where the run does.
bool region_formats_can(const struct regions_file *f);
// Regions count from 1 on. entry: the program's: where the run begins, for the first time. Of the run's end pc and
// count are 0. LoopPoint's relative count, executions of the end's pc within the region, is known where the region
// begins at the same pc: then it is their difference; else it is 0 there and left out in JSON. The image's base is 0.
// Multipliers are ours (formula 3.2 of Sabu's thesis), not those of its tool, which take slices to be of equal length.
void looppoint_table_write(const struct regions_file *f, uint64_t entry, FILE *out);
// False with err: no memory.
bool gem5_regions_write(const struct regions_file *f, uint64_t entry, FILE *out, struct error *err);

#endif
