// What a batch is made of, and the writing of a cycle, which happens in every one: for feed.c and batch.c.
//
// Entries of various lengths lie one after the other: a head, then those parts that the entry has.
#ifndef TIPOFF_WORKERS_BATCH_INTERNAL_H
#define TIPOFF_WORKERS_BATCH_INTERNAL_H

#include "workers/batch.h"
#include <assert.h>
#include <string.h>

enum entry_kind {
    ENTRY_CYCLE,
    ENTRY_QUIET,
    ENTRY_MEMORY,
    ENTRY_SAMPLE,
    ENTRY_BEGIN,
    ENTRY_END,
    ENTRY_INSTRUCTION,
    ENTRY_COUNTER
};

struct entry {
    uint64_t cycle, count; // count: of ENTRY_QUIET; of ENTRY_SAMPLE: 1, it is taken
    uint64_t left;         // trace_left.counts: as many follow
    uint8_t kind;
    uint8_t stages, accesses; // how many of them follow
    bool trap, data;          // one follows; of ENTRY_MEMORY: the line's words follow
    bool more;                // of ENTRY_CYCLE: there are parts that few have
};

enum { LINE = 64 };
enum { GREATEST = sizeof(struct entry) + sizeof(struct trace_cycle) }; // of all kinds of entries
static_assert(MAX_HOST_WRITES <= UINT16_MAX, "their number is a halfword");
static_assert(sizeof(struct memory_event) + LINE <= sizeof(struct trace_cycle), "a cycle is the greatest entry");

// A cycle that has been shown, for workers_remember.
struct shown_entry {
    const struct entry *entry;
    const struct commit_bundle *bundle; // NULL: as it was before the batch
};
enum { RECENT = 32 };
static_assert(RECENT >= HISTORY_BUNDLES && (RECENT & (RECENT - 1)) == 0, "a power of two");

struct cursor { // what is read next
    const unsigned char *at;
    const struct commit_bundle *bundle; // of the last cycle; NULL: as it was before the batch
    const struct entry *entry;          // of it
};
struct batch {
    uint32_t needs;
    struct cursor next; // of what is shown step by step
    size_t taken;       // entries before it
    size_t capacity, count;
    unsigned char *end; // where the next one goes
    unsigned char *entries;
    unsigned shown; // entries with cycles; the last ones:
    struct shown_entry recent[RECENT];
};

// Parts are multiples of eight bytes: the next one is aligned.
static inline unsigned char *batch_put(unsigned char *at, const void *part, size_t bytes) {
    memcpy(at, part, bytes);
    return at + bytes;
}

static inline bool batch_close_entry(struct batch *b, unsigned char *end) {
    b->end = end;
    return ++b->count == b->capacity;
}

// Whether a cycle has parts that few have: a trap, words that the host wrote, or what tracers alone ask for.
static inline bool batch_has_more(const struct batch *b, const struct trace_cycle *c) {
    return (b->needs & (DPI_STAGES | DPI_SIGNALS | DPI_LIFE)) | c->left.trap.valid | c->left.host_write_count;
}
// Such a cycle. The batch is not full. Whether it is now.
bool batch_add_more(struct batch *b, const struct trace_cycle *c);

// What every cycle has; the end of it.
static inline unsigned char *batch_put_cycle(struct batch *b, const struct trace_cycle *c) {
    const uint32_t needs = b->needs;
    struct entry *e = (struct entry *)b->end;
    unsigned char *at = b->end + sizeof *e;
    *e = (struct entry){.kind = ENTRY_CYCLE, .cycle = c->cycle, .count = 1, .left = c->left.counts};
    at = batch_put(at, &c->bundle, sizeof c->bundle);
    if (needs & DPI_SELECT) {
        at = batch_put(at, &c->select, sizeof c->select);
        at = batch_put(at, &c->oir, sizeof c->oir);
    }
    if (needs & DPI_ACCESSES) {
        e->accesses = (uint8_t)c->accesses.count;
        at = batch_put(at, c->accesses.list, c->accesses.count * sizeof c->accesses.list[0]);
    }
    if (!(needs & DPI_RETIRE)) return at;
    for (unsigned i = 0; i < c->left.count; i++)
        at = batch_put(at, &c->left.retired[i], sizeof c->left.retired[i]);
    return at;
}

// Any other. The batch is not full. Whether it is now.
static inline bool batch_add_cycle(struct batch *b, const struct trace_cycle *c) {
    return batch_close_entry(b, batch_put_cycle(b, c));
}

#endif
