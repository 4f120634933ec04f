// A program with phases of three kinds, for regions that it measures in itself (test_roi.py).
#include <stdint.h>
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 6
#endif
enum { WORDS = 1 << 13 };
static uint32_t words[WORDS];

__attribute__((noinline)) static uint32_t mix(uint32_t seed, unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++)
        seed = seed * 1664525u + (seed >> 13 ^ 1013904223u);
    return seed;
}

__attribute__((noinline)) static uint32_t walk(uint32_t at, unsigned steps) {
    for (unsigned i = 0; i < steps; i++)
        at = words[(at ^ i * 97) % WORDS];
    return at;
}

__attribute__((noinline)) static uint32_t sort(unsigned from, unsigned count) {
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k && words[from + k] < words[from + k - 1]; k--) {
            uint32_t other = words[from + k];
            words[from + k] = words[from + k - 1];
            words[from + k - 1] = other;
        }
    return words[from];
}

int main(void) {
    uint32_t sum = 1;
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = mix(i, 2);
    for (unsigned round = 0; round < ROUNDS; round++) {
        sum = mix(sum, 4000);
        sum += walk(sum, 3000);
        sum ^= sort(round * 256, 96);
    }
    printf("%u\n", (unsigned)sum);
    return 0;
}
