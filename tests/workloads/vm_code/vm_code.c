// Code over many pages: functions more than a page apart, called in pseudo-random order. There are more pages than the
// first-level instruction TLB has entries, but the code itself, one or two cache lines a page, fits in the cache.
// Checked against tests/workloads/expected.py.
#include "supervisor.h"

#define CALLS SIZED(4000u, 30000u, 250000u)
#define FUNCTIONS SIZED(64u, 256u, 512u)
PROGRAM(.frames = FUNCTIONS + 32, .processes = 1);
static const uint64_t expected = SIZED(0x4169f6ac55880975u, 0xf411af8c835e9871u, 0x67fd54188389cf9du);

static inline __attribute__((always_inline)) uint64_t work(uint64_t x, uint32_t n) {
    x = (x ^ (0x85ebca6bu * (n + 3))) * (2654435761u * (2 * n + 1));
    return x ^ x >> 29;
}

// The gap lies after a branch that is never taken: x | 1 is not 0. 4096 + 64: the next function is a page and a line
// on.
#define DEFINE(n)                                                                                                      \
    static __attribute__((noinline)) uint64_t function_##n(uint64_t x) {                                               \
        if (__builtin_expect(x == 0, 0)) {                                                                             \
            __asm__ volatile(".skip 4096");                                                                            \
            __builtin_unreachable();                                                                                   \
        }                                                                                                              \
        return work(x, 0##n) | 1;                                                                                      \
    }
#define NAME(n) function_##n,

// Octal digits: all numbers from 000 to 077, 377 or 777 once.
#define DIGIT(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7)
#define DIGITS(M, n)                                                                                                   \
    DIGIT(M, n##0)                                                                                                     \
    DIGIT(M, n##1) DIGIT(M, n##2) DIGIT(M, n##3) DIGIT(M, n##4) DIGIT(M, n##5) DIGIT(M, n##6) DIGIT(M, n##7)
#define SOME(M) DIGITS(M, 0) DIGITS(M, 1) DIGITS(M, 2) DIGITS(M, 3)
#if SIZE == 0
#define ALL(M) DIGITS(M, 0)
#elif SIZE == 1
#define ALL(M) SOME(M)
#else
#define ALL(M) SOME(M) DIGITS(M, 4) DIGITS(M, 5) DIGITS(M, 6) DIGITS(M, 7)
#endif

ALL(DEFINE)
static uint64_t (*const function[])(uint64_t) = {ALL(NAME)};
_Static_assert(sizeof function / sizeof *function == FUNCTIONS, "all functions appear once");

int main(void) {
    uint64_t seed = 0xc0de9a6e, digest = 1;
    for (uint32_t i = 0; i < CALLS; i++)
        digest = function[(uint32_t)(random_next(&seed) >> 30) % FUNCTIONS](digest);
    // Every function begins in a page of its own, so at least as many came in.
    return workload_result(digest, digest == expected && syscall3(SYS_COUNT, COUNT_MAPPED, 0, 0) >= FUNCTIONS);
}
