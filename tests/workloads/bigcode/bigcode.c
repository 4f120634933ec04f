// Big code: 512 small functions, together larger than a 32 KiB L1 instruction cache, called in pseudo-random order.
// Checked against one function that computes the same from the number of the function.
#include "runtime.h"

#define CALLS SIZED(750u, 7500u, 75000u)
enum { FUNCTIONS = 512 };

static inline uint64_t rotate(uint64_t x, unsigned by) {
    return x << by | x >> (64 - by);
}

// Constants of function n.
#define FACTOR(n) (2654435761u * (2 * (n) + 1))
#define ADDEND(n) (0x85ebca6bu * ((n) + 3))
#define AMOUNT(n) ((n) % 61 + 2)
#define TESTED(n) ((uint64_t)1 << ((n)*7 % 50 + 10))

static inline __attribute__((always_inline)) uint64_t work(uint64_t x, uint32_t n) {
    x = (x ^ ADDEND(n)) * FACTOR(n);
    x ^= rotate(x, AMOUNT(n));
    if (x & TESTED(n))
        x += (uint64_t)FACTOR(n + 1) << 16;
    else
        x ^= x >> AMOUNT(n + 5);
    x = (x + ADDEND(n + 7)) * FACTOR(n + 11);
    if (x & TESTED(n + 3)) x ^= rotate(x, AMOUNT(n + 13)) + ADDEND(n + 17);
    return x ^ x >> 32;
}

#define DEFINE(n)                                                                                                      \
    static __attribute__((noinline)) uint64_t function_##n(uint64_t x) {                                               \
        return work(x, 0##n);                                                                                          \
    }
#define NAME(n) function_##n,

// Octal digits: all numbers from 000 to 777 once.
#define DIGIT(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7)
#define DIGITS(M, n)                                                                                                   \
    DIGIT(M, n##0)                                                                                                     \
    DIGIT(M, n##1) DIGIT(M, n##2) DIGIT(M, n##3) DIGIT(M, n##4) DIGIT(M, n##5) DIGIT(M, n##6) DIGIT(M, n##7)
#define ALL(M) DIGITS(M, 0) DIGITS(M, 1) DIGITS(M, 2) DIGITS(M, 3) DIGITS(M, 4) DIGITS(M, 5) DIGITS(M, 6) DIGITS(M, 7)

ALL(DEFINE)
static uint64_t (*const function[])(uint64_t) = {ALL(NAME)};
_Static_assert(sizeof function / sizeof *function == FUNCTIONS, "all functions appear once");

static __attribute__((noinline)) uint64_t any(uint64_t x, uint32_t n) {
    return work(x, n);
}

int main(void) {
    uint64_t seed = 0xb19c0de, called = 1, computed = 1;
    for (uint32_t i = 0; i < CALLS; i++) {
        uint32_t n = (uint32_t)(random_next(&seed) >> 30) % FUNCTIONS;
        called = function[n](called);
        computed = any(computed, n);
    }
    return workload_result(called, called == computed);
}
