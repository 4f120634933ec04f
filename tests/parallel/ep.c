// Pairs of normal random numbers by the polar method, counted by the square ring they lie in: no communication but at
// the end. After the kernel of that name of the NAS parallel benchmarks, with its generator of random numbers.
//
// Prints both sums and the number of pairs: with large's argument 16 they are that benchmark's of class S, whose sums
// are published: -3.247834652034740e+03, -6.958407078382297e+03. Blocks are added up in their order: the same for any
// number of harts.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { PAIRS = 1024, RINGS = 10, BLOCKS = BY_SIZE(2, 64, 512, 1024) }; // a round
enum { MOST_ROUNDS = 64 };
const unsigned usual_rounds = BY_SIZE(1, 1, 1, 7);

static const uint64_t FACTOR = 1220703125, SEED = 271828183, MASK = (1ull << 46) - 1; // 5 to the 13th
static struct sums { double x, y; } sums[MOST_ROUNDS * BLOCKS];
static uint64_t rings[MOST_HARTS][RINGS] LINE;

static uint64_t power(uint64_t exponent) {
    uint64_t result = 1;
    for (uint64_t factor = FACTOR; exponent; exponent >>= 1, factor = factor * factor & MASK)
        if (exponent & 1) result = result * factor & MASK;
    return result;
}

static double next(uint64_t *x) {
    *x = *x * FACTOR & MASK;
    return (double)*x * (1.0 / (double)(MASK + 1));
}

static struct sums block(unsigned number, uint64_t *ring) {
    uint64_t x = SEED * power(2ull * PAIRS * number) & MASK;
    struct sums sum = {0, 0};
    for (unsigned i = 0; i < PAIRS; i++) {
        const double a = 2 * next(&x) - 1, b = 2 * next(&x) - 1, square = a * a + b * b;
        if (square > 1) continue;
        const double factor = sqrt(-2 * log(square) / square), c = a * factor, d = b * factor;
        ring[(unsigned)fmax(fabs(c), fabs(d))]++;
        sum.x += c;
        sum.y += d;
    }
    return sum;
}

static void print(unsigned blocks, unsigned harts) {
    struct sums sum = {0, 0};
    for (unsigned i = 0; i < blocks; i++) {
        sum.x += sums[i].x;
        sum.y += sums[i].y;
    }
    uint64_t pairs = 0;
    printf("ep %.8e %.8e, rings", sum.x, sum.y);
    for (unsigned ring = 0; ring < RINGS; ring++) {
        uint64_t count = 0;
        for (unsigned hart = 0; hart < harts; hart++)
            count += rings[hart][ring];
        pairs += count;
        printf(" %llu", (unsigned long long)count);
    }
    printf(", %llu pairs\n", (unsigned long long)pairs);
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    if (rounds > MOST_ROUNDS) rounds = MOST_ROUNDS;
    const struct share blocks = share(rounds * BLOCKS, me, harts);
    for (unsigned i = blocks.from; i < blocks.to; i++)
        sums[i] = block(i, rings[me]);
    sync_barrier();
    if (me == 0) print(rounds * BLOCKS, harts);
}
