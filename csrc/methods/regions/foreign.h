// Regions that another tool has chosen, found in a run of the program on the instruction-set simulator.
#ifndef TIPOFF_METHODS_REGIONS_FOREIGN_H
#define TIPOFF_METHODS_REGIONS_FOREIGN_H

#include "methods/regions/region_formats.h"

// Runs a machine that is loaded to its end, run->max or run->stop, and fills in regions, slices and totals of f, which
// has none: a slice is a region, or what lies between two. run->interval: of SimPoint's intervals; 0: regions are
// between markers. Clusters are counted from 0 on, in the order of the regions; those of other slices are not known.
// A multiplier is the file's, or, of a weight, this share of all instructions by those of the region. 0, or a negative
// errno with err, which names the region by its number: the run does not come to it, or it lies within another.
int foreign_place(const struct foreign_regions *list, struct regions_run *run, struct iss *iss, struct regions_file *f,
                  struct error *err);
// What formula 3.2 of Sabu's thesis makes of a multiplier that counts slices, as LoopPoint's tool writes it (the share
// of the cluster times the number of slices): the same share, by the length of the region.
double foreign_multiplier(const struct foreign_regions *list, const struct regions_file *f, size_t region);

#endif
