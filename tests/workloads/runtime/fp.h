// What floating-point workloads share: a digest of results bit by bit, uniform random numbers, square root.
//
// Results are compared exactly: with -ffp-contract=off each operation rounds once, in the order of the source, and
// tests/workloads/expected.py does the same operations in the same order.
#ifndef WORKLOAD_FP_H
#define WORKLOAD_FP_H

#include "runtime.h"

enum { DIGEST_START = 1469598103 };

static inline uint64_t digest_add(uint64_t digest, double value) {
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return (digest ^ bits) * 0x100000001b3 ^ bits >> 32;
}

// Multiples of 2^-32 in [0, 1).
static inline double random_uniform(uint64_t *state) {
    return (double)(random_next(state) >> 32) * 0x1p-32;
}

static inline double square_root(double x) {
    double root;
    __asm__("fsqrt.d %0, %1" : "=f"(root) : "f"(x));
    return root;
}

#endif
