// The core's model as what simulates regions in detail (tipoff regions live --on rtl): a checkpoint of each, and a
// process `tipoff run` each, when the simulator has gone through the program, which takes little of the time.
#ifndef TIPOFF_CLI_REGIONS_LIVE_RTL_H
#define TIPOFF_CLI_REGIONS_LIVE_RTL_H

#include "iss/checkpoint.h"
#include "methods/regions/pacsim_live.h"

struct live_rtl_options {                 // borrowed
    const char *config, *program, *input; // program, input: NULL: not given
    char *const *argv;                    // the program's, its name first; NULL: a checkpoint is gone on with
    struct checkpoint_origin *origin;
    bool accesses;   // caches are filled by the last accesses before it (iss/last_accesses.h)
    uint64_t warmup; // instructions before a region, which are not measured
    unsigned jobs;
    bool quiet;
};
struct live_rtl;
// Makes a folder for what it needs, in $TMPDIR or /tmp. NULL with err.
struct live_rtl *live_rtl_create(const struct live_rtl_options *options, struct error *err);
void live_rtl_destroy(struct live_rtl *r); // the folder, too; NULL is fine
void live_rtl_engine(struct live_rtl *r, struct pacsim_engine *engine);
// Simulates the regions in detail, whose cycles are then known, and estimates the others. 0; the number of the signal
// that ended it; -1 with err. *seconds: how long it took.
int live_rtl_measure(struct live_rtl *r, struct pacsim *p, double *seconds, struct error *err);

#endif
