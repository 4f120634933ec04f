// The whole run, estimated from its regions: Sabu's thesis, formula 3.1.
#ifndef TIPOFF_METHODS_REGIONS_PROJECTION_H
#define TIPOFF_METHODS_REGIONS_PROJECTION_H

#include "methods/regions/measures.h"
#include "methods/regions/regions_file.h"

// By how much the sum of what is measured, times multipliers, falls short of the run: 1, and more where clusters were
// left out (--coverage), which are taken to be as the others are together.
double projection_scale(const struct regions_file *f);
// of: what each region has measured. whole: empty; gets every number of any of them, projected; "instructions" is the
// file's. False with err: no memory.
bool projection_make(const struct regions_file *f, const struct measures *of, struct measures *whole,
                     struct error *err);

#endif
