// Batches: entries of various lengths, one behind the other: a head, and behind it the parts that there are.
#include "workers/batch.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum entry_kind { ENTRY_CYCLE, ENTRY_QUIET, ENTRY_MEMORY, ENTRY_SAMPLE, ENTRY_BEGIN };

struct entry {
    uint64_t cycle, count; // count: of ENTRY_QUIET
    uint8_t kind;
    uint8_t left, host_writes, stages; // how many of them follow
    uint8_t fflags;
    bool trap, data; // one follows; of ENTRY_MEMORY: the line's words follow
};

enum { LINE = 64 };
enum { GREATEST = sizeof(struct entry) + sizeof(struct trace_cycle) }; // of all kinds of entries
static_assert(MAX_HOST_WRITES <= UINT8_MAX, "their number is a byte");
static_assert(sizeof(struct memory_event) + LINE <= sizeof(struct trace_cycle), "a cycle is the greatest entry");

struct batch {
    uint32_t needs;
    size_t room, count;
    unsigned char *end; // where the next one goes
    unsigned char *entries;
};

struct batch *batch_create(size_t room, uint32_t needs, struct error *err) {
    struct batch *b = calloc(1, sizeof *b);
    unsigned char *entries = malloc(room * GREATEST); // what is never reached costs nothing
    if (!b || !entries) {
        error_set(err, "workers: out of memory: free some and run again");
        free(b);
        free(entries);
        return NULL;
    }
    *b = (struct batch){.needs = needs, .room = room, .end = entries, .entries = entries};
    return b;
}

void batch_destroy(struct batch *b) {
    if (!b) return;
    free(b->entries);
    free(b);
}

bool batch_empty(const struct batch *b) {
    return b->count == 0;
}

// ---- writing ----
// Parts are multiples of eight bytes: the next one is aligned.
static unsigned char *put(unsigned char *at, const void *part, size_t bytes) {
    memcpy(at, part, bytes);
    return at + bytes;
}

static bool close_entry(struct batch *b, unsigned char *end) {
    b->end = end;
    return ++b->count == b->room;
}

static unsigned char *put_left(unsigned char *at, struct entry *e, const struct trace_left *left) {
    e->left = (uint8_t)left->count;
    e->fflags = left->fflags;
    e->trap = left->trap.valid;
    e->host_writes = (uint8_t)left->host_write_count;
    for (unsigned i = 0; i < left->count; i++)
        at = put(at, &left->retired[i], sizeof left->retired[i]);
    if (e->trap) at = put(at, &left->trap, sizeof left->trap);
    for (unsigned i = 0; i < left->host_write_count; i++)
        at = put(at, &left->host_writes[i], sizeof left->host_writes[i]);
    return at;
}

// What tracers alone ask for: kept apart, so that others do not pay for it.
__attribute__((noinline)) static unsigned char *put_traced(unsigned char *at, uint32_t needs, struct entry *e,
                                                           const struct trace_cycle *c) {
    if (needs & DPI_STAGES) {
        e->stages = (uint8_t)c->stages.count;
        at = put(at, c->stages.list, c->stages.count * sizeof c->stages.list[0]);
    }
    if (needs & DPI_SIGNALS) at = put(at, &c->signals, sizeof c->signals);
    return at;
}

bool batch_add_cycle(struct batch *b, const struct trace_cycle *c) {
    const uint32_t needs = b->needs;
    struct entry *e = (struct entry *)b->end;
    unsigned char *at = b->end + sizeof *e;
    *e = (struct entry){.kind = ENTRY_CYCLE, .cycle = c->cycle, .count = 1};
    at = put(at, &c->bundle, sizeof c->bundle);
    if (needs & DPI_SELECT) {
        at = put(at, &c->select, sizeof c->select);
        at = put(at, &c->oir, sizeof c->oir);
    }
    if (needs & DPI_RETIRE) at = put_left(at, e, &c->left);
    if (needs & (DPI_STAGES | DPI_SIGNALS)) at = put_traced(at, needs, e, c);
    return close_entry(b, at);
}

