// The times at which the entries of a structure are free again. All are free at 0.
//
// What is freed in the order in which it was taken is a ring: the oldest entry is the first. What is freed in any order
// is a binary heap, the earliest first.
#ifndef TIPOFF_METHODS_GUS_ORDER_H
#define TIPOFF_METHODS_GUS_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct gus_order {
    uint64_t *times; // NULL: none
    uint32_t size, head;
};

static inline bool gus_order_create(struct gus_order *o, uint32_t size) {
    o->size = size;
    o->head = 0;
    o->times = calloc(size, sizeof *o->times);
    return o->times != NULL;
}

static inline void gus_order_destroy(struct gus_order *o) {
    free(o->times);
    o->times = NULL;
}

// ---- a ring ----
static inline uint64_t gus_ring_first(const struct gus_order *o) {
    return o->times[o->head];
}

// The entry that is free first is taken until `time`, which is not before that of the entry taken last.
static inline void gus_ring_replace(struct gus_order *o, uint64_t time) {
    o->times[o->head] = time;
    if (++o->head == o->size) o->head = 0;
}

// ---- a heap ----
static inline uint64_t gus_heap_first(const struct gus_order *o) {
    return o->times[0];
}

static inline uint64_t gus_heap_second(const struct gus_order *o) { // when two are free
    if (o->size < 2) return o->times[0];
    return o->size > 2 && o->times[2] < o->times[1] ? o->times[2] : o->times[1];
}

// The entry that is free first is taken until `time`.
static inline void gus_heap_replace(struct gus_order *o, uint64_t time) {
    uint32_t at = 0;
    for (uint32_t child = 1; child < o->size; child = 2 * at + 1) {
        child += child + 1 < o->size && o->times[child + 1] < o->times[child];
        if (o->times[child] >= time) break;
        o->times[at] = o->times[child];
        at = child;
    }
    o->times[at] = time;
}

// ---- a calendar ----
enum { GUS_DAYS = 1 << 14 }; // what is taken for longer counts as taken that long
struct gus_calendar {
    uint16_t *counts;     // of later days, by day; NULL: none
    uint32_t size, today; // today: that become free on `first`
    uint64_t first;       // day on which the next entry is free
};

static inline bool gus_calendar_create(struct gus_calendar *c, uint32_t size) {
    c->counts = calloc(GUS_DAYS, sizeof *c->counts);
    c->size = size < UINT16_MAX ? size : UINT16_MAX;
    c->first = 0;
    c->today = c->size;
    return c->counts != NULL;
}

static inline void gus_calendar_destroy(struct gus_calendar *c) {
    free(c->counts);
    c->counts = NULL;
}

// The entry that is free first is taken until `day`, which is not before c->first.
static inline void gus_calendar_replace(struct gus_calendar *c, uint64_t day) {
    const uint64_t last = c->first + GUS_DAYS - 1;
    if (day == c->first) return;
    c->counts[(day < last ? day : last) % GUS_DAYS]++;
    if (--c->today) return;
    uint16_t *count;
    do {
        count = &c->counts[++c->first % GUS_DAYS];
    } while (*count == 0);
    c->today = *count;
    *count = 0;
}

#endif
