// The learning of the ring's length.
#include "profilers/rob_order.h"

static uint32_t highest_power(uint32_t n) { // n > 0
    return UINT32_C(1) << (31 - __builtin_clz(n));
}

// The index should be `expected` and is not: `past` entries of the last group went in after the end of the ring. The
// first lap ends at `size` and goes on at the wrap bit, the second ends at wrap + size and goes on at 0.
void rob_order_learn(struct rob_order *o, uint32_t expected, uint32_t index) {
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
