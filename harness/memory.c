// Contents of memory, the ports, and the way of requests through the levels: see memory.h for the rules.
//
// Everything with a time is an event on one timeline. `next` is the first cycle in which anything can happen: ticks
// before it only count.
#include "harness/memory.h"
#include "base/memory_size.h"
#include "harness/memory_port.h"
#include "harness/timeline.h"
#include "machine/bus_errors.h"
#include "memory_map.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64u
#define LEVELS 2
#define WAITING 64 // requests in front of a level: two a cycle of the ports, or one a MSHR of the L2

enum event_kind {
    FETCH, // of level `flags`: its MSHR `who` asks the next level
    FILL,  // of level `flags >> 8`: its MSHR `who` has its line; flags & MISSED: what was missed on the way
    REPLY, // of a port: flags: what was missed
};
enum { MISSED_L2 = 1, MISSED_LLC = 2, MISSED = 3 };

struct read { // in front of a level
    uint64_t line;
    uint32_t who;
};

struct level {
    struct cache_level *cache;
    uint32_t latency, missed; // missed: its bit
    struct read waiting[WAITING];
    unsigned first, count;
};

struct memory {
    uint64_t cycle, next;
    bool ready;
    unsigned levels;
    struct level level[LEVELS]; // the last is the LLC
    struct dram *dram;
    struct timeline *timeline;
    struct port ports[MEMORY_PORTS];
    struct memory_counts counts;
    uint8_t rom[BOOTROM_BYTES], resume[RESUME_BYTES];
    bool borrowed;     // from another one:
    uint8_t *contents; // of DRAM ...
    uint64_t bytes;    // ... all of it
};

static bool add_level(struct memory *m, const char *name, const struct cache_level_config *config, uint32_t missed,
                      struct error *err) {
    struct level *level = &m->level[m->levels++];
    level->latency = config->latency;
    level->missed = missed;
    level->cache = cache_level_create(name, config, MEMORY_PORTS * PORT_PENDING, err);
    return level->cache != NULL;
}

struct memory *memory_create(const struct machine_config *config, uint64_t memory, const struct memory *of,
                             struct error *err) {
    struct memory *m = calloc(1, sizeof *m);
    bool good = m != NULL;
    if (good && config->l2.kib) good = add_level(m, "l2", &config->l2, MISSED_L2, err);
    good = good && add_level(m, "llc", &config->llc, MISSED_LLC, err) &&
           (m->dram = dram_create(&config->dram, config->clock_mhz, config->llc.mshrs, err));
    if (!good) {
        if (!m) error_nomem(err, "memory model");
        memory_destroy(m);
        return NULL;
    }
    m->bytes = memory;
    m->borrowed = of != NULL;
    m->contents = of ? of->contents : memory_reserve(memory, err);
    // A request has one event at a time; a MSHR's own is its FETCH or its FILL.
    m->timeline = timeline_create(MEMORY_PORTS * PORT_PENDING + config->l2.mshrs + config->llc.mshrs);
    if (!m->contents || !m->timeline) {
        if (m->contents) error_nomem(err, "memory model");
        memory_destroy(m);
        return NULL;
    }
    for (unsigned i = 0; i < MEMORY_PORTS; i++)
        port_begin(&m->ports[i]);
    m->ready = true;
    m->next = UINT64_MAX;
    return m;
}

void memory_destroy(struct memory *m) {
    if (!m) return;
    if (!m->borrowed) memory_release(m->contents, m->bytes);
    for (unsigned i = 0; i < m->levels; i++)
        cache_level_destroy(m->level[i].cache);
    dram_destroy(m->dram);
    timeline_destroy(m->timeline);
    free(m);
}

