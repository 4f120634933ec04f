// Tags and MSHRs of one cache level: see cache_level.h.
#include "harness/cache_level.h"
#include <stddef.h>
#include <stdlib.h>

#define LINE 64u
#define NONE UINT64_MAX // no line
#define END UINT32_MAX  // end of a list of targets

struct way {
    uint64_t line, used;
    bool dirty;
};

struct node { // a target in the list of its MSHR, or in the list of free ones
    struct cache_target target;
    uint32_t next;
};

struct mshr {
    uint64_t line; // NONE: free
    uint32_t first, last;
};

struct cache_level {
    uint64_t sets, clock;
    uint32_t ways, mshr_count, busy, free_node;
    struct way *tags;
    struct mshr *mshrs;
    struct node *nodes;
    struct cache_counts counts;
};

struct cache_level *cache_level_create(const char *name, const struct cache_level_config *config, unsigned targets,
                                       struct error *err) {
    uint64_t sets = (uint64_t)config->kib * 1024 / LINE / config->ways;
    if (sets == 0) {
        error_set(err, "configuration: %s.kib is less than one set of %s.ways = %u lines: enlarge it", name, name,
                  config->ways);
        return NULL;
    }
    struct cache_level *c = calloc(1, sizeof *c);
    if (c) {
        c->sets = sets;
        c->ways = config->ways;
        c->mshr_count = config->mshrs;
        c->tags = malloc((size_t)sets * c->ways * sizeof *c->tags);
        c->mshrs = malloc(c->mshr_count * sizeof *c->mshrs);
        c->nodes = malloc(targets * sizeof *c->nodes);
    }
    if (!c || !c->tags || !c->mshrs || !c->nodes) {
        error_set(err, "model of %s: out of memory", name);
        cache_level_destroy(c);
        return NULL;
    }
    for (uint64_t i = 0; i < sets * c->ways; i++)
        c->tags[i] = (struct way){.line = NONE};
    for (uint32_t i = 0; i < c->mshr_count; i++)
        c->mshrs[i] = (struct mshr){.line = NONE, .first = END, .last = END};
    for (uint32_t i = 0; i < targets; i++)
        c->nodes[i].next = i + 1 < targets ? i + 1 : END;
    return c;
}

void cache_level_destroy(struct cache_level *c) {
    if (!c) return;
    free(c->tags);
    free(c->mshrs);
    free(c->nodes);
    free(c);
}

static struct way *find(const struct cache_level *c, uint64_t line) {
    struct way *set = &c->tags[line % c->sets * c->ways];
    for (uint32_t i = 0; i < c->ways; i++) {
        if (set[i].line == line) return &set[i];
    }
    return NULL;
}

// Gives the line the place of its set's least recently used one.
static struct way *replace(struct cache_level *c, uint64_t line, struct cache_result *result) {
    struct way *set = &c->tags[line % c->sets * c->ways], *victim = set;
    for (uint32_t i = 1; i < c->ways; i++) {
        if (set[i].used < victim->used) victim = &set[i];
    }
    result->evicts = victim->dirty;
    result->victim = victim->line;
    *victim = (struct way){.line = line};
    return victim;
}

static void add_target(struct cache_level *c, struct mshr *mshr, struct cache_target target) {
    uint32_t i = c->free_node;
    if (i == END) abort(); // more targets than the creator said
    c->free_node = c->nodes[i].next;
    c->nodes[i] = (struct node){target, END};
    if (mshr->first == END) {
        mshr->first = i;
    } else {
        c->nodes[mshr->last].next = i;
    }
    mshr->last = i;
}

struct cache_result cache_level_read(struct cache_level *c, uint64_t line, struct cache_target target) {
    struct cache_result result = {.outcome = CACHE_MISS};
    struct way *way = find(c, line);
    struct mshr *mshr = NULL;
    for (uint32_t i = 0; c->busy && i < c->mshr_count; i++) {
        if (c->mshrs[i].line == line) mshr = &c->mshrs[i];
    }
    if (mshr) {
        result.outcome = CACHE_JOIN;
    } else if (way) {
        result.outcome = CACHE_HIT;
    } else if (cache_level_full(c)) {
        result.outcome = CACHE_BLOCKED;
        return result;
    }
    // A line may have lost its place while it is on its way; who joins then brings it back.
    if (!way) way = replace(c, line, &result);
    way->used = ++c->clock;
    c->counts.reads++;
    if (result.outcome == CACHE_HIT) return result;
    c->counts.misses++;
    if (!mshr) {
        for (mshr = c->mshrs; mshr->line != NONE;)
            mshr++;
        mshr->line = line;
        c->busy++;
    }
    result.mshr = (unsigned)(mshr - c->mshrs);
    add_target(c, mshr, target);
    return result;
}

struct cache_result cache_level_place(struct cache_level *c, uint64_t line, bool dirty) {
    struct cache_result result = {.outcome = CACHE_HIT};
    struct way *way = find(c, line);
    if (!way) {
        way = replace(c, line, &result);
        result.outcome = CACHE_MISS;
    }
    way->dirty |= dirty;
    way->used = ++c->clock;
    return result;
}

struct cache_result cache_level_write(struct cache_level *c, uint64_t line) {
    struct cache_result result = cache_level_place(c, line, true);
    c->counts.writes++;
    return result;
}

bool cache_level_holds(const struct cache_level *c, uint64_t line, bool *dirty) {
    const struct way *way = find(c, line);
    if (way && dirty) *dirty = way->dirty;
    return way != NULL;
}

bool cache_level_full(const struct cache_level *c) {
    return c->busy == c->mshr_count;
}

uint64_t cache_level_line(const struct cache_level *c, unsigned mshr) {
    return c->mshrs[mshr].line;
}

unsigned cache_level_fill(struct cache_level *c, unsigned number, struct cache_target *targets) {
    struct mshr *mshr = &c->mshrs[number];
    unsigned count = 0;
    for (uint32_t i = mshr->first; i != END; i = c->nodes[i].next)
        targets[count++] = c->nodes[i].target;
    c->nodes[mshr->last].next = c->free_node;
    c->free_node = mshr->first;
    *mshr = (struct mshr){.line = NONE, .first = END, .last = END};
    c->busy--;
    return count;
}

struct cache_counts cache_level_counts(const struct cache_level *c) {
    return c->counts;
}
