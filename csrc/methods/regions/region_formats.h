// Regions in the formats of others: LoopPoint's table of regions (the CSV of its tool for PinPlay, which Sniper and
// gem5 read), and gem5's JSON of regions (gem5.resources.looppoint). Both name places by markers.
#ifndef TIPOFF_METHODS_REGIONS_REGION_FORMATS_H
#define TIPOFF_METHODS_REGIONS_REGION_FORMATS_H

#include "methods/regions/regions_file.h"

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
