// The passes of `tipoff gus --sensitivity`: which resources are made faster together, in processes side by side.
#ifndef TIPOFF_CLI_GUS_VARIANTS_H
#define TIPOFF_CLI_GUS_VARIANTS_H

#include "methods/gus/sweep.h"

struct gus_passes {
    bool (*open)(void *context, struct gus_source *source, struct error *err); // a source from its beginning
    void (*close)(void *context, struct gus_source *source);
    void *context;
    const struct gus_table *table;
    unsigned jobs;
};
// Each resource alone at 1 to 15 %, pairs of those that matter or are busy, and sets grown one by one; those that gain
// anything ten times as fast, too. The best first. *variants: the caller frees it. False with err.
bool gus_variants(const struct gus_passes *passes, const struct gus *base, struct gus_variant **variants, size_t *count,
                  struct error *err);

#endif
