// A large function for each of 64 cases, called in turn: more code than the L1 instruction cache holds. FIXED: one
// function, and a table of what differs.
#include "advice.h"

enum { CASES = 64, ROUNDS = 5 };
static uint32_t state[8];

#define STEP(a, b, k) state[a] = (state[a] ^ state[b]) * (uint32_t)(k) + (state[b] >> 3);
#define EIGHT(k)                                                                                                       \
    STEP(0, 1, k)                                                                                                      \
    STEP(1, 2, k + 2) STEP(2, 3, k + 4) STEP(3, 4, k + 6) STEP(4, 5, k + 8) STEP(5, 6, k + 10) STEP(6, 7, k + 12)      \
        STEP(7, 0, k + 14)

#ifdef FIXED
static __attribute__((noinline)) void work(uint32_t k) {
    for (int r = 0; r < 8; r++) {
        EIGHT(k)
    }
}
#define CALL(n) work(2 * (n) + 70001);
#else
#define FUNCTION(n)                                                                                                    \
    static __attribute__((noinline)) void work##n(void) {                                                              \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
        EIGHT(2 * n + 70001)                                                                                           \
    }
#define CALL(n) work##n();
#endif
#define TEN(X, d) X(d##0) X(d##1) X(d##2) X(d##3) X(d##4) X(d##5) X(d##6) X(d##7) X(d##8) X(d##9)
#define ALL(X) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5) TEN(X, 6) X(70) X(71) X(72) X(73)
#ifndef FIXED
ALL(FUNCTION) // cause
#endif

int main(void) {
    for (int i = 0; i < 8; i++)
        state[i] = (uint32_t)draw();
    for (int r = 0; r < ROUNDS; r++) {
        ALL(CALL)
    }
    return result(state[0]);
}
