// Who has a line that an L1 misses, without time: the levels that all L1s share, and DRAM's open rows.
#ifndef TIPOFF_METHODS_GUS_LEVELS_H
#define TIPOFF_METHODS_GUS_LEVELS_H

#include "methods/gus/cache.h"
#include "methods/gus/gus.h"

enum { GUS_BANKS = 1024 };
struct gus_levels {
    struct cache l2, llc;
    uint64_t open[GUS_BANKS]; // row of each bank, + 1
    uint32_t banks, row_lines;
    bool write_backs, by_rows;
};

// By the sizes l2.kib, l2.ways, llc.kib, llc.ways, dram.banks, dram.row_bytes of the table. NULL with err: no memory.
struct gus_levels *gus_levels_create(const struct gus_table *table, struct error *err);
void gus_levels_destroy(struct gus_levels *l); // NULL is fine

// A line is read; what is written back for it goes to the event.
enum gus_level gus_levels_read(struct gus_levels *l, uint64_t line, struct gus_event *event);
void gus_levels_sink(struct gus_levels *l, uint64_t line, struct gus_event *event); // a dirty line of an L1 goes down

#endif
