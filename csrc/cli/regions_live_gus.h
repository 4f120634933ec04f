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
// table_path: as of `tipoff gus --table`; NULL: the configuration's. full: a second model sees all of the run, for the
// reference. NULL with err.
struct live_gus *live_gus_create(const char *config, const char *table_path, enum live_warmup warmup, bool full,
                                 struct error *err);
void live_gus_destroy(struct live_gus *g); // NULL is fine
void live_gus_engine(struct live_gus *g, struct pacsim_engine *engine);
// By region, and of all; NULL and 0: it was not asked for.
const double *live_gus_full(const struct live_gus *g, double *all);

#endif
