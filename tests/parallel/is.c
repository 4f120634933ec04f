// Integer sort: keys ranked by counting, each hart its own keys, and scattered in the order of their ranks. After the
// kernel of that name of the NAS parallel benchmarks.
//
// A round sorts by all bits of the keys, a digit at a time; the next one sorts other keys. Prints the sum of each key
// times its place, modulo 2^64, and how many keys stand before a smaller one: none.
#include "parallel.h"
#include <stdio.h>
#include <string.h>

enum { N = BY_SIZE(1000, 30000, 200000, 1000000), DIGIT = 10, DIGITS = 1 << DIGIT, KEY_BITS = 2 * DIGIT };
const unsigned usual_rounds = BY_SIZE(1, 4, 6, 12);

static uint32_t keys[2][N];
static uint32_t counts[MOST_HARTS][DIGITS] LINE;
static uint32_t first[DIGITS]; // place of the first key of that digit
static uint64_t sums[MOST_HARTS], disorders[MOST_HARTS];

static void make(struct share mine, unsigned round) {
    for (unsigned i = mine.from; i < mine.to; i++)
        keys[0][i] = (uint32_t)(random_at((uint64_t)round * N + i) >> (64 - KEY_BITS));
}

static void count(const uint32_t *from, struct share mine, uint32_t *to, unsigned shift) {
    memset(to, 0, sizeof *counts);
    for (unsigned i = mine.from; i < mine.to; i++)
        to[from[i] >> shift & (DIGITS - 1)]++;
}

// A hart's digits: each hart's keys of a digit follow those of the harts before it.
static void accumulate(struct share digits, unsigned harts) {
    for (unsigned digit = digits.from; digit < digits.to; digit++) {
        uint32_t sum = 0;
        for (unsigned hart = 0; hart < harts; hart++) {
            const uint32_t its = counts[hart][digit];
            counts[hart][digit] = sum;
            sum += its;
        }
        first[digit] = sum;
    }
}

static void add_up(void) {
    uint32_t sum = 0;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        const uint32_t its = first[digit];
        first[digit] = sum;
        sum += its;
    }
}

static void scatter(const uint32_t *from, struct share mine, uint32_t *to, uint32_t *rank, unsigned shift) {
    for (unsigned i = mine.from; i < mine.to; i++) {
        const unsigned digit = from[i] >> shift & (DIGITS - 1);
        to[first[digit] + rank[digit]++] = from[i];
    }
}

static void sort(struct share mine, unsigned me, unsigned harts) {
    for (unsigned shift = 0, in = 0; shift < KEY_BITS; shift += DIGIT, in ^= 1) {
        count(keys[in], mine, counts[me], shift);
        sync_barrier();
        accumulate(share(DIGITS, me, harts), harts);
        sync_barrier();
        if (me == 0) add_up();
        sync_barrier();
        scatter(keys[in], mine, keys[in ^ 1], counts[me], shift);
        sync_barrier();
    }
}

static void look(struct share mine, unsigned me) {
    for (unsigned i = mine.from; i < mine.to; i++) {
        sums[me] += (uint64_t)keys[0][i] * i;
        disorders[me] += i > 0 && keys[0][i - 1] > keys[0][i];
    }
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    for (unsigned round = 0; round < rounds; round++) {
        make(mine, round);
        sort(mine, me, harts);
        look(mine, me);
        sync_barrier();
    }
    uint64_t sum = 0, disorder = 0;
    for (unsigned hart = 0; hart < harts; hart++) {
        sum += sums[hart];
        disorder += disorders[hart];
    }
    if (me == 0) printf("is %llu, %llu out of order\n", (unsigned long long)sum, (unsigned long long)disorder);
}
