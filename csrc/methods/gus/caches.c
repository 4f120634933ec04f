// Sets of lines, the most recent first: see caches.h.
#include "methods/gus/caches.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, PAGE_LINES = 64, BANKS = 1024 };

struct cache {
    uint64_t *lines; // + 1; 0: none. Of each set its ways, the most recent first
    uint32_t sets, ways;
};
struct gus_caches {
    struct cache l1i, l1d, llc;
    uint64_t open[BANKS]; // row of each bank, + 1
    uint64_t fresh;       // line of code that was prefetched last and not used yet
    uint32_t banks, row_lines;
    bool prefetch;
};

static bool set_up(struct cache *c, uint32_t sets, uint32_t ways) {
    c->sets = sets;
    c->ways = ways;
    c->lines = calloc((size_t)sets * ways + 1, sizeof *c->lines);
    return c->lines != NULL;
}

struct gus_caches *gus_caches_create(const struct gus_table *table, struct error *err) {
    struct gus_caches *c = calloc(1, sizeof *c);
    uint32_t ways = gus_table_size(table, "llc.ways", 1);
    if (c && set_up(&c->l1i, gus_table_size(table, "l1i.sets", 1), gus_table_size(table, "l1i.ways", 0)) &&
        set_up(&c->l1d, gus_table_size(table, "l1d.sets", 1), gus_table_size(table, "l1d.ways", 0)) &&
        set_up(&c->llc, gus_table_size(table, "llc.kib", 64) * 1024 / LINE / ways, ways)) {
        c->banks = gus_table_size(table, "dram.banks", 1);
        c->row_lines = gus_table_size(table, "dram.row_bytes", LINE) / LINE;
        c->prefetch = gus_table_size(table, "l1d.prefetch", 0) != 0;
        if (c->banks > BANKS) c->banks = BANKS;
        return c;
    }
    error_set(err, "gus: out of memory: free some and run again");
    gus_caches_destroy(c);
    return NULL;
}

void gus_caches_destroy(struct gus_caches *c) {
    if (!c) return;
    free(c->l1i.lines);
    free(c->l1d.lines);
    free(c->llc.lines);
    free(c);
}

// Whether the line was there; it is now.
static bool touch(struct cache *c, uint64_t line) {
    uint64_t *set = c->lines + line % c->sets * c->ways;
    if (set[0] == line + 1) return true;
    uint32_t at = 0;
    while (at < c->ways - 1 && set[at] != line + 1)
        at++;
    bool there = set[at] == line + 1;
    memmove(set + 1, set, at * sizeof *set);
    set[0] = line + 1;
    return there;
}

static bool has(const struct cache *c, uint64_t line) {
    const uint64_t *set = c->lines + line % c->sets * c->ways;
    for (uint32_t i = 0; i < c->ways; i++) {
        if (set[i] == line + 1) return true;
    }
    return false;
}

static enum gus_level access_line(struct gus_caches *c, struct cache *l1, uint64_t line) {
    if (l1->ways == 0 || touch(l1, line)) return GUS_L1;
    if (touch(&c->llc, line)) return GUS_LLC;
    uint64_t row = line / c->row_lines, bank = (row ^ row / c->banks) % c->banks;
    bool open = c->open[bank] == row + 1;
    c->open[bank] = row + 1;
    return open ? GUS_ROW_HIT : GUS_ROW_MISS;
}

static bool same_page(uint64_t a, uint64_t b) {
    return a / PAGE_LINES == b / PAGE_LINES;
}

void gus_caches_data(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    event->level = (uint8_t)access_line(c, &c->l1d, line);
    if (event->level == GUS_L1 || !c->prefetch || !same_page(line, line + 1) || has(&c->l1d, line + 1)) return;
    event->next_line = line + 1;
    event->next_level = (uint8_t)access_line(c, &c->l1d, line + 1);
}

// A miss, or the first use of a prefetched line, asks for the line behind it (rtl/fetch/icache_miss.sv).
void gus_caches_fetch(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    event->fetch_line = line;
    event->fetch_level = (uint8_t)access_line(c, &c->l1i, line);
    if (event->fetch_level == GUS_L1 && line != c->fresh) return;
    c->fresh = 0;
    if (!same_page(line, line + 1) || has(&c->l1i, line + 1)) return;
    c->fresh = event->fetch_next_line = line + 1;
    event->fetch_next_level = (uint8_t)access_line(c, &c->l1i, line + 1);
}
