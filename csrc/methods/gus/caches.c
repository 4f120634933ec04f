// Who has a line: the L1s of a core, and what is asked of the levels behind: see caches.h.
#include "methods/gus/caches.h"

enum { PAGE_LINES = 64 };

struct gus_caches {
    struct cache l1i, l1d;
    struct gus_levels *levels;
    struct gus_hub *hub; // of several harts; NULL: there is this one alone
    unsigned hart;       // among them
    uint64_t fresh;      // line of code that was prefetched last and not used yet
    uint64_t asked;      // line that was prefetched last (rtl/lsu/lsu_prefetch.sv, last_q)
    bool prefetch, prefetch_code;
};

// ---- life ----
static bool join(struct gus_caches *c, struct gus_hub *hub, const struct gus_table *table, struct error *err) {
    if (!hub) return (c->levels = gus_levels_create(table, err)) != NULL;
    while (c->hart < MACHINE_MOST_HARTS && hub->l1d[c->hart])
        c->hart++;
    if (c->hart == MACHINE_MOST_HARTS) {
        error_set(err, "gus: at most %d harts", MACHINE_MOST_HARTS);
        return false;
    }
    c->hub = hub;
    c->levels = hub->levels;
    hub->l1d[c->hart] = &c->l1d;
    return true;
}

struct gus_caches *gus_caches_create(const struct gus_table *table, struct gus_hub *hub, struct error *err) {
    struct gus_caches *c = error_calloc(sizeof *c, "gus", err);
    if (!c) return NULL;
    c->prefetch = gus_table_size(table, "l1d.prefetch", 0) != 0;
    c->prefetch_code = gus_table_size(table, "l1i.prefetch", 1) != 0;
    if (!cache_set_up(&c->l1i, CACHE_BY_CHANCE, gus_table_size(table, "l1i.sets", 1),
                      gus_table_size(table, "l1i.ways", 0)) ||
        !cache_set_up(&c->l1d, CACHE_NOT_RECENTLY_USED, gus_table_size(table, "l1d.sets", 1),
                      gus_table_size(table, "l1d.ways", 0))) {
        error_nomem(err, "gus");
    } else if (join(c, hub, table, err)) {
        return c;
    }
    gus_caches_destroy(c);
    return NULL;
}

void gus_caches_destroy(struct gus_caches *c) {
    if (!c) return;
    if (c->hub) c->hub->l1d[c->hart] = NULL;
    if (!c->hub) gus_levels_destroy(c->levels);
    cache_tear_down(&c->l1i);
    cache_tear_down(&c->l1d);
    free(c);
}

// ---- one hart alone, and instructions ----
static enum gus_level access_line(struct gus_caches *c, struct cache *l1, uint64_t line, bool dirty,
                                  struct gus_event *event) {
    if (l1->ways == 0) return GUS_L1;
    struct cache_found f = cache_look(l1, line, dirty);
    if (f.hit) return GUS_L1;
    enum gus_level level = gus_levels_read(c->levels, line, event);
    if (f.evicts) gus_levels_sink(c->levels, f.evicted, event);
    return level;
}

// ---- several harts ----
// A line comes into the L1, as the state says: owned, or modified.
static enum gus_level fill(struct gus_caches *c, uint64_t line, bool owned, bool dirty, bool peer,
                           struct gus_event *event) {
    const struct cache_found f = cache_look(&c->l1d, line, dirty);
    const uint32_t set = cache_set(&c->l1d, line), way = cache_way(&c->l1d, set, line);
    const uint64_t bit = UINT64_C(1) << way;
    c->l1d.owned[set] = (c->l1d.owned[set] & ~bit) | (owned ? bit : 0);
    const enum gus_level level = gus_levels_read(c->levels, line, event);
    if (f.evicts) gus_levels_sink(c->levels, f.evicted, event);
    return peer ? GUS_PEER : level;
}

// A load, or a store that asks early: shared where another one keeps a copy.
static enum gus_level get(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    const struct gus_snooped s = gus_hub_share(c->hub, c->hart, line, event);
    return fill(c, line, !s.kept, false, s.dirty, event);
}

// The hart is the only one that has it then.
static enum gus_level own(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    const struct gus_snooped s = gus_hub_take(c->hub, c->hart, line);
    return fill(c, line, true, true, s.dirty, event);
}

