// Every line that the data cache writes back, against the stores that the ISS has executed.
//
// A store reaches the cache some time after it has committed, in order; the store queue holds fewer than LATE of them.
// So a line that is written back holds all stores to it but some of the last LATE: the shadow memory has those that are
// certain, and the rest are put on top of its line one by one until it is the one that was written. (An AMO writes the
// cache before it commits: a line that does not fit is looked at again after the next instructions.) Where hardware
// sets A and D in page tables, those two bits of each word are not compared.
//
// What is still dirty in the L1 at the end of a run is not seen: the statistics say how many lines these are at most.
#include "base/elf.h"
#include "memory_map.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, LATE = 256, PATIENCE = 64, AD_BITS = 0xc0 }; // PATIENCE: instructions until a line must fit

struct store {
    uint64_t address, data;
    unsigned bytes;
};

struct suspect { // a line that did not fit
    bool valid;
    uint64_t address, tick, instructions;
    uint64_t words[LINE / 8];
};

struct shadow_memory {
    uint8_t *contents;
    uint8_t *dirty; // a bit a line: stored to since it was written back
    bool ad_update;
    uint64_t lines, instructions;
    struct store late[LATE];
    uint64_t stores;
    struct suspect suspect;
};

static void destroy(void *state) {
    struct shadow_memory *m = state;
    if (m->contents) munmap(m->contents, DRAM_BYTES);
    free(m->dirty);
    free(m);
}

static bool inside(uint64_t address, uint64_t bytes) {
    return address >= DRAM_BASE && bytes <= DRAM_BYTES && address - DRAM_BASE <= DRAM_BYTES - bytes;
}

static void load(struct shadow_memory *m, const struct image *image) {
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        if (inside(segment->address, segment->bytes))
            memcpy(m->contents + (segment->address - DRAM_BASE), segment->data, segment->file_bytes);
    }
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct shadow_memory *m = calloc(1, sizeof *m);
    if (m) {
        void *contents =
            mmap(NULL, DRAM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        m->contents = contents == MAP_FAILED ? NULL : contents;
        m->dirty = calloc(DRAM_BYTES / LINE / 8, 1);
        m->ad_update = run->core.ad_update;
        if (m->contents && m->dirty) {
            load(m, run->image);
            return m;
        }
        destroy(m);
    }
    error_set(err, "memory: out of memory: free some and run again");
    return NULL;
}

// ---- stores ----
static void retire_store(struct shadow_memory *m, const struct iss_retire *step) {
    if (!inside(step->address, step->size)) return; // a device
    uint64_t line = (step->address - DRAM_BASE) / LINE;
    struct store *slot = &m->late[m->stores++ % LATE];
    if (slot->bytes) memcpy(m->contents + (slot->address - DRAM_BASE), &slot->data, slot->bytes);
    *slot = (struct store){step->address, step->data, step->size};
    m->dirty[line / 8] |= (uint8_t)(1u << line % 8);
}

// ---- lines ----
static bool equal(const struct shadow_memory *m, const uint64_t *a, const uint64_t *b) {
    uint64_t difference = 0;
    for (unsigned i = 0; i < LINE / 8; i++)
        difference |= a[i] ^ b[i];
    return !(difference & ~(m->ad_update ? (uint64_t)AD_BITS : 0));
}

// Whether these words can be what the cache holds of the line.
static bool fits(struct shadow_memory *m, uint64_t address, const uint64_t *words) {
    uint64_t line[LINE / 8];
    const uint64_t number = (address - DRAM_BASE) / LINE;
    memcpy(line, m->contents + (address - DRAM_BASE), LINE);
    uint64_t first = m->stores > LATE ? m->stores - LATE : 0;
    bool found = equal(m, line, words);
    m->dirty[number / 8] &= (uint8_t) ~(1u << number % 8);
    for (uint64_t i = first; i < m->stores; i++) {
        const struct store *store = &m->late[i % LATE];
        if (store->address - address >= LINE) continue;
        if (found) m->dirty[number / 8] |= (uint8_t)(1u << number % 8); // perhaps it is not in it
        memcpy((uint8_t *)line + (store->address - address), &store->data, store->bytes);
        found = found || equal(m, line, words);
    }
    return found;
}

static int on_memory(void *state, const struct memory_event *event, struct error *err) {
    struct shadow_memory *m = state;
    (void)err;
    if (event->kind != MEMORY_WRITE || !inside(event->address, LINE)) return 0;
    m->lines++;
    if (m->suspect.valid || fits(m, event->address, event->data)) return 0;
    m->suspect = (struct suspect){true, event->address, event->tick, m->instructions, {0}};
    memcpy(m->suspect.words, event->data, LINE);
    return 0;
}

static int check_suspect(struct shadow_memory *m, struct error *err) {
    struct suspect *s = &m->suspect;
    if (fits(m, s->address, s->words)) {
        s->valid = false;
        return 0;
    }
    if (m->instructions < s->instructions + PATIENCE) return 0;
    unsigned at = 0;
    uint64_t word;
    for (;; at++) {
        memcpy(&word, m->contents + (s->address - DRAM_BASE) + 8 * at, 8);
        if (at + 1 == LINE / 8 || word != s->words[at]) break;
    }
    error_set(err,
              "memory: cycle %" PRIu64 ": the line written back to 0x%" PRIx64
              " fits no order of the stores: at 0x%" PRIx64 " expected 0x%" PRIx64 " or a later store, got 0x%" PRIx64,
              s->tick, s->address, s->address + 8 * at, word, s->words[at]);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct shadow_memory *m = state;
    if (v->golden->cycle != v->cycle) return 0;
    for (unsigned i = 0; i < v->left->host_write_count; i++) { // the host's are stores like the program's
        const struct host_write *h = &v->left->host_writes[i];
        const struct iss_retire step = {.address = h->addr, .size = sizeof h->data, .data = h->data};
        retire_store(m, &step);
    }
    for (unsigned i = 0; i < v->golden->count; i++) {
        if (v->golden->step[i].access == ISS_ACCESS_STORE) retire_store(m, &v->golden->step[i]);
    }
    m->instructions += v->golden->count;
    return m->suspect.valid ? check_suspect(m, err) : 0;
}

static void add_statistics(void *state, cJSON *statistics) {
    const struct shadow_memory *m = state;
    uint64_t dirty = 0;
    for (size_t i = 0; i < DRAM_BYTES / LINE / 8; i++)
        dirty += (unsigned)__builtin_popcount(m->dirty[i]);
    cJSON *checks = cJSON_GetObjectItem(statistics, "checks");
    cJSON_AddNumberToObject(checks, "lines_written_back", (double)m->lines);
    cJSON_AddNumberToObject(checks, "lines_dirty_at_end", (double)dirty);
}

const struct worker_ops worker_memory = {.name = "memory",
                                         .text = "every line that is written back, against the stores of the ISS",
                                         .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN | WORKER_MEMORY,
                                         .standard = WORKER_WITH_LOCKSTEP,
                                         .check = true,
                                         .leaving_only = true,
                                         .create = create,
                                         .cycle = cycle,
                                         .memory = on_memory,
                                         .add_statistics = add_statistics,
                                         .destroy = destroy};
