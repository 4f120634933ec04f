// Sets of lines, each line at a way of its own: see caches.h.
#include "methods/gus/caches.h"
#include "memory_map.h"
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, PAGE_LINES = 64, BANKS = 1024 };
#define NO_LINE UINT64_MAX // + 1: 0
enum policy { NOT_RECENTLY_USED, BY_CHANCE, LEAST_RECENTLY_USED };

struct cache {
    uint64_t *lines;           // + 1; 0: none. Of each set its ways; least recently used: the most recent first
    uint64_t *used, *dirty;    // of each set, a bit a way
    uint8_t *newest;           // of each set, the way used last
    uint32_t sets, ways, mask; // mask: of a line, its set; 0: there are not a power of two of them, or one
    enum policy policy;
    uint8_t random; // rtl/fetch/icache.sv, random_q
};
struct gus_caches {
    struct cache l1i, l1d, l2, llc;
    uint64_t open[BANKS]; // row of each bank, + 1
    uint64_t fresh;       // line of code that was prefetched last and not used yet
    uint64_t asked;       // line that was prefetched last (rtl/lsu/lsu_prefetch.sv, last_q)
    uint32_t banks, row_lines;
    bool prefetch, prefetch_code, write_backs, by_rows;
};

// ---- one cache ----
static bool set_up(struct cache *c, enum policy policy, uint32_t sets, uint32_t ways) {
    c->policy = policy;
    c->sets = sets ? sets : 1;
    c->mask = c->sets & (c->sets - 1) ? 0 : c->sets - 1;
    c->ways = ways < 64 ? ways : 64;
    c->random = 1;
    c->lines = calloc((size_t)c->sets * c->ways + 1, sizeof *c->lines);
    c->used = calloc(c->sets, sizeof *c->used);
    c->dirty = calloc(c->sets, sizeof *c->dirty);
    c->newest = calloc(c->sets, sizeof *c->newest);
    return c->lines && c->used && c->dirty && c->newest;
}

static void tear_down(struct cache *c) {
    free(c->lines);
    free(c->used);
    free(c->dirty);
    free(c->newest);
}

static uint32_t set_of(const struct cache *c, uint64_t line) {
    return c->mask ? (uint32_t)line & c->mask : (uint32_t)(line % c->sets);
}

static uint32_t way_of(const struct cache *c, uint32_t set, uint64_t line) {
    const uint64_t *lines = c->lines + (size_t)set * c->ways;
    uint32_t way = 0;
    while (way < c->ways && lines[way] != line + 1)
        way++;
    return way;
}

static bool has(const struct cache *c, uint64_t line) {
    return way_of(c, set_of(c, line), line) < c->ways;
}

static void touch(struct cache *c, uint32_t set, uint32_t way) {
    const uint64_t all = c->ways < 64 ? (UINT64_C(1) << c->ways) - 1 : UINT64_MAX;
    c->used[set] |= UINT64_C(1) << way;
    if (c->used[set] == all) c->used[set] = UINT64_C(1) << way;
}

// A way to the front: the order is the age.
static void to_front(struct cache *c, uint32_t set, uint32_t way) {
    uint64_t *lines = c->lines + (size_t)set * c->ways, line = lines[way];
    const uint64_t below = (UINT64_C(1) << way) - 1, dirty = c->dirty[set];
    memmove(lines + 1, lines, way * sizeof *lines);
    lines[0] = line;
    c->dirty[set] = (dirty & ~(below << 1 | 1)) | (dirty & below) << 1 | (dirty >> way & 1);
}

static uint32_t victim(struct cache *c, uint32_t set) {
    if (c->policy == LEAST_RECENTLY_USED) return c->ways - 1;
    uint32_t way = way_of(c, set, NO_LINE); // a free one
    if (way == c->ways && c->policy == BY_CHANCE) way = c->random % c->ways;
    for (uint32_t i = 0; way == c->ways && i < c->ways; i++)
        if (!(c->used[set] >> i & 1)) way = i;
    return way == c->ways ? 0 : way;
}