static bool add_plain(struct batch *b, enum entry_kind kind, uint64_t cycle, uint64_t count) {
    struct entry *e = (struct entry *)b->end;
    *e = (struct entry){.kind = (uint8_t)kind, .cycle = cycle, .count = count};
    return close_entry(b, b->end + sizeof *e);
}

bool batch_add_quiet(struct batch *b, uint64_t cycle, uint64_t count) {
    return add_plain(b, ENTRY_QUIET, cycle, count);
}
bool batch_add_sample(struct batch *b, uint64_t cycle) {
    return add_plain(b, ENTRY_SAMPLE, cycle, 0);
}

bool batch_add_begin(struct batch *b, uint64_t cycle) {
    return add_plain(b, ENTRY_BEGIN, cycle, 0);
}

bool batch_add_memory(struct batch *b, const struct memory_event *event) {
    struct entry *e = (struct entry *)b->end;
    *e = (struct entry){.kind = ENTRY_MEMORY, .data = event->data != NULL};
    unsigned char *at = put(b->end + sizeof *e, event, sizeof *event);
    if (event->data) at = put(at, event->data, LINE);
    return close_entry(b, at);
}

// ---- reading ----
static const unsigned char *get(const unsigned char *at, void *part, size_t bytes) {
    memcpy(part, at, bytes);
    return at + bytes;
}

static const unsigned char *get_left(const unsigned char *at, const struct entry *e, struct trace_left *left) {
    left->count = e->left;
    left->fflags = e->fflags;
    left->trap.valid = false;
    left->host_write_count = e->host_writes;
    for (unsigned i = 0; i < left->count; i++)
        at = get(at, &left->retired[i], sizeof left->retired[i]);
    if (e->trap) at = get(at, &left->trap, sizeof left->trap);
    for (unsigned i = 0; i < left->host_write_count; i++)
        at = get(at, &left->host_writes[i], sizeof left->host_writes[i]);
    return at;
}

static const unsigned char *get_cycle(const struct batch *b, const unsigned char *at, const struct entry *e,
                                      struct trace_cycle *c) {
    at = get(at, &c->bundle, sizeof c->bundle);
    if (b->needs & DPI_SELECT) {
        at = get(at, &c->select, sizeof c->select);
        at = get(at, &c->oir, sizeof c->oir);
    }
    if (b->needs & DPI_RETIRE) at = get_left(at, e, &c->left);
    if (b->needs & DPI_STAGES) {
        c->stages.count = e->stages;
        at = get(at, c->stages.list, c->stages.count * sizeof c->stages.list[0]);
    }
    if (b->needs & DPI_SIGNALS) at = get(at, &c->signals, sizeof c->signals);
    return at;
}

// In equal cycles nothing leaves and nothing moves.
static void make_quiet(struct trace_cycle *c) {
    c->left.count = 0;
    c->left.trap.valid = false;
    c->left.host_write_count = 0;
    c->stages.count = 0;
}

static int show(const struct batch *b, const unsigned char **at, struct workers *workers, struct trace_cycle *now,
                struct error *err) {
    const struct entry *e = (const struct entry *)*at;
    *at += sizeof *e;
    if (e->kind == ENTRY_SAMPLE) {
        workers_sample(workers, e->cycle);
        return 0;
    }
    if (e->kind == ENTRY_BEGIN) return workers_begin(workers, e->cycle, err);
    if (e->kind == ENTRY_MEMORY) {
        struct memory_event event;
        *at = get(*at, &event, sizeof event);
        event.data = e->data ? (const uint64_t *)*at : NULL;
        if (e->data) *at += LINE;
        return workers_memory(workers, &event, err);
    }
    now->cycle = e->cycle;
    if (e->kind == ENTRY_QUIET) {
        make_quiet(now);
    } else {
        *at = get_cycle(b, *at, e, now);
    }
    return workers_cycle(workers, now, e->count, err);
}

int batch_show(struct batch *b, struct workers *workers, struct trace_cycle *now, struct error *err) {
    const unsigned char *at = b->entries;
    int result = 0;
    for (size_t i = 0; result == 0 && i < b->count; i++)
        result = show(b, &at, workers, now, err);
    b->count = 0;
    b->end = b->entries;
    return result;
}
