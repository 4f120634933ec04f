// Work that harts do side by side and share nothing for: each sorts numbers of its own, again and again. The last to be
// done ends the run. For how fast several harts are simulated (scripts/bench_harts.py).
#include "harts.h"

#ifndef ROUNDS
#define ROUNDS 4
#endif
enum { NUMBERS = 256 };
void (*volatile trap_function)(uint64_t cause);

static uint32_t numbers[MOST_HARTS][NUMBERS] __attribute__((aligned(4096)));
static volatile uint64_t done;

static void fill(uint32_t *of, uint32_t seed) {
    for (unsigned i = 0; i < NUMBERS; i++)
        of[i] = seed = seed * 1664525 + 1013904223;
}

static void sink(uint32_t *of, unsigned root, unsigned end) {
    for (unsigned child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && of[child + 1] > of[child]) child++;
        if (of[root] >= of[child]) return;
        const uint32_t moved = of[root];
        of[root] = of[child];
        of[child] = moved;
    }
}

static void sort(uint32_t *of) {
    for (unsigned root = NUMBERS / 2; root-- > 0;)
        sink(of, root, NUMBERS);
    for (unsigned end = NUMBERS; end-- > 1;) {
        const uint32_t greatest = of[0];
        of[0] = of[end];
        of[end] = greatest;
        sink(of, 0, end);
    }
}

void hart_main(uint64_t hart, const void *tree) {
    (void)tree;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(numbers[hart], (uint32_t)(round + 31 * hart));
        sort(numbers[hart]);
    }
    if (__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST) == HARTS) FINISHER = 0x5555;
}