struct found {
    bool hit, evicts; // evicts: a dirty line
    uint64_t evicted;
};

// The line is the one of its set that was used last: its age, and the others', stay as they are.
static inline bool is_newest(struct cache *c, uint64_t line, bool dirty) {
    const uint32_t set = set_of(c, line), newest = c->newest[set];
    if (c->lines[(size_t)set * c->ways + newest] != line + 1) return false;
    c->dirty[set] |= (uint64_t)dirty << newest;
    return true;
}

// The line is looked up; it is present afterwards.
static struct found look(struct cache *c, uint64_t line, bool dirty) {
    if (is_newest(c, line, dirty)) return (struct found){.hit = true};
    const uint32_t set = set_of(c, line);
    uint32_t way = way_of(c, set, line);
    struct found f = {.hit = way < c->ways};
    if (!f.hit) {
        way = victim(c, set);
        uint64_t *at = &c->lines[(size_t)set * c->ways + way];
        f.evicts = *at && (c->dirty[set] >> way & 1);
        f.evicted = *at - 1;
        *at = line + 1;
        c->dirty[set] &= ~(UINT64_C(1) << way);
        c->random = (uint8_t)((c->random << 1 & 0x7f) | ((c->random >> 6 ^ c->random >> 5) & 1));
    }
    c->dirty[set] |= (uint64_t)dirty << way;
    if (c->policy == LEAST_RECENTLY_USED) {
        to_front(c, set, way);
    } else {
        touch(c, set, way);
        c->newest[set] = (uint8_t)way;
    }
    return f;
}

// ---- life ----
struct gus_caches *gus_caches_create(const struct gus_table *table, struct error *err) {
    struct gus_caches *c = calloc(1, sizeof *c);
    const uint32_t l2 = gus_table_size(table, "l2.kib", 0), l2_ways = l2 ? gus_table_size(table, "l2.ways", 1) : 0,
                   ways = gus_table_size(table, "llc.ways", 1);
    if (c && set_up(&c->l1i, BY_CHANCE, gus_table_size(table, "l1i.sets", 1), gus_table_size(table, "l1i.ways", 0)) &&
        set_up(&c->l1d, NOT_RECENTLY_USED, gus_table_size(table, "l1d.sets", 1),
               gus_table_size(table, "l1d.ways", 0)) &&
        set_up(&c->l2, LEAST_RECENTLY_USED, l2 ? l2 * 1024 / LINE / l2_ways : 1, l2_ways) &&
        set_up(&c->llc, LEAST_RECENTLY_USED, gus_table_size(table, "llc.kib", 64) * 1024 / LINE / ways, ways)) {
        c->banks = gus_table_size(table, "dram.banks", 1);
        c->row_lines = gus_table_size(table, "dram.row_bytes", LINE) / LINE;
        c->prefetch = gus_table_size(table, "l1d.prefetch", 0) != 0;
        c->prefetch_code = gus_table_size(table, "l1i.prefetch", 1) != 0;
        c->write_backs = gus_table_size(table, "write_backs", 1) != 0;
        c->by_rows = gus_table_size(table, "dram_rows", 1) != 0;
        if (c->banks > BANKS) c->banks = BANKS;
        return c;
    }
    error_nomem(err, "gus");
    gus_caches_destroy(c);
    return NULL;
}

void gus_caches_destroy(struct gus_caches *c) {
    if (!c) return;
    tear_down(&c->l1i);
    tear_down(&c->l1d);
    tear_down(&c->l2);
    tear_down(&c->llc);
    free(c);
}

// ---- levels ----
static enum gus_level memory(struct gus_caches *c, uint64_t line) {
    uint64_t page = line / c->row_lines, row = page / c->banks, bank = (page ^ row) % c->banks; // harness/dram.c
    bool open = c->open[bank] == row + 1;
    c->open[bank] = row + 1;
    return open || !c->by_rows ? GUS_ROW_HIT : GUS_ROW_MISS;
}

