// The fast model as what simulates regions in detail (tipoff regions live --on gus).
#ifndef TIPOFF_CLI_REGIONS_LIVE_GUS_H
#define TIPOFF_CLI_REGIONS_LIVE_GUS_H

#include "methods/regions/pacsim_live.h"

// What the model knows when a region in detail begins: caches, TLBs, predictors.
enum live_warmup {
    LIVE_PERFECT,    // all that the run did: the model sees it all, and the region's cycles are cut out of that
    LIVE_FUNCTIONAL, // likewise, but without time: they are kept up while the machine is fast-forwarded
    LIVE_KEEP,       // what they had at the end of the region in detail before
    LIVE_NONE,       // nothing
    LIVE_WARMUPS
};
#define LIVE_WARMUP_NAMES "perfect", "functional", "keep", "none"

struct live_gus;
// table_path: as of `tipoff gus --table`; NULL: the configuration's. NULL with err.
struct live_gus *live_gus_create(const char *config, const char *table_path, enum live_warmup warmup,
                                 struct error *err);
void live_gus_destroy(struct live_gus *g); // NULL is fine; before its machine
void live_gus_engine(struct live_gus *g, struct pacsim_engine *engine);
void live_gus_leave(struct live_gus *g); // the machine of the engine, which may then be destroyed
// Cycles of a run of the same program that is in detail throughout, on a machine that is loaded as the first one was;
// full: those of each region, for the caller to free, of one hart; NULL: of several harts, whose regions end elsewhere
// there. cut: the first run did not go to the program's end. False with err, which is empty where *stop is a signal's
// number (base/signals.h).
bool live_gus_full(const struct live_gus *g, struct iss *iss, const struct pacsim *p, bool cut,
                   const volatile sig_atomic_t *stop, double *cycles, double **full, struct error *err);

#endif
