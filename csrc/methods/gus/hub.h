// The L1 data caches of several harts over one memory system, kept coherent as docs/reference/coherence.md says,
// without time: MESI by line, by broadcast. Of each line at most one cache has it modified or exclusive, and nobody
// else has it then.
#ifndef TIPOFF_METHODS_GUS_HUB_H
#define TIPOFF_METHODS_GUS_HUB_H

#include "machine/harts.h"
#include "methods/gus/levels.h"

enum { GUS_MET_BITS = 16 };
struct gus_hub { // its members: for caches.c
    struct gus_levels *levels;
    struct cache *l1d[MACHINE_MOST_HARTS];  // by hart; NULL: none yet
    uint64_t met[(1 << GUS_MET_BITS) / 64]; // lines that one hart had written when another asked, by a hash
};
struct gus_hub *gus_hub_create(const struct gus_table *table, struct error *err); // NULL with err: no memory
void gus_hub_destroy(struct gus_hub *h);                                          // NULL is fine

// What the other harts' caches say to a request of `hart`.
struct gus_snooped {
    bool kept;  // one keeps a copy
    bool had;   // one had a copy
    bool dirty; // one had it modified
};
// For a load, and a store that asks early: what is modified goes to the levels behind, and copies stay as shared ones.
struct gus_snooped gus_hub_share(struct gus_hub *h, unsigned hart, uint64_t line, struct gus_event *event);
// To own it: no copy stays.
struct gus_snooped gus_hub_take(struct gus_hub *h, unsigned hart, uint64_t line);
// For a prefetch: *refused where one owns it; nothing changes then.
struct gus_snooped gus_hub_try(struct gus_hub *h, unsigned hart, uint64_t line, bool *refused);

static inline uint32_t gus_hub_hash(uint64_t line) {
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - GUS_MET_BITS));
}
static inline bool gus_hub_met(const struct gus_hub *h, uint64_t line) { // or another of its hash
    const uint32_t at = gus_hub_hash(line);
    return h->met[at / 64] >> at % 64 & 1;
}

#endif
