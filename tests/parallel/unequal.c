// Work that is unequal by hart: how many pairs i < j have no common divisor, by Euclid's algorithm. Numbers j are
// shared out in equal ranges, but the greater j, the more i there are: of two harts the second has three times the
// work, and the others wait at each round's end.
//
// Prints the pairs of all rounds: the sum of Euler's totients.
#include "parallel.h"
#include <stdio.h>

enum { N = BY_SIZE(100, 500, 1000, 1500) };
const unsigned usual_rounds = BY_SIZE(1, 3, 7, 28);

static uint64_t pairs[MOST_HARTS];

static unsigned divisor(unsigned a, unsigned b) {
    while (b) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned j = mine.from + 1; j <= mine.to; j++)
            for (unsigned i = 1; i < j; i++)
                pairs[me] += divisor(j, i) == 1;
        sync_barrier();
    }
    uint64_t sum = 0;
    for (unsigned hart = 0; hart < harts; hart++)
        sum += pairs[hart];
    if (me == 0) printf("unequal %llu\n", (unsigned long long)sum);
}
