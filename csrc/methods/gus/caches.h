// Who has a line: the caches of a core by what they hold, without time. True LRU, write-allocate; every access counts
// in program order.
#ifndef TIPOFF_METHODS_GUS_CACHES_H
#define TIPOFF_METHODS_GUS_CACHES_H

#include "methods/gus/gus.h"

struct gus_caches;
// By the sizes l1i.sets, l1i.ways, l1d.sets, l1d.ways, l1d.prefetch, llc.kib, llc.ways, dram.banks, dram.row_bytes of
// the table; without l1d.ways everything hits. NULL with err: no memory.
struct gus_caches *gus_caches_create(const struct gus_table *table, struct error *err);
void gus_caches_destroy(struct gus_caches *c); // NULL is fine
// Fill in levels and prefetched lines. line: address / 64.
void gus_caches_data(struct gus_caches *c, uint64_t line, struct gus_event *event);
void gus_caches_fetch(struct gus_caches *c, uint64_t line, struct gus_event *event);

#endif
