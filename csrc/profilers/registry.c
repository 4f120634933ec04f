// The profilers, in the order of reports.
#include "profilers/profiler.h"

extern const struct profiler_ops profiler_tip, profiler_tip_ilp, profiler_nci, profiler_nci_ilp, profiler_lci,
    profiler_dispatch, profiler_fetch, profiler_software, profiler_ibs, profiler_spe, profiler_ris, profiler_nci_tea,
    profiler_tea;

const struct profiler_ops *const profiler_registry[] = {
    &profiler_tip,      //
    &profiler_tip_ilp,  //
    &profiler_nci,      //
    &profiler_nci_ilp,  //
    &profiler_lci,      //
    &profiler_dispatch, //
    &profiler_fetch,    //
    &profiler_software, //
    &profiler_ibs,      //
    &profiler_spe,      //
    &profiler_ris,      //
    &profiler_nci_tea,  //
    &profiler_tea,      //
};
const size_t profiler_registry_count = sizeof(profiler_registry) / sizeof(profiler_registry[0]);
