// Who has a line: the caches of a core by what they hold, without time. Write-allocate; every access counts in program
// order. The L1 data cache replaces as rtl/lsu/dcache.sv (not recently used), the L1 instruction cache as
// rtl/fetch/icache.sv (by chance, from its register), the levels behind as harness/cache_level.c (least recently used).
#ifndef TIPOFF_METHODS_GUS_CACHES_H
#define TIPOFF_METHODS_GUS_CACHES_H

#include "methods/gus/hub.h"

struct gus_caches;
// By the sizes l1i.sets, l1i.ways, l1d.sets, l1d.ways, l1d.prefetch, l2.kib, l2.ways, llc.kib, llc.ways, dram.banks,
// dram.row_bytes of the table; without l1d.ways everything hits. hub: of several harts, in the order in which they are
// created, and it outlives them; NULL: the hart is alone, and has levels of its own. NULL with err: no memory.
struct gus_caches *gus_caches_create(const struct gus_table *table, struct gus_hub *hub, struct error *err);
void gus_caches_destroy(struct gus_caches *c); // NULL is fine

// Levels, prefetched lines and what is written back for them go to the event. line: physical address / 64. pending: it
// is on its way; such an access has the next line prefetched, as a miss has. atomic: an AMO, lr or sc. Of
// several harts also: GUS_OWNS with its level, GUS_MEETS.
void gus_caches_data(struct gus_caches *c, uint64_t line, bool store, bool atomic, bool pending,
                     struct gus_event *event);
void gus_caches_fetch(struct gus_caches *c, uint64_t line, struct gus_event *event);
// fence.i: dirty lines of data are written back, code is forgotten. How many cycles that takes: a set a cycle, and a
// dirty line (rtl/lsu/dcache_clean.sv).
uint32_t gus_caches_clean(struct gus_caches *c, struct gus_event *event);
// An entry of a page table, by the data cache's port.
enum gus_level gus_caches_walk(struct gus_caches *c, uint64_t line, struct gus_event *event);

#endif
