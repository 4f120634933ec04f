// The levels after the L1s replace as harness/cache_level.c, the least recently used line: see levels.h.
#include "methods/gus/levels.h"
#include "memory_map.h"

struct gus_levels *gus_levels_create(const struct gus_table *table, struct error *err) {
    struct gus_levels *l = error_calloc(sizeof *l, "gus", err);
    if (!l) return NULL;
    const uint32_t l2 = gus_table_size(table, "l2.kib", 0), l2_ways = l2 ? gus_table_size(table, "l2.ways", 1) : 0,
                   ways = gus_table_size(table, "llc.ways", 1);
    l->banks = gus_table_size(table, "dram.banks", 1);
    if (l->banks > GUS_BANKS) l->banks = GUS_BANKS;
    l->row_lines = gus_table_size(table, "dram.row_bytes", GUS_LINE) / GUS_LINE;
    l->write_backs = gus_table_size(table, "write_backs", 1) != 0;
    l->by_rows = gus_table_size(table, "dram_rows", 1) != 0;
    if (cache_set_up(&l->l2, CACHE_LEAST_RECENTLY_USED, l2 ? l2 * 1024 / GUS_LINE / l2_ways : 1, l2_ways) &&
        cache_set_up(&l->llc, CACHE_LEAST_RECENTLY_USED, gus_table_size(table, "llc.kib", 64) * 1024 / GUS_LINE / ways,
                     ways))
        return l;
    error_nomem(err, "gus");
    gus_levels_destroy(l);
    return NULL;
}

void gus_levels_destroy(struct gus_levels *l) {
    if (!l) return;
    cache_tear_down(&l->l2);
    cache_tear_down(&l->llc);
    free(l);
}

static enum gus_level memory(struct gus_levels *l, uint64_t line) {
    uint64_t page = line / l->row_lines, row = page / l->banks, bank = (page ^ row) % l->banks; // harness/dram.c
    bool open = l->open[bank] == row + 1;
    l->open[bank] = row + 1;
    return open || !l->by_rows ? GUS_ROW_HIT : GUS_ROW_MISS;
}

void gus_levels_sink(struct gus_levels *l, uint64_t line, struct gus_event *event) {
    if (!l->write_backs) return;
    event->written++;
    if (l->l2.ways) {
        struct cache_found f = cache_look(&l->l2, line, true);
        if (!f.evicts) return;
        line = f.evicted;
    }
    struct cache_found f = cache_look(&l->llc, line, true);
    if (!f.evicts) return;
    memory(l, f.evicted);
    event->sunk++;
}

static void sink_below(struct gus_levels *l, const struct cache_found *f, bool from_l2, struct gus_event *event) {
    if (!f->evicts || !l->write_backs) return;
    struct cache_found below = from_l2 ? cache_look(&l->llc, f->evicted, true) : *f;
    if (!below.evicts) return;
    memory(l, below.evicted);
    event->sunk++;
}

enum gus_level gus_levels_read(struct gus_levels *l, uint64_t line, struct gus_event *event) {
    if (line < DRAM_BASE / GUS_LINE) // read-only memory answers in the time of the first level
        return l->l2.ways ? GUS_L2 : GUS_LLC;
    struct cache_found l2 = {.hit = false};
    if (l->l2.ways) l2 = cache_look(&l->l2, line, false);
    sink_below(l, &l2, true, event);
    if (l2.hit) return GUS_L2;
    struct cache_found llc = cache_look(&l->llc, line, false);
    sink_below(l, &llc, false, event);
    return llc.hit ? GUS_LLC : memory(l, line);
}
