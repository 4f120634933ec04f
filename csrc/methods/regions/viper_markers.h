// The classes of a program's markers, by its code alone (Viper: Sabu's thesis, 4.3.1).
//   MARKER_BARRIER    where a parallel region begins (GCC's functions ._omp_fn) or a call of OpenMP's that makes one is
//                     over, and what follows a barrier: OpenMP's, pthread's, tipoff_harts.h's and sync_barrier,
//                     also where they are inlined
//   MARKER_TASK_LOOP  a loop that is in no other one of its function, that function being outermost in the parallel
//                     region: the region's own (without OpenMP tipoff_hart_main and main), or, where that has no loops,
//                     what it calls, and so on
//   MARKER_LOOP       all others
#ifndef TIPOFF_METHODS_REGIONS_VIPER_MARKERS_H
#define TIPOFF_METHODS_REGIONS_VIPER_MARKERS_H

#include "methods/regions/marker_sources.h"

// m: all loops of the program's own code (markers_of_loops); sorted again. False with err: no memory.
bool viper_classify(struct markers *m, const struct program *p, const struct own_code *code, struct error *err);

#endif
