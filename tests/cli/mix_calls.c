// Lack of inlining: a small function for each element of a row of 64, inlined or, with CALLED, called. The arithmetic
// is the same.
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 1000, COLUMNS = 64 };

#ifdef CALLED
__attribute__((noinline, noclone)) static uint64_t step(uint64_t x, uint64_t k) {
#else
__attribute__((always_inline)) static inline uint64_t step(uint64_t x, uint64_t k) {
#endif
    return (x * 0x5851f42d4c957f2d + k) ^ (x >> 29);
}

__attribute__((noinline, noclone)) static uint64_t row(uint64_t x) {
    for (uint64_t k = 0; k < COLUMNS; k++)
        x = step(x, k);
    return x;
}

int main(void) {
    uint64_t x = 1;
    for (int i = 0; i < ROWS; i++)
        x = row(x);
    printf("%llx\n", (unsigned long long)x);
    return 0;
}
