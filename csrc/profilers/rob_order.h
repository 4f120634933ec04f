// The order of ROB entries, derived from commit bundles: the index of the oldest, that of the next, the squashed ones.
//
// bundle.dispatch_rob is a ring index with a wrap bit above it, and the ring need not be a power of two. A bundle does
// not say how long the ring is: that is learned when the index first wraps; until then indices only grow. Positions
// are 0..2 x size - 1.
#ifndef TIPOFF_PROFILERS_ROB_ORDER_H
#define TIPOFF_PROFILERS_ROB_ORDER_H

#include "records.h"

struct rob_order {
    uint32_t size, wrap; // entries and the wrap bit; 0: not known yet
    uint32_t head, tail; // positions of the oldest and of the next
    uint32_t index;      // dispatch_rob of the last cycle
    unsigned entered;    // in it
    bool steady;         // it did not squash anything: the next index is known
};

// Entries from position `from` to position `to`, going up; a huge number if `to` is older.
static inline uint32_t rob_order_distance(const struct rob_order *o, uint32_t from, uint32_t to) {
    return o->size && to < from ? to + 2 * o->size - from : to - from;
}
// The entry at that position, dispatched in an earlier cycle, has been squashed: the next goes to it or before it.
static inline bool rob_order_squashed(const struct rob_order *o, uint32_t position) {
    uint32_t distance = rob_order_distance(o, position, o->tail);
    return distance == 0 || distance > (o->size ? o->size : UINT32_MAX / 2);
}
// It commits in this cycle (between begin and end).
static inline bool rob_order_commits(const struct rob_order *o, const struct commit_bundle *b, uint32_t position) {
    return rob_order_distance(o, o->head, position) < (unsigned)__builtin_popcount(b->commit);
}
// Everything in the ROB is squashed at the end of this cycle, and what dispatches in it.
static inline bool rob_order_clears(const struct commit_bundle *b) {
    return b->exception || (b->commit & b->flush);
}

// ---- to be called with every bundle: at the beginning of its cycle, then at its end ----
void rob_order_learn(struct rob_order *o, uint32_t expected, uint32_t index); // the index wraps

static inline void rob_order_begin(struct rob_order *o, const struct commit_bundle *b) {
    const uint32_t index = b->dispatch_rob;
    if (!o->size && o->steady && o->entered && index != o->index + o->entered)
        rob_order_learn(o, o->index + o->entered, index);
    o->tail = o->size ? (index & o->wrap ? o->size : 0) + (index & (o->wrap - 1)) : index;
    o->index = index;
    if (b->rob_empty) o->head = o->tail;
}

static inline void rob_order_end(struct rob_order *o, const struct commit_bundle *b) {
    o->head += (unsigned)__builtin_popcount(b->commit);
    if (o->size && o->head >= 2 * o->size) o->head -= 2 * o->size;
    o->entered = (unsigned)__builtin_popcount(b->dispatch_valid);
    o->steady = !b->redirect && !rob_order_clears(b);
}

// Both at once, for a known length, when positions between begin and end are not needed.
static inline void rob_order_follow(struct rob_order *o, const struct commit_bundle *b) {
    const uint32_t index = b->dispatch_rob;
    o->tail = (index & o->wrap ? o->size : 0) + (index & (o->wrap - 1));
    if (b->rob_empty) {
        o->head = o->tail;
    } else if (b->commit) {
        o->head += (unsigned)__builtin_popcount(b->commit);
        if (o->head >= 2 * o->size) o->head -= 2 * o->size;
    }
}

#endif
