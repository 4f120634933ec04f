// The same work on numbers that no predictor knows and, with SORTED, on the same numbers in order: what mispredictions
// cost is the difference. The sums are made beforehand, so that both sides execute the same instructions in the timed
// part.
#include <stdint.h>
#include <stdio.h>

enum { NUMBERS = 8192, VALUES = 256 };
static uint8_t numbers[NUMBERS], sorted[NUMBERS];

// Both sides sort; one forgets.
static const uint8_t *prepare(void) {
    static unsigned counts[VALUES];
    uint64_t seed = 88172645463325252u;
    unsigned at = 0;
    for (int i = 0; i < NUMBERS; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        numbers[i] = (uint8_t)(seed >> 56);
        counts[numbers[i]]++;
    }
    for (unsigned v = 0; v < VALUES; v++)
        for (unsigned k = 0; k < counts[v]; k++)
            sorted[at++] = (uint8_t)v;
    __asm__ volatile("" ::"r"(sorted), "r"(numbers) : "memory");
#ifdef SORTED
    return sorted;
#else
    return numbers;
#endif
}

static __attribute__((noinline)) int64_t work(const uint8_t *list) {
    int64_t large = 0, small = 0;
    for (int i = 0; i < NUMBERS; i++) {
        if (list[i] >= VALUES / 2) {
            large += list[i];
            __asm__ volatile("" : "+r"(large));
        } else {
            small += list[i];
            __asm__ volatile("" : "+r"(small));
        }
    }
    return large - small;
}

int main(void) {
    printf("%lld\n", (long long)work(prepare()));
    return 0;
}
