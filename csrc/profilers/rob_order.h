// The order of ROB entries, derived from commit bundles: the index of the oldest, that of the next, the squashed ones.
//
// bundle.dispatch_rob is a ring index with a wrap bit above it, and the ring need not be a power of two. Positions are
// 0..2 x size - 1.
#ifndef TIPOFF_PROFILERS_ROB_ORDER_H
#define TIPOFF_PROFILERS_ROB_ORDER_H

#include "records.h"

struct rob_order {
    uint32_t size, wrap; // entries and the wrap bit
    uint32_t head, tail; // positions of the oldest and of the next
};

// Entries from position `from` to position `to`, going up; a huge number if `to` is older.
static inline uint32_t rob_order_distance(const struct rob_order *o, uint32_t from, uint32_t to) {
    return to < from ? to + 2 * o->size - from : to - from;
}
// The entry at that position, dispatched in an earlier cycle, has been squashed: the next goes to it or before it.
static inline bool rob_order_squashed(const struct rob_order *o, uint32_t position) {
    uint32_t distance = rob_order_distance(o, position, o->tail);
    return distance == 0 || distance > o->size;
}
// It commits in this cycle (between begin and end).
static inline bool rob_order_commits(const struct rob_order *o, const struct commit_bundle *b, uint32_t position) {
    return rob_order_distance(o, o->head, position) < (unsigned)__builtin_popcount(b->commit);
}
// Everything in the ROB is squashed at the end of this cycle, and what dispatches in it.
static inline bool rob_order_clears(const struct commit_bundle *b) {
    return b->exception || (b->commit & b->flush);
}

static inline struct rob_order rob_order_of(uint32_t entries) { // at least 1
    uint32_t wrap = 1;
    while (wrap < entries)
        wrap *= 2;
    return (struct rob_order){.size = entries, .wrap = wrap};
}

// ---- to be called with every bundle: at the beginning of its cycle, then at its end ----
static inline void rob_order_begin(struct rob_order *o, const struct commit_bundle *b) {
    const uint32_t index = b->dispatch_rob;
    o->tail = (index & o->wrap ? o->size : 0) + (index & (o->wrap - 1));
    if (b->rob_empty) o->head = o->tail;
}

static inline void rob_order_end(struct rob_order *o, const struct commit_bundle *b) {
    o->head += (unsigned)__builtin_popcount(b->commit);
    if (o->head >= 2 * o->size) o->head -= 2 * o->size;
}

// Both at once, when positions between begin and end are not needed.
static inline void rob_order_follow(struct rob_order *o, const struct commit_bundle *b) {
    rob_order_begin(o, b);
    if (!b->rob_empty && b->commit) rob_order_end(o, b);
}

#endif