// A dirty line goes a level down.
static void sink(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    if (!c->write_backs) return;
    event->written++;
    if (c->l2.ways) {
        struct found f = look(&c->l2, line, true);
        if (!f.evicts) return;
        line = f.evicted;
    }
    struct found f = look(&c->llc, line, true);
    if (!f.evicts) return;
    memory(c, f.evicted);
    event->sunk++;
}

static void sink_below(struct gus_caches *c, const struct found *f, bool from_l2, struct gus_event *event) {
    if (!f->evicts || !c->write_backs) return;
    struct found below = from_l2 ? look(&c->llc, f->evicted, true) : *f;
    if (!below.evicts) return;
    memory(c, below.evicted);
    event->sunk++;
}

static enum gus_level access_line(struct gus_caches *c, struct cache *l1, uint64_t line, bool dirty,
                                  struct gus_event *event) {
    if (l1->ways == 0) return GUS_L1;
    struct found f = look(l1, line, dirty);
    if (f.hit) return GUS_L1;
    enum gus_level level = GUS_L2;
    struct found l2 = {.hit = false};
    if (line < DRAM_BASE / LINE) { // read-only memory answers in the time of the first level
        level = c->l2.ways ? GUS_L2 : GUS_LLC;
    } else {
        if (c->l2.ways) l2 = look(&c->l2, line, false);
        sink_below(c, &l2, true, event);
        if (!l2.hit) {
            struct found llc = look(&c->llc, line, false);
            sink_below(c, &llc, false, event);
            level = llc.hit ? GUS_LLC : memory(c, line);
        }
    }
    if (f.evicts) sink(c, f.evicted, event);
    return level;
}

static bool same_page(uint64_t a, uint64_t b) {
    return a / PAGE_LINES == b / PAGE_LINES;
}

void gus_caches_data(struct gus_caches *c, uint64_t line, bool store, bool pending, struct gus_event *event) {
    event->level = is_newest(&c->l1d, line, store) ? GUS_L1 : (uint8_t)access_line(c, &c->l1d, line, store, event);
    if (event->level == GUS_L1 && !pending) return;
    if (!c->prefetch || !same_page(line, line + 1) || c->asked == line + 1) return;
    c->asked = line + 1;
    if (has(&c->l1d, line + 1)) return;
    event->next_line = line + 1;
    event->next_level = (uint8_t)access_line(c, &c->l1d, line + 1, false, event);
}

// A miss, or the first use of a prefetched line, asks for the next line (rtl/fetch/icache_miss.sv).
void gus_caches_fetch(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    event->fetch_line = line;
    event->fetch_level =
        is_newest(&c->l1i, line, false) ? GUS_L1 : (uint8_t)access_line(c, &c->l1i, line, false, event);
    if (event->fetch_level == GUS_L1 && line != c->fresh) return;
    c->fresh = 0;
    if (!c->prefetch_code || !same_page(line, line + 1) || has(&c->l1i, line + 1)) return;
    c->fresh = event->fetch_next_line = line + 1;
    event->fetch_next_level = (uint8_t)access_line(c, &c->l1i, line + 1, false, event);
}

uint32_t gus_caches_clean(struct gus_caches *c, struct gus_event *event) {
    uint32_t cycles = 0;
    for (uint32_t set = 0; set < c->l1d.sets; set++) {
        const uint32_t dirty = (uint32_t)__builtin_popcountll(c->l1d.dirty[set]);
        cycles += dirty ? dirty : 1;
        for (uint32_t way = 0; way < c->l1d.ways; way++)
            if (c->l1d.dirty[set] >> way & 1) sink(c, c->l1d.lines[(size_t)set * c->l1d.ways + way] - 1, event);
        c->l1d.dirty[set] = 0;
    }
    memset(c->l1i.lines, 0, (size_t)c->l1i.sets * c->l1i.ways * sizeof *c->l1i.lines);
    c->fresh = 0;
    return cycles;
}

enum gus_level gus_caches_walk(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    return access_line(c, &c->l1d, line, false, event);
}
