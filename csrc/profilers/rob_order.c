// The order of ROB entries from bundles: positions, squashes, and the learning of the ring's length.
#include "profilers/rob_order.h"

static uint32_t highest_power(uint32_t n) { // n > 0
    return UINT32_C(1) << (31 - __builtin_clz(n));
}

// The index should be `expected` and is not: `past` entries of the last group went in after the end of the ring. The
// first lap ends at `size` and goes on at the wrap bit, the second ends at wrap + size and goes on at 0.
static void learn(struct rob_order *o, uint32_t expected, uint32_t index) {
    if (index <= o->entered) {
        uint32_t end = expected - index;
        if (end < 2) return;
        o->wrap = highest_power(end - 1);
        o->size = end - o->wrap;
    } else {
        uint32_t wrap = highest_power(index), past = index - wrap;
        if (past > o->entered || expected - past > wrap) return; // no wrap-around
        o->wrap = wrap;
        o->size = expected - past;
    }
}

void rob_order_begin(struct rob_order *o, const struct commit_bundle *b) {
    uint32_t index = b->dispatch_rob;
    if (!o->size && o->steady && o->entered && index != o->index + o->entered) learn(o, o->index + o->entered, index);
    o->tail = o->size ? (index & o->wrap ? o->size : 0) + (index & (o->wrap - 1)) : index;
    o->index = index;
    if (b->rob_empty) o->head = o->tail;
}

void rob_order_end(struct rob_order *o, const struct commit_bundle *b) {
    o->head += (unsigned)__builtin_popcount(b->commit);
    if (o->size && o->head >= 2 * o->size) o->head -= 2 * o->size;
    o->entered = (unsigned)__builtin_popcount(b->dispatch_valid);
    o->steady = !b->redirect && !rob_order_clears(b);
}
