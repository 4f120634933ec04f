// Batches: their life, the writing of what is not a cycle, and the reading.
#include "workers/batch_internal.h"
#include <stdlib.h>

struct batch *batch_create(size_t capacity, uint32_t needs, struct error *err) {
    struct batch *b = calloc(1, sizeof *b);
    unsigned char *entries = malloc(capacity * GREATEST); // what is never reached costs nothing
    if (!b || !entries) {
        error_nomem(err, "workers");
        free(b);
        free(entries);
        return NULL;
    }
    *b = (struct batch){
        .needs = needs, .capacity = capacity, .end = entries, .entries = entries, .next = {.at = entries}};
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
static unsigned char *put_traced(unsigned char *at, uint32_t needs, struct entry *e, const struct trace_cycle *c) {
    if (needs & DPI_STAGES) {
        e->stages = (uint8_t)c->stages.count;
        at = batch_put(at, c->stages.list, c->stages.count * sizeof c->stages.list[0]);
    }
    if (needs & DPI_SIGNALS) at = batch_put(at, &c->signals, sizeof c->signals);
    if (needs & DPI_LIFE) {
        at = batch_put(at, &c->life.count, sizeof c->life.count);
        at = batch_put(at, c->life.list, c->life.count * sizeof c->life.list[0]);
    }
    return at;
}

bool batch_add_more(struct batch *b, const struct trace_cycle *c) {
    const struct trace_left *left = &c->left;
    struct entry *e = (struct entry *)b->end;
    unsigned char *at = batch_put_cycle(b, c);
    e->more = true;
    if (b->needs & DPI_RETIRE) {
        e->trap = left->trap.valid;
        if (e->trap) at = batch_put(at, &left->trap, sizeof left->trap);
        at = batch_put(at, left->host_writes, left->host_write_count * sizeof left->host_writes[0]);
    }
    return batch_close_entry(b, put_traced(at, b->needs, e, c));
}

static bool add_plain(struct batch *b, enum entry_kind kind, uint64_t cycle, uint64_t count) {
    struct entry *e = (struct entry *)b->end;
    *e = (struct entry){.kind = (uint8_t)kind, .cycle = cycle, .count = count};
    return batch_close_entry(b, b->end + sizeof *e);
}

bool batch_add_quiet(struct batch *b, uint64_t cycle, uint64_t count) {
    return add_plain(b, ENTRY_QUIET, cycle, count);
}
bool batch_add_sample(struct batch *b, uint64_t cycle, bool taken) {
    return add_plain(b, ENTRY_SAMPLE, cycle, taken);
}

bool batch_add_instruction(struct batch *b, const uint64_t words[INSTRUCTION_SAMPLE_WORDS]) {
    struct entry *e = (struct entry *)b->end;
    *e = (struct entry){.kind = ENTRY_INSTRUCTION};
    return batch_close_entry(b, batch_put(b->end + sizeof *e, words, INSTRUCTION_SAMPLE_WORDS * sizeof *words));
}

bool batch_add_counter(struct batch *b, const struct counter_event *event) {
    struct entry *e = (struct entry *)b->end;
    *e = (struct entry){.kind = ENTRY_COUNTER};
    return batch_close_entry(b, batch_put(b->end + sizeof *e, event, sizeof *event));
}

bool batch_add_begin(struct batch *b, uint64_t cycle) {
    return add_plain(b, ENTRY_BEGIN, cycle, 0);
}

bool batch_add_end(struct batch *b, uint64_t cycle) {
    return add_plain(b, ENTRY_END, cycle, 0);
}

bool batch_add_memory(struct batch *b, const struct memory_event *event) {
    struct entry *e = (struct entry *)b->end;
    *e = (struct entry){.kind = ENTRY_MEMORY, .data = event->data != NULL};
    unsigned char *at = batch_put(b->end + sizeof *e, event, sizeof *event);
    if (event->data) at = batch_put(at, event->data, LINE);
    return batch_close_entry(b, at);
}

// ---- reading ----
static const unsigned char *get(const unsigned char *at, void *part, size_t bytes) {
    memcpy(part, at, bytes);
    return at + bytes;
}

// The parts that few have.
__attribute__((noinline)) static const unsigned char *get_more(const unsigned char *at, uint32_t needs,
                                                               const struct entry *e, struct trace_cycle *c) {
    struct trace_left *left = &c->left;
    if (e->trap) at = get(at, &left->trap, sizeof left->trap);
    if (needs & DPI_RETIRE) at = get(at, left->host_writes, left->host_write_count * sizeof left->host_writes[0]);
    if (needs & DPI_STAGES) {
        c->stages.count = e->stages;
        at = get(at, c->stages.list, c->stages.count * sizeof c->stages.list[0]);
    }
    if (needs & DPI_SIGNALS) at = get(at, &c->signals, sizeof c->signals);
    if (needs & DPI_LIFE) {
        at = get(at, &c->life.count, sizeof c->life.count);
        at = get(at, c->life.list, c->life.count * sizeof c->life.list[0]);
    }
    return at;
}

static const unsigned char *get_cycle(const struct batch *b, const unsigned char *at, const struct entry *e,
                                      struct trace_cycle *c) {
    at = get(at, &c->bundle, sizeof c->bundle);
    if (b->needs & DPI_SELECT) {
        at = get(at, &c->select, sizeof c->select);
        at = get(at, &c->oir, sizeof c->oir);
    }
    if (b->needs & DPI_ACCESSES) {
        c->accesses.count = e->accesses;
        at = get(at, c->accesses.list, c->accesses.count * sizeof c->accesses.list[0]);
    }
    if (b->needs & DPI_RETIRE) {
        c->left.counts = e->left;
        c->left.trap.valid = false;
        for (unsigned i = 0; i < c->left.count; i++)
            at = get(at, &c->left.retired[i], sizeof c->left.retired[i]);
    }
    return e->more ? get_more(at, b->needs, e, c) : at;
}

// In equal cycles nothing leaves and nothing moves.
static void make_quiet(struct trace_cycle *c) {
    c->left.count = 0;
    c->left.trap.valid = false;
    c->left.host_write_count = 0;
    c->stages.count = 0;
    c->life.count = 0;
    c->accesses.count = 0;
}

// Every other kind of entry than a cycle.
static int show_other(const unsigned char **at, const struct entry *e, struct workers *workers, struct error *err) {
    if (e->kind == ENTRY_SAMPLE) {
        workers_sample(workers, e->cycle, e->count);
        return 0;
    }
    if (e->kind == ENTRY_BEGIN) return workers_begin(workers, e->cycle, err);
    if (e->kind == ENTRY_END) return workers_end(workers, e->cycle, err);
    if (e->kind == ENTRY_INSTRUCTION) {
        const uint64_t *words = (const uint64_t *)*at;
        *at += INSTRUCTION_SAMPLE_WORDS * sizeof *words;
        return workers_instruction(workers, words, err);
    }
    if (e->kind == ENTRY_COUNTER) {
        struct counter_event counter;
        *at = get(*at, &counter, sizeof counter);
        return workers_counter(workers, &counter, err);
    }
    struct memory_event event;
    *at = get(*at, &event, sizeof event);
    event.data = e->data ? (const uint64_t *)*at : NULL;
    if (e->data) *at += LINE;
    return workers_memory(workers, &event, err);
}

// The next one, which is a cycle.
static bool read_cycle(const struct batch *b, struct cursor *from, struct trace_cycle *now) {
    const struct entry *e = from->entry = (const struct entry *)from->at;
    from->at += sizeof *e;
    now->cycle = e->cycle;
    if (e->kind == ENTRY_QUIET) {
        make_quiet(now);
        return false;
    }
    from->bundle = (const struct commit_bundle *)from->at;
    from->at = get_cycle(b, from->at, e, now);
    return true;
}

static int tell_cycle(struct batch *b, const struct cursor *from, struct workers *workers,
                      const struct trace_cycle *now, struct error *err) {
    b->recent[b->shown++ % RECENT] = (struct shown_entry){from->entry, from->bundle};
    return workers_cycle(workers, now, from->entry->count, err);
}

static int show(struct batch *b, struct cursor *from, struct workers *workers, struct trace_cycle *now,
                struct error *err) {
    const struct entry *e = (const struct entry *)from->at;
    if (e->kind <= ENTRY_QUIET) {
        read_cycle(b, from, now);
        return tell_cycle(b, from, workers, now, err);
    }
    from->at += sizeof *e;
    return show_other(&from->at, e, workers, err);
}

static void tell_recent(struct batch *b, struct workers *workers) {
    for (unsigned i = b->shown > HISTORY_BUNDLES ? b->shown - HISTORY_BUNDLES : 0; i < b->shown; i++) {
        const struct shown_entry *r = &b->recent[i % RECENT];
        workers_remember(workers, r->entry->cycle, r->entry->count, r->bundle);
    }
    b->shown = 0;
}

int batch_show(struct batch *b, struct workers *workers, struct trace_cycle *now, struct error *err) {
    struct cursor from = {.at = b->entries};
    int result = 0;
    for (size_t i = 0; result == 0 && i < b->count; i++)
        result = show(b, &from, workers, now, err);
    tell_recent(b, workers);
    b->count = 0;
    b->end = b->entries;
    return result;
}

// ---- step by step ----
int batch_next(struct batch *b, struct workers *workers, uint64_t *cycle, struct error *err) {
    int result = 0;
    *cycle = UINT64_MAX;
    while (result == 0 && b->taken < b->count) {
        const struct entry *e = (const struct entry *)b->next.at;
        if (e->kind <= ENTRY_QUIET) {
            *cycle = e->cycle;
            break;
        }
        b->next.at += sizeof *e;
        b->taken++;
        result = show_other(&b->next.at, e, workers, err);
    }
    return result;
}

bool batch_read(struct batch *b, struct trace_cycle *now) {
    b->taken++;
    return read_cycle(b, &b->next, now);
}

int batch_tell(struct batch *b, struct workers *workers, const struct trace_cycle *now, struct error *err) {
    return tell_cycle(b, &b->next, workers, now, err);
}

// What is left begins the batch.
void batch_forget(struct batch *b, struct workers *workers) {
    tell_recent(b, workers);
    const size_t left = (size_t)(b->end - b->next.at);
    memmove(b->entries, b->next.at, left);
    b->end = b->entries + left;
    b->count -= b->taken;
    b->taken = 0;
    b->next = (struct cursor){.at = b->entries};
}

bool batch_move(struct batch *to, struct batch *from) {
    if (to->count == 0) {
        const struct batch empty = *to;
        *to = *from;
        *from = empty;
        return true;
    }
    while (to->capacity <= to->count + from->count)
        if (!batch_grow(to)) return false;
    to->end = batch_put(to->end, from->entries, (size_t)(from->end - from->entries));
    to->count += from->count;
    from->count = 0;
    from->end = from->entries;
    return true;
}

bool batch_grow(struct batch *b) {
    const size_t shown = (size_t)(b->next.at - b->entries), used = (size_t)(b->end - b->entries);
    unsigned char *entries = realloc(b->entries, 2 * b->capacity * GREATEST);
    if (!entries) return false;
    b->capacity *= 2;
    b->entries = entries;
    b->end = entries + used;
    b->next = (struct cursor){.at = entries + shown};
    return true;
}