void *memory_at(struct memory *m, uint64_t addr, size_t bytes) {
    if (addr >= DRAM_BASE && bytes <= m->bytes && addr - DRAM_BASE <= m->bytes - bytes) {
        return m->contents + (addr - DRAM_BASE);
    }
    if (addr >= BOOTROM_BASE && bytes <= BOOTROM_BYTES && addr - BOOTROM_BASE <= BOOTROM_BYTES - bytes) {
        return m->rom + (addr - BOOTROM_BASE);
    }
    if (addr >= RESUME_BASE && bytes <= RESUME_BYTES && addr - RESUME_BASE <= RESUME_BYTES - bytes) {
        return m->resume + (addr - RESUME_BASE);
    }
    return NULL;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static void schedule(struct memory *m, uint64_t cycle, enum event_kind kind, uint32_t who, uint32_t flags) {
    timeline_add(m->timeline, (struct event){.cycle = cycle, .kind = kind, .who = who, .flags = flags});
    if (cycle < m->next) m->next = cycle;
}

// ---- levels ----
// A whole line to level i: dirty lines that make room sink to the level below it.
static void sink(struct memory *m, unsigned i, uint64_t line) {
    for (; i < m->levels; i++) {
        struct cache_result result = cache_level_write(m->level[i].cache, line);
        if (!result.evicts) return;
        line = result.victim;
    }
    dram_request(m->dram, m->cycle, line, true, 0);
}

// Likewise, with no time.
static void warm_sink(struct memory *m, unsigned i, uint64_t line) {
    for (; i < m->levels; i++) {
        const struct cache_result result = cache_level_place(m->level[i].cache, line, true);
        if (!result.evicts) return;
        line = result.victim;
    }
    dram_open(m->dram, line);
}

bool memory_warm(struct memory *m, uint64_t line, bool write) {
    if (m->counts.reads || m->counts.writes) return false;
    for (unsigned i = 0; !write && i < m->levels; i++) {
        const struct cache_result result = cache_level_place(m->level[i].cache, line, false);
        if (result.evicts) warm_sink(m, i + 1, result.victim);
        if (result.outcome == CACHE_HIT) return true;
    }
    if (write)
        warm_sink(m, 0, line);
    else
        dram_open(m->dram, line);
    return true;
}

// The line is at level i, for one who asked it: a port if i is the first, else an MSHR of the level above.
static void answer(struct memory *m, unsigned i, uint64_t cycle, uint32_t who, uint32_t missed) {
    if (i == 0) {
        schedule(m, cycle, REPLY, who, missed);
    } else {
        schedule(m, cycle, FILL, who, (i - 1) << 8 | missed | m->level[i - 1].missed);
    }
}

static bool blocked(const struct memory *m, const struct level *level) {
    return cache_level_full(level->cache) || dram_full(m->dram);
}

static void look_up(struct memory *m, unsigned i, const struct read *read) {
    struct level *level = &m->level[i];
    uint64_t hit = m->cycle + level->latency;
    struct cache_result result =
        cache_level_read(level->cache, read->line, (struct cache_target){.who = read->who, .earliest = hit});
    if (result.evicts) sink(m, i + 1, result.victim);
    if (result.outcome == CACHE_HIT) answer(m, i, hit, read->who, 0);
    if (result.outcome == CACHE_MISS) schedule(m, hit, FETCH, result.mshr, i);
}

static void ask(struct memory *m, unsigned i, struct read read) {
    struct level *level = &m->level[i];
    if (level->count == 0 && !blocked(m, level)) {
        look_up(m, i, &read);
        return;
    }
    if (level->count == WAITING) abort(); // ports that were not ready were asked
    level->waiting[(level->first + level->count++) % WAITING] = read;
}

// Looks up what waits in front of the levels and needs to no longer.
static void retry(struct memory *m) {
    for (unsigned i = m->levels; i-- > 0;) {
        struct level *level = &m->level[i];
        while (level->count > 0 && !blocked(m, level)) {
            struct read read = level->waiting[level->first];
            level->first = (level->first + 1) % WAITING;
            level->count--;
            look_up(m, i, &read);
        }
    }
}

static void fetch(struct memory *m, unsigned i, uint32_t mshr) {
    uint64_t line = cache_level_line(m->level[i].cache, mshr);
    if (i + 1 < m->levels) {
        ask(m, i + 1, (struct read){line, mshr});
    } else {
        dram_request(m->dram, m->cycle, line, false, mshr);
    }
}

static void fill(struct memory *m, unsigned i, uint32_t mshr, uint32_t missed) {
    struct cache_target targets[MEMORY_PORTS * PORT_PENDING];
    unsigned count = cache_level_fill(m->level[i].cache, mshr, targets);
    for (unsigned k = 0; k < count; k++)
        answer(m, i, later(m->cycle, targets[k].earliest), targets[k].who, missed);
}

// ---- ports ----
void memory_read(struct memory *m, unsigned port, unsigned id, uint64_t addr) {
    struct memory_response response = {.id = id, .error = bus_errors_answers(addr)};
    const void *data = memory_at(m, addr, LINE);
    if (data) memcpy(response.data, data, LINE);
    m->counts.reads++;
    const uint32_t who = port * PORT_PENDING + port_add(&m->ports[port], &response);
    if (addr >= DRAM_BASE) {
        ask(m, 0, (struct read){addr / LINE, who});
    } else {
        answer(m, 0, m->cycle + m->level[0].latency, who, 0);
    }
    m->next = m->cycle; // the tick of this cycle works out again what is ready, and what comes next
}

void memory_write(struct memory *m, uint64_t addr, const uint64_t data[8]) {
    void *to = addr >= DRAM_BASE ? memory_at(m, addr, LINE) : NULL;
    if (!to) return;
    memcpy(to, data, LINE);
    m->counts.writes++;
    sink(m, 0, addr / LINE);
    m->next = m->cycle;
}

// ---- time ----
static void happen(struct memory *m, const struct event *e) {
    switch ((enum event_kind)e->kind) {
    case FETCH: fetch(m, e->flags, e->who); break;
    case FILL: fill(m, e->flags >> 8, e->who, e->flags & MISSED); break;
    case REPLY:
        port_reply(&m->ports[e->who / PORT_PENDING], e->who % PORT_PENDING, e->flags & MISSED_L2,
                   e->flags & MISSED_LLC);
        break;
    }
}

static void happen_all(struct memory *m) {
    struct event event;
    while (timeline_take(m->timeline, m->cycle, &event))
        happen(m, &event);
}

static void active_tick(struct memory *m) {
    happen_all(m);
    struct dram_done done;
    while (dram_step(m->dram, m->cycle, &done)) {
        unsigned llc = m->levels - 1;
        schedule(m, done.cycle, FILL, done.tag, llc << 8 | m->level[llc].missed);
    }
    retry(m);
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < MEMORY_PORTS; i++) {
        port_respond(&m->ports[i]);
        if (m->ports[i].responds) next = m->cycle + 1;
    }
    m->ready = m->level[0].count == 0 && !blocked(m, &m->level[0]);
    if (timeline_next(m->timeline) < next) next = timeline_next(m->timeline);
    if (dram_next(m->dram) < next) next = dram_next(m->dram);
    m->next = next;
}

void memory_tick(struct memory *m) {
    if (++m->cycle >= m->next) active_tick(m);
}

bool memory_ready(const struct memory *m) {
    return m->ready;
}

const struct memory_response *memory_response(const struct memory *m, unsigned port) {
    return m->ports[port].responds ? &m->ports[port].response : NULL;
}

struct memory_counts memory_counts(const struct memory *m) {
    struct memory_counts counts = m->counts;
    if (m->levels == LEVELS) counts.l2 = cache_level_counts(m->level[0].cache);
    counts.llc = cache_level_counts(m->level[m->levels - 1].cache);
    counts.dram = dram_counts(m->dram);
    return counts;
}
