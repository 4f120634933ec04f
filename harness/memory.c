// Contents and timing of what lies behind the L1 caches: see memory.h for the rules.
#include "harness/memory.h"
#include "memory_map.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE 64u
#define PENDING 64 // responses a port can owe: more than any L1 has MSHRs

struct pending {
    uint64_t due, order;
    struct memory_response response;
};

struct port {
    struct pending pending[PENDING];
    unsigned count;
    bool responds;
    struct memory_response response;
};

struct miss { // an LLC MSHR; free from `due` on
    uint64_t line, due;
};

struct way {
    uint64_t line; // address / LINE, or UINT64_MAX
    uint64_t used; // for least-recently-used replacement
    bool dirty;
};

struct memory {
    uint64_t cycle, order, channel_free;
    uint32_t llc_latency, memory_latency, cycles_per_line;
    uint32_t sets, ways, mshrs;
    bool ready;
    struct way *llc;
    struct miss *misses;
    struct port ports[MEMORY_PORTS];
    struct memory_counts counts;
    uint8_t rom[BOOTROM_BYTES];
    uint8_t *dram;
};

struct memory *memory_create(const struct machine_config *config, struct error *err) {
    struct memory *m = calloc(1, sizeof *m);
    uint32_t sets = config->llc_kib * 1024u / LINE / config->llc_ways;
    if (m && sets > 0) {
        m->sets = sets;
        m->ways = config->llc_ways;
        m->mshrs = config->llc_mshrs;
        m->llc_latency = config->llc_latency;
        m->memory_latency = config->memory_latency;
        m->cycles_per_line = config->memory_cycles_per_line;
        m->llc = malloc((size_t)sets * m->ways * sizeof *m->llc);
        m->misses = calloc(m->mshrs, sizeof *m->misses);
        m->dram = mmap(NULL, DRAM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (m->dram == MAP_FAILED) m->dram = NULL;
    }
    if (!m || sets == 0 || !m->llc || !m->misses || !m->dram) {
        error_set(err, "memory model: %s",
                  m && sets == 0 ? "llc.kib is less than one set of llc.ways lines: enlarge it"
                                 : "out of memory: free some and run again");
        memory_destroy(m);
        return NULL;
    }
    for (uint32_t i = 0; i < sets * m->ways; i++)
        m->llc[i] = (struct way){.line = UINT64_MAX};
    for (uint32_t i = 0; i < m->mshrs; i++)
        m->misses[i].line = UINT64_MAX;
    m->ready = true;
    return m;
}

void memory_destroy(struct memory *m) {
    if (!m) return;
    if (m->dram) munmap(m->dram, DRAM_BYTES);
    free(m->llc);
    free(m->misses);
    free(m);
}

void *memory_at(struct memory *m, uint64_t addr, size_t bytes) {
    if (addr >= DRAM_BASE && bytes <= DRAM_BYTES && addr - DRAM_BASE <= DRAM_BYTES - bytes) {
        return m->dram + (addr - DRAM_BASE);
    }
    if (addr >= BOOTROM_BASE && bytes <= BOOTROM_BYTES && addr - BOOTROM_BASE <= BOOTROM_BYTES - bytes) {
        return m->rom + (addr - BOOTROM_BASE);
    }
    return NULL;
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// Occupies the DRAM channel for one line, from `from` at the earliest. Returns when it starts.
static uint64_t take_channel(struct memory *m, uint64_t from) {
    uint64_t start = later(from, m->channel_free);
    m->channel_free = start + m->cycles_per_line;
    m->counts.dram_lines++;
    return start;
}

// The way that holds the line (*hit), or the way it now takes; a dirty victim goes to DRAM.
static struct way *look_up(struct memory *m, uint64_t line, bool *hit) {
    struct way *set = &m->llc[line % m->sets * m->ways], *victim = set;
    *hit = true;
    for (uint32_t i = 0; i < m->ways; i++) {
        if (set[i].line == line) {
            set[i].used = ++m->order;
            return &set[i];
        }
        if (set[i].used < victim->used) victim = &set[i];
    }
    *hit = false;
    if (victim->dirty) take_channel(m, m->cycle + m->llc_latency);
    *victim = (struct way){.line = line, .used = ++m->order};
    return victim;
}

static void owe(struct memory *m, unsigned port, uint64_t due, const struct memory_response *response) {
    struct port *p = &m->ports[port];
    if (p->count == PENDING) abort(); // the port's cache has more misses in flight than any configuration allows
    p->pending[p->count++] = (struct pending){.due = due, .order = ++m->order, .response = *response};
}

// When the data of a missing line arrives: joins a miss to the same line, else takes the MSHR that is free first.
static uint64_t miss_due(struct memory *m, uint64_t line) {
    struct miss *first = &m->misses[0];
    for (uint32_t i = 0; i < m->mshrs; i++) {
        struct miss *miss = &m->misses[i];
        if (miss->line == line && miss->due > m->cycle) return miss->due;
        if (miss->due < first->due) first = miss;
    }
    uint64_t start = take_channel(m, later(m->cycle + m->llc_latency, first->due));
    *first = (struct miss){.line = line, .due = start + m->memory_latency};
    return first->due;
}

static bool on_its_way(const struct memory *m, uint64_t line) {
    for (uint32_t i = 0; i < m->mshrs; i++) {
        if (m->misses[i].line == line && m->misses[i].due > m->cycle + m->llc_latency) return true;
    }
    return false;
}

void memory_read(struct memory *m, unsigned port, unsigned id, uint64_t addr) {
    struct memory_response response = {.id = id};
    const void *data = memory_at(m, addr, LINE);
    if (data) memcpy(response.data, data, LINE);
    m->counts.reads++;
    uint64_t due = m->cycle + m->llc_latency;
    if (addr >= DRAM_BASE) { // the boot ROM answers like an LLC hit
        uint64_t line = addr / LINE;
        bool hit;
        look_up(m, line, &hit);
        // The tags hold a line from the request on: one that is still on its way counts as a miss.
        if (!hit || on_its_way(m, line)) {
            due = miss_due(m, line);
            response.llc_miss = true;
            m->counts.llc_misses++;
        }
    }
    owe(m, port, due, &response);
}

void memory_write(struct memory *m, uint64_t addr, const uint64_t data[8]) {
    void *to = addr >= DRAM_BASE ? memory_at(m, addr, LINE) : NULL;
    if (to) memcpy(to, data, LINE);
    m->counts.writes++;
    bool hit;
    look_up(m, addr / LINE, &hit)->dirty = true;
}

static void respond(struct port *p, uint64_t cycle) {
    p->responds = false;
    struct pending *first = NULL;
    for (unsigned i = 0; i < p->count; i++) {
        struct pending *q = &p->pending[i];
        if (q->due <= cycle && (!first || q->due < first->due || (q->due == first->due && q->order < first->order))) {
            first = q;
        }
    }
    if (!first) return;
    p->responds = true;
    p->response = first->response;
    *first = p->pending[--p->count];
}

void memory_tick(struct memory *m) {
    m->cycle++;
    for (unsigned i = 0; i < MEMORY_PORTS; i++)
        respond(&m->ports[i], m->cycle);
    m->ready = false;
    for (uint32_t i = 0; i < m->mshrs && !m->ready; i++)
        m->ready = m->misses[i].due <= m->cycle;
}

bool memory_ready(const struct memory *m) {
    return m->ready;
}

const struct memory_response *memory_response(const struct memory *m, unsigned port) {
    return m->ports[port].responds ? &m->ports[port].response : NULL;
}

struct memory_counts memory_counts(const struct memory *m) {
    return m->counts;
}
