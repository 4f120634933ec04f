// Every line that the data cache writes back, and at the end of the run every line that is dirty in it, against the
// stores that the ISS has executed.
//
// A store reaches the cache some time after it has committed, in order; the store queue holds fewer than LATE of them.
// So a line that is written back holds all stores to it but some of the last LATE: the shadow memory has those that are
// certain, and the rest are put on top of its line one by one until it is the one that was written. (An AMO writes the
// cache before it commits: a line that does not fit is looked at again after the next instructions.) Where hardware
// sets A and D in page tables, those two bits of each word are not compared.
//
// At the end of a run each line that was stored to has been written back, or is reported dirty, but for the last LATE
// stores. Where the program has not ended, one word of one line may be ahead: of an AMO that was about to commit. An
// AMO's own store is not missed: its line may have been written back before it commits.
#include "base/elf.h"
#include "base/memory_size.h"
#include "memory_map.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = 64,
    LATE = 256,
    PATIENCE = 64,
    AD_BITS = 0xc0,
    AMO = 0x2f
}; // PATIENCE: instructions until a line must fit

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
    uint64_t bytes; // of DRAM
    uint8_t *contents;
    uint8_t *dirty; // a bit a line: stored to since it was written back
    bool ad_update;
    uint64_t lines, dirty_lines, instructions;
    struct store late[LATE];
    uint64_t stores;
    struct suspect suspect;
    bool cut;   // the program has not ended
    bool ahead; // an AMO's word has been found
};

static void destroy(void *state) {
    struct shadow_memory *m = state;
    memory_release(m->contents, m->bytes);
    free(m->dirty);
    free(m);
}

static bool inside(const struct shadow_memory *m, uint64_t address, uint64_t bytes) {
    return address >= DRAM_BASE && bytes <= m->bytes && address - DRAM_BASE <= m->bytes - bytes;
}

static void load(struct shadow_memory *m, const struct image *image) {
    for (size_t i = 0; i < image_segment_count(image); i++) {
        const struct image_segment *segment = image_segment(image, i);
        if (inside(m, segment->address, segment->bytes))
            memcpy(m->contents + (segment->address - DRAM_BASE), segment->data, segment->file_bytes);
    }
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct shadow_memory *m = calloc(1, sizeof *m);
    if (m) {
        m->bytes = memory_size_or_default(run->core.memory);
        m->contents = memory_reserve(m->bytes, NULL);
        m->dirty = calloc(m->bytes / LINE / 8, 1);
        m->ad_update = run->core.ad_update;
        if (m->contents && m->dirty) {
            load(m, run->image);
            return m;
        }
        destroy(m);
    }
    error_nomem(err, "memory");
    return NULL;
}

// ---- stores ----
static void retire_store(struct shadow_memory *m, const struct iss_retire *step) {
    if (!inside(m, step->address, step->size)) return; // a device
    struct store *slot = &m->late[m->stores++ % LATE];
    if (slot->bytes) memcpy(m->contents + (slot->address - DRAM_BASE), &slot->data, slot->bytes);
    *slot = (struct store){step->address, step->data, step->size};
}

static void set_dirty(struct shadow_memory *m, uint64_t address, bool dirty) {
    if (!inside(m, address, 1)) return;
    const uint64_t line = (address - DRAM_BASE) / LINE;
    const uint8_t bit = (uint8_t)(1u << line % 8);
    m->dirty[line / 8] = (uint8_t)(dirty ? m->dirty[line / 8] | bit : m->dirty[line / 8] & ~bit);
}

// ---- lines ----
static bool equal(const struct shadow_memory *m, const uint64_t *a, const uint64_t *b) {
    uint64_t difference = 0;
    for (unsigned i = 0; i < LINE / 8; i++)
        difference |= a[i] ^ b[i];
    return !(difference & ~(m->ad_update ? (uint64_t)AD_BITS : 0));
}

struct line {
    uint64_t words[LINE / 8];
};

static uint64_t first_late(const struct shadow_memory *m) {
    return m->stores > LATE ? m->stores - LATE : 0;
}

static struct line certain(const struct shadow_memory *m, uint64_t address) {
    struct line line;
    memcpy(line.words, m->contents + (address - DRAM_BASE), LINE);
    return line;
}

// Whether late store i is to the line: then it is in it now.
static bool put_late(const struct shadow_memory *m, uint64_t i, uint64_t address, struct line *line) {
    const struct store *store = &m->late[i % LATE];
    if (store->address - address >= LINE) return false;
    memcpy((uint8_t *)line->words + (store->address - address), &store->data, store->bytes);
    return true;
}

