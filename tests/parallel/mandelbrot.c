// Mandelbrot's set, its rows shared out, and stolen: a hart whose rows are done takes half of those that another one
// has left. Rows cost as different amounts as there are points of the set in them.
//
// Each round looks at a smaller part. Prints the steps of all points, which no rounding changes: who computes a row
// does not matter.
#include "parallel.h"
#include <stdio.h>

enum { N = BY_SIZE(24, 40, 96, 200), MOST_STEPS = BY_SIZE(60, 200, 300, 500) };
const unsigned usual_rounds = BY_SIZE(2, 4, 6, 9);

// Rows that a hart has left: from in the upper half, to in the lower one, so that both change at once.
static struct { uint64_t range LINE; } rows[MOST_HARTS];
static uint64_t steps[MOST_HARTS][8] LINE; // the first
static unsigned left LINE;                 // rows that nobody has done

static uint64_t packed(struct share range) {
    return (uint64_t)range.from << 32 | range.to;
}

static struct share unpacked(uint64_t range) {
    return (struct share){(unsigned)(range >> 32), (unsigned)range};
}

// The owner takes the first row.
static bool take(unsigned me, unsigned *row) {
    uint64_t range = __atomic_load_n(&rows[me].range, __ATOMIC_RELAXED);
    struct share now;
    do {
        now = unpacked(range);
        if (now.from >= now.to) return false;
        *row = now.from;
    } while (!__atomic_compare_exchange_n(&rows[me].range, &range, packed((struct share){now.from + 1, now.to}), false,
                                          __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return true;
}

// The last half of another one's, of one row that one.
static bool steal(unsigned me, unsigned from) {
    uint64_t range = __atomic_load_n(&rows[from].range, __ATOMIC_RELAXED);
    const struct share now = unpacked(range);
    if (now.from >= now.to) return false;
    const unsigned middle = now.from + (now.to - now.from) / 2;
    const bool got = __atomic_compare_exchange_n(&rows[from].range, &range, packed((struct share){now.from, middle}),
                                                 false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (got) __atomic_store_n(&rows[me].range, packed((struct share){middle, now.to}), __ATOMIC_RELEASE);
    return got;
}

// Looks for a victim until every row is done: nobody wakes it, passive or not.
__attribute__((noinline)) static bool sync_steal(unsigned me, unsigned harts) {
    while (__atomic_load_n(&left, __ATOMIC_ACQUIRE) > 0)
        for (unsigned i = 1; i < harts; i++)
            if (steal(me, (me + i) % harts)) return true;
    return false;
}

static unsigned escape(double a, double b) {
    double x = 0, y = 0;
    unsigned step = 0;
    while (step < MOST_STEPS && x * x + y * y <= 4) {
        const double next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        step++;
    }
    return step;
}

static uint64_t row_steps(unsigned row, double width) {
    uint64_t sum = 0;
    for (unsigned column = 0; column < N; column++)
        sum += escape(-0.75 + width * ((double)column / N - 0.5), 0.125 + width * ((double)row / N - 0.5));
    return sum;
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    double width = 3;
    for (unsigned round = 0; round < rounds; round++, width /= 2) {
        rows[me].range = packed(share(N, me, harts));
        if (me == 0) left = N;
        sync_barrier();
        do {
            for (unsigned row; take(me, &row);) {
                steps[me][0] += row_steps(row, width);
                __atomic_fetch_sub(&left, 1, __ATOMIC_RELEASE);
            }
        } while (sync_steal(me, harts));
        sync_barrier();
    }
    uint64_t sum = 0;
    for (unsigned hart = 0; hart < harts; hart++)
        sum += steps[hart][0];
    if (me == 0) printf("mandelbrot %llu\n", (unsigned long long)sum);
}
