// One cache: sets of lines, each line at a way of its own, without time and without what lies behind.
#ifndef TIPOFF_METHODS_GUS_CACHE_H
#define TIPOFF_METHODS_GUS_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GUS_LINE = 64 };        // bytes
#define GUS_NO_LINE UINT64_MAX // + 1: 0
enum cache_policy { CACHE_NOT_RECENTLY_USED, CACHE_BY_CHANCE, CACHE_LEAST_RECENTLY_USED };

struct cache {
    uint64_t *lines;        // + 1; 0: none. Of each set its ways; least recently used: the most recent first
    uint64_t *used, *dirty; // of each set, a bit a way
    uint64_t *owned; // likewise, of several harts' L1 data caches: nobody else has the line (MESI's E; and dirty: M)
    uint8_t *newest; // of each set, the way used last
    uint32_t sets, ways, mask; // mask: of a line, its set; 0: there are not a power of two of them, or one
    enum cache_policy policy;
    uint8_t random; // rtl/fetch/icache.sv, random_q
};

static inline bool cache_set_up(struct cache *c, enum cache_policy policy, uint32_t sets, uint32_t ways) {
    c->policy = policy;
    c->sets = sets ? sets : 1;
    c->mask = c->sets & (c->sets - 1) ? 0 : c->sets - 1;
    c->ways = ways < 64 ? ways : 64;
    c->random = 1;
    c->lines = calloc((size_t)c->sets * c->ways + 1, sizeof *c->lines);
    c->used = calloc(c->sets, sizeof *c->used);
    c->dirty = calloc(c->sets, sizeof *c->dirty);
    c->owned = calloc(c->sets, sizeof *c->owned);
    c->newest = calloc(c->sets, sizeof *c->newest);
    return c->lines && c->used && c->dirty && c->owned && c->newest;
}

static inline void cache_tear_down(struct cache *c) {
    free(c->lines);
    free(c->used);
    free(c->dirty);
    free(c->owned);
    free(c->newest);
}

static inline uint32_t cache_set(const struct cache *c, uint64_t line) {
    return c->mask ? (uint32_t)line & c->mask : (uint32_t)(line % c->sets);
}

static inline uint32_t cache_way(const struct cache *c, uint32_t set, uint64_t line) {
    const uint64_t *lines = c->lines + (size_t)set * c->ways;
    uint32_t way = 0;
    while (way < c->ways && lines[way] != line + 1)
        way++;
    return way;
}

static inline bool cache_has(const struct cache *c, uint64_t line) {
    return cache_way(c, cache_set(c, line), line) < c->ways;
}

static inline void cache_touch(struct cache *c, uint32_t set, uint32_t way) {
    const uint64_t all = c->ways < 64 ? (UINT64_C(1) << c->ways) - 1 : UINT64_MAX;
    c->used[set] |= UINT64_C(1) << way;
    if (c->used[set] == all) c->used[set] = UINT64_C(1) << way;
}

// A way to the front: the order is the age.
static inline void cache_to_front(struct cache *c, uint32_t set, uint32_t way) {
    uint64_t *lines = c->lines + (size_t)set * c->ways, line = lines[way];
    const uint64_t below = (UINT64_C(1) << way) - 1, dirty = c->dirty[set];
    memmove(lines + 1, lines, way * sizeof *lines);
    lines[0] = line;
    c->dirty[set] = (dirty & ~(below << 1 | 1)) | (dirty & below) << 1 | (dirty >> way & 1);
}

static inline uint32_t cache_victim(struct cache *c, uint32_t set) {
    if (c->policy == CACHE_LEAST_RECENTLY_USED) return c->ways ? c->ways - 1 : 0;
    uint32_t way = cache_way(c, set, GUS_NO_LINE); // a free one
    if (way == c->ways && c->policy == CACHE_BY_CHANCE) way = c->random % c->ways;
    for (uint32_t i = 0; way == c->ways && i < c->ways; i++)
        if (!(c->used[set] >> i & 1)) way = i;
    return way == c->ways ? 0 : way;
}

struct cache_found {
    bool hit, evicts; // evicts: a dirty line
    uint64_t evicted;
};

// The line is the one of its set that was used last: its age, and the others', stay as they are.
static inline bool cache_is_newest(struct cache *c, uint64_t line, bool dirty) {
    const uint32_t set = cache_set(c, line), newest = c->newest[set];
    if (c->lines[(size_t)set * c->ways + newest] != line + 1) return false;
    c->dirty[set] |= (uint64_t)dirty << newest;
    return true;
}

// The line is looked up; it is present afterwards.
static inline struct cache_found cache_look(struct cache *c, uint64_t line, bool dirty) {
    if (cache_is_newest(c, line, dirty)) return (struct cache_found){.hit = true};
    const uint32_t set = cache_set(c, line);
    uint32_t way = cache_way(c, set, line);
    struct cache_found f = {.hit = way < c->ways};
    if (!f.hit) {
        way = cache_victim(c, set);
        uint64_t *at = &c->lines[(size_t)set * c->ways + way];
        f.evicts = *at && (c->dirty[set] >> way & 1);
        f.evicted = *at - 1;
        *at = line + 1;
        c->dirty[set] &= ~(UINT64_C(1) << way);
        c->random = (uint8_t)((c->random << 1 & 0x7f) | ((c->random >> 6 ^ c->random >> 5) & 1));
    }
    c->dirty[set] |= (uint64_t)dirty << way;
    if (c->policy == CACHE_LEAST_RECENTLY_USED) {
        cache_to_front(c, set, way);
    } else {
        cache_touch(c, set, way);
        c->newest[set] = (uint8_t)way;
    }
    return f;
}

#endif