// A store asks for a copy when its address is known, and to own the line when it drains; an atomic one does both at
// once.
static enum gus_level store_line(struct gus_caches *c, uint64_t line, bool atomic, struct gus_event *event) {
    const uint32_t set = cache_set(&c->l1d, line);
    uint32_t way = cache_way(&c->l1d, set, line);
    enum gus_level level = GUS_L1;
    if (way == c->l1d.ways) {
        if (atomic) return own(c, line, event);
        level = get(c, line, event);
        way = cache_way(&c->l1d, set, line);
    }
    if (c->l1d.owned[set] >> way & 1) {
        cache_look(&c->l1d, line, true);
        return level;
    }
    if (atomic) return own(c, line, event);
    event->flags |= GUS_OWNS;
    event->own_level = (uint8_t)own(c, line, event);
    return level;
}

static enum gus_level shared_line(struct gus_caches *c, uint64_t line, bool store, bool atomic,
                                  struct gus_event *event) {
    if (c->l1d.ways == 0) return GUS_L1;
    if (gus_hub_met(c->hub, line)) event->flags |= GUS_MEETS;
    if (store || atomic) return store_line(c, line, atomic, event); // lr too asks to own its line
    if (!cache_has(&c->l1d, line)) return get(c, line, event);
    cache_look(&c->l1d, line, false);
    return GUS_L1;
}

static enum gus_level prefetched(struct gus_caches *c, uint64_t line, bool *refused, struct gus_event *event) {
    *refused = false;
    if (!c->hub) return access_line(c, &c->l1d, line, false, event);
    const struct gus_snooped s = gus_hub_try(c->hub, c->hart, line, refused);
    return *refused ? GUS_L1 : fill(c, line, !s.kept, false, false, event);
}

static bool same_page(uint64_t a, uint64_t b) {
    return a / PAGE_LINES == b / PAGE_LINES;
}

// The L1's of a hart that is alone; of several, unless the state or another hart is asked for.
static inline bool hits_at_once(struct gus_caches *c, uint64_t line, bool store) {
    return !c->hub && cache_is_newest(&c->l1d, line, store);
}

void gus_caches_data(struct gus_caches *c, uint64_t line, bool store, bool atomic, bool pending,
                     struct gus_event *event) {
    event->level = hits_at_once(c, line, store) ? GUS_L1
                   : c->hub                     ? (uint8_t)shared_line(c, line, store, atomic, event)
                                                : (uint8_t)access_line(c, &c->l1d, line, store, event);
    if (event->level == GUS_L1 && !pending) return;
    if (!c->prefetch || !same_page(line, line + 1) || c->asked == line + 1) return;
    c->asked = line + 1;
    if (cache_has(&c->l1d, line + 1)) return;
    bool refused;
    const enum gus_level level = prefetched(c, line + 1, &refused, event);
    if (refused) return;
    event->next_line = line + 1;
    event->next_level = (uint8_t)level;
}

// A miss, or the first use of a prefetched line, asks for the next line (rtl/fetch/icache_miss.sv).
void gus_caches_fetch(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    event->fetch_line = line;
    event->fetch_level =
        cache_is_newest(&c->l1i, line, false) ? GUS_L1 : (uint8_t)access_line(c, &c->l1i, line, false, event);
    if (event->fetch_level == GUS_L1 && line != c->fresh) return;
    c->fresh = 0;
    if (!c->prefetch_code || !same_page(line, line + 1) || cache_has(&c->l1i, line + 1)) return;
    c->fresh = event->fetch_next_line = line + 1;
    event->fetch_next_level = (uint8_t)access_line(c, &c->l1i, line + 1, false, event);
}

uint32_t gus_caches_clean(struct gus_caches *c, struct gus_event *event) {
    uint32_t cycles = 0;
    for (uint32_t set = 0; set < c->l1d.sets; set++) {
        const uint32_t dirty = (uint32_t)__builtin_popcountll(c->l1d.dirty[set]);
        cycles += dirty ? dirty : 1;
        for (uint32_t way = 0; way < c->l1d.ways; way++)
            if (c->l1d.dirty[set] >> way & 1)
                gus_levels_sink(c->levels, c->l1d.lines[(size_t)set * c->l1d.ways + way] - 1, event);
        c->l1d.dirty[set] = 0;
    }
    memset(c->l1i.lines, 0, (size_t)c->l1i.sets * c->l1i.ways * sizeof *c->l1i.lines);
    c->fresh = 0;
    return cycles;
}

enum gus_level gus_caches_walk(struct gus_caches *c, uint64_t line, struct gus_event *event) {
    if (c->hub) return shared_line(c, line, false, false, event);
    return access_line(c, &c->l1d, line, false, event);
}
