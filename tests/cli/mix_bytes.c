// Scalar in the place of packed: the bytes of a buffer inverted one at a time, or, with PACKED, eight at a time.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 4096, ROUNDS = 10 };
static union {
    uint64_t words[BYTES / 8];
    uint8_t bytes[BYTES];
} buffer;

__attribute__((noinline, noclone, optimize("no-tree-vectorize", "no-unroll-loops"))) static void invert(uint8_t mask) {
#ifdef PACKED
    const uint64_t wide = mask * 0x0101010101010101;
    for (int i = 0; i < BYTES / 8; i++)
        buffer.words[i] ^= wide;
#else
    for (int i = 0; i < BYTES; i++)
        buffer.bytes[i] ^= mask;
#endif
}

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        invert((uint8_t)(0x5a + i));
    for (int i = 0; i < BYTES; i += 64)
        sum = sum * 31 + buffer.bytes[i];
    printf("%u\n", sum);
    return 0;
}