// Whether these words can be what the cache holds of the line.
static bool fits(struct shadow_memory *m, uint64_t address, const uint64_t *words) {
    struct line line = certain(m, address);
    bool found = equal(m, line.words, words);
    for (uint64_t i = first_late(m); i < m->stores; i++) {
        if (put_late(m, i, address, &line)) found = found || equal(m, line.words, words);
    }
    set_dirty(m, address, !equal(m, line.words, words)); // some of them are not in it
    return found;
}

// Whether all stores are in the line, and one word is other than they made it: that of an AMO which has not committed
// as the run is cut off. There is one at most.
static bool amo_ahead(struct shadow_memory *m, uint64_t address, const uint64_t *words) {
    struct line line = certain(m, address);
    unsigned others = 0;
    if (!m->cut || m->ahead) return false;
    for (uint64_t i = first_late(m); i < m->stores; i++)
        put_late(m, i, address, &line);
    for (unsigned i = 0; i < LINE / 8; i++)
        others += line.words[i] != words[i];
    m->ahead = others == 1;
    if (m->ahead) set_dirty(m, address, false);
    return m->ahead;
}

static int on_memory(void *state, const struct memory_event *event, struct error *err) {
    struct shadow_memory *m = state;
    const bool end = event->kind == MEMORY_DIRTY;
    (void)err;
    if ((event->kind != MEMORY_WRITE && !end) || !inside(m, event->address, LINE)) return 0;
    (*(end ? &m->dirty_lines : &m->lines))++;
    m->cut = end && event->cut;
    if (m->suspect.valid) m->suspect.valid = !amo_ahead(m, m->suspect.address, m->suspect.words);
    if (m->suspect.valid || fits(m, event->address, event->data) || amo_ahead(m, event->address, event->data)) return 0;
    m->suspect = (struct suspect){true, event->address, event->tick, m->instructions, {0}};
    memcpy(m->suspect.words, event->data, LINE);
    return 0;
}

static int tell_misfit(const struct shadow_memory *m, struct error *err) {
    const struct suspect *s = &m->suspect;
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

static int check_suspect(struct shadow_memory *m, struct error *err) {
    m->suspect.valid = !fits(m, m->suspect.address, m->suspect.words);
    return m->suspect.valid && m->instructions >= m->suspect.instructions + PATIENCE ? tell_misfit(m, err) : 0;
}

__attribute__((noinline)) static void store_all(struct shadow_memory *m, const struct worker_view *v) {
    for (unsigned i = 0; i < v->left->host_write_count; i++) { // like the program's, but perhaps not to the cache
        const struct host_write *h = &v->left->host_writes[i];
        const struct iss_retire step = {.address = h->addr, .size = sizeof h->data, .data = h->data};
        retire_store(m, &step);
    }
    for (unsigned i = 0; i < v->golden->count; i++) {
        const struct iss_retire *step = &v->golden->step[i];
        if (step->access != ISS_ACCESS_STORE) continue;
        retire_store(m, step);
        if ((step->insn & 0x7f) != AMO) set_dirty(m, step->address, true);
    }
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct shadow_memory *m = state;
    const struct golden *golden = v->golden;
    if (golden->cycle != v->cycle) return 0;
    if (!golden->plain || v->left->host_write_count) store_all(m, v);
    m->instructions += golden->count;
    return m->suspect.valid ? check_suspect(m, err) : 0;
}

// ---- the end ----
static bool is_late(const struct shadow_memory *m, uint64_t line) {
    for (uint64_t i = first_late(m); i < m->stores; i++) {
        if ((m->late[i % LATE].address - DRAM_BASE) / LINE == line) return true;
    }
    return false;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    const struct shadow_memory *m = state;
    if (m->suspect.valid) return tell_misfit(m, err);
    for (uint64_t line = 0; line < m->bytes / LINE; line++) {
        if (!m->dirty[line / 8]) line |= 7;
        if (!(m->dirty[line / 8] >> line % 8 & 1) || is_late(m, line)) continue;
        error_set(err,
                  "memory: after %" PRIu64 " cycles: stores to the line 0x%" PRIx64
                  " are neither in memory nor in the data cache",
                  cycles, DRAM_BASE + line * LINE);
        return -EBADMSG;
    }
    return 0;
}

static bool publish(void *state, struct results *results) {
    const struct shadow_memory *m = state;
    return results_add_memory_checked(results, &(struct memory_checked){m->lines, m->dirty_lines});
}

const struct worker_ops worker_memory = {
    .name = "memory",
    .text = "every line that is written back, or dirty at the end, against the stores of "
            "the ISS",
    .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN | WORKER_MEMORY,
    .standard = WORKER_WITH_LOCKSTEP,
    .alone = true,
    .check = true,
    .leaving_only = true,
    .create = create,
    .cycle = cycle,
    .memory = on_memory,
    .finish = finish,
    .publish = publish,
    .destroy = destroy};
