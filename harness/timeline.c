// Binary heap of events: see timeline.h.
#include "harness/timeline.h"
#include "base/heap.h"
#include <stdlib.h>

struct entry {
    struct event event;
    uint64_t order;
};

struct timeline {
    uint64_t order;
    unsigned count, capacity;
    struct entry heap[];
};

struct timeline *timeline_create(unsigned capacity) {
    struct timeline *t = calloc(1, sizeof *t + capacity * sizeof *t->heap);
    if (t) t->capacity = capacity;
    return t;
}

void timeline_destroy(struct timeline *t) {
    free(t);
}

static bool before(const void *x, const void *y) {
    const struct entry *a = x, *b = y;
    return a->event.cycle < b->event.cycle || (a->event.cycle == b->event.cycle && a->order < b->order);
}

void timeline_add(struct timeline *t, struct event event) {
    if (t->count == t->capacity) abort(); // more events than the creator said
    const struct entry entry = {event, ++t->order};
    heap_put(t->heap, t->count++, sizeof entry, before, &entry);
}

uint64_t timeline_next(const struct timeline *t) {
    return t->count ? t->heap[0].event.cycle : UINT64_MAX;
}

bool timeline_take(struct timeline *t, uint64_t cycle, struct event *event) {
    if (timeline_next(t) > cycle) return false;
    *event = t->heap[0].event;
    heap_drop(t->heap, t->count--, sizeof *t->heap, before);
    return true;
}
