// What the files of the control-flow graph share; not for others.
#ifndef TIPOFF_METHODS_REGIONS_DCFG_INTERNAL_H
#define TIPOFF_METHODS_REGIONS_DCFG_INTERNAL_H

#include "methods/regions/dcfg.h"

// Finds routines and loops of a graph whose blocks and edges stand (dcfg_loops.c). False: no memory.
bool dcfg_nest(struct dcfg *d, const uint64_t *entries, size_t entry_count);

#endif
