// Binary heap of events: see timeline.h.
#include "harness/timeline.h"
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

static bool before(const struct entry *a, const struct entry *b) {
    return a->event.cycle < b->event.cycle || (a->event.cycle == b->event.cycle && a->order < b->order);
}

void timeline_add(struct timeline *t, struct event event) {
    if (t->count == t->capacity) abort(); // more events than the creator said
    struct entry entry = {event, ++t->order};
    unsigned i = t->count++;
    for (; i > 0 && before(&entry, &t->heap[(i - 1) / 2]); i = (i - 1) / 2)
        t->heap[i] = t->heap[(i - 1) / 2];
    t->heap[i] = entry;
}

uint64_t timeline_next(const struct timeline *t) {
    return t->count ? t->heap[0].event.cycle : UINT64_MAX;
}

bool timeline_take(struct timeline *t, uint64_t cycle, struct event *event) {
    if (timeline_next(t) > cycle) return false;
    *event = t->heap[0].event;
    struct entry last = t->heap[--t->count];
    unsigned i = 0;
    for (unsigned child = 1; child < t->count; child = 2 * i + 1) {
        if (child + 1 < t->count && before(&t->heap[child + 1], &t->heap[child])) child++;
        if (!before(&t->heap[child], &last)) break;
        t->heap[i] = t->heap[child];
        i = child;
    }
    t->heap[i] = last;
    return true;
}
