// Snoops go to all other caches, one after the other: see hub.h.
#include "methods/gus/hub.h"

struct gus_hub *gus_hub_create(const struct gus_table *table, struct error *err) {
    struct gus_hub *h = error_calloc(sizeof *h, "gus", err);
    if (!h) return NULL;
    h->levels = gus_levels_create(table, err);
    if (h->levels) return h;
    gus_hub_destroy(h);
    return NULL;
}

void gus_hub_destroy(struct gus_hub *h) {
    if (!h) return;
    gus_levels_destroy(h->levels);
    free(h);
}

// Harts meet at this line.
static void meet(struct gus_hub *h, uint64_t line) {
    const uint32_t at = gus_hub_hash(line);
    h->met[at / 64] |= UINT64_C(1) << at % 64;
}

// The copy of a hart other than `hart`, from *from on; NULL: none.
static struct cache *copy(const struct gus_hub *h, unsigned hart, uint64_t line, unsigned *from, uint32_t *set,
                          uint64_t *bit, uint32_t *way) {
    for (; *from < MACHINE_MOST_HARTS && h->l1d[*from]; (*from)++) {
        struct cache *const c = h->l1d[*from];
        if (*from == hart) continue;
        *set = cache_set(c, line);
        *way = cache_way(c, *set, line);
        *bit = UINT64_C(1) << (*way & 63);
        if (*way < c->ways) {
            (*from)++;
            return c;
        }
    }
    return NULL;
}

struct gus_snooped gus_hub_share(struct gus_hub *h, unsigned hart, uint64_t line, struct gus_event *event) {
    struct gus_snooped s = {0};
    uint32_t set, way;
    uint64_t bit;
    unsigned from = 0;
    for (struct cache *c; (c = copy(h, hart, line, &from, &set, &bit, &way));) {
        s.had = s.kept = true;
        if (c->dirty[set] & bit) {
            s.dirty = true;
            gus_levels_sink(h->levels, line, event);
        }
        c->dirty[set] &= ~bit;
        c->owned[set] &= ~bit;
    }
    if (s.dirty) meet(h, line);
    return s;
}

struct gus_snooped gus_hub_take(struct gus_hub *h, unsigned hart, uint64_t line) {
    struct gus_snooped s = {0};
    uint32_t set, way;
    uint64_t bit;
    unsigned from = 0;
    for (struct cache *c; (c = copy(h, hart, line, &from, &set, &bit, &way));) {
        s.had = true;
        s.dirty |= (c->dirty[set] & bit) != 0;
        c->dirty[set] &= ~bit;
        c->owned[set] &= ~bit;
        c->lines[(size_t)set * c->ways + way] = 0;
    }
    if (s.had) meet(h, line);
    return s;
}

struct gus_snooped gus_hub_try(struct gus_hub *h, unsigned hart, uint64_t line, bool *refused) {
    struct gus_snooped s = {0};
    uint32_t set, way;
    uint64_t bit;
    unsigned from = 0;
    *refused = false;
    for (struct cache *c; (c = copy(h, hart, line, &from, &set, &bit, &way));) {
        s.had = s.kept = true;
        *refused |= (c->owned[set] & bit) != 0;
    }
    return s;
}
