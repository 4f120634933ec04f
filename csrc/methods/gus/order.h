// The times at which the entries of a structure are free again: a binary heap, earliest first. All are free at 0.
#ifndef TIPOFF_METHODS_GUS_ORDER_H
#define TIPOFF_METHODS_GUS_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct gus_order {
    uint64_t *times; // NULL: none
    uint32_t size;
};

static inline bool gus_order_create(struct gus_order *o, uint32_t size) {
    o->size = size;
    o->times = calloc(size, sizeof *o->times);
    return o->times != NULL;
}

static inline void gus_order_destroy(struct gus_order *o) {
    free(o->times);
    o->times = NULL;
}

static inline uint64_t gus_order_first(const struct gus_order *o) {
    return o->times[0];
}

// The entry that is free first is taken until `time`.
static inline void gus_order_replace(struct gus_order *o, uint64_t time) {
    uint32_t at = 0;
    for (uint32_t child = 1; child < o->size; child = 2 * at + 1) {
        child += child + 1 < o->size && o->times[child + 1] < o->times[child];
        if (o->times[child] >= time) break;
        o->times[at] = o->times[child];
        at = child;
    }
    o->times[at] = time;
}

#endif
