// What the kernels share: their inputs, the sum that their results are checked by, and the dialect that they are
// written in.
//
// A kernel is one C file: arrays of N (a row of kernels.tsv names it), kernel_init, kernel and kernel_sum. Bounds of
// loops are not known when it is compiled, sizes of arrays are. TILED, UNROLLED, INTERCHANGED, FUSED and SPLIT choose
// another order of the same operations. Any order may round otherwise, so sums are compared with a tolerance.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

#ifndef REAL
#define REAL double
#endif
typedef REAL real;

// Values of the outputs, each times a weight, added up; size: their magnitudes, which the tolerance is a part of.
struct kernel_sum {
    double value, size;
};

extern const int kernel_steps; // of time, for those that have them

void kernel_init(void);                  // writes all inputs, and the outputs that are read
void kernel(int n);                      // works on the first n (at most N) rows and columns
void kernel_sum(struct kernel_sum *sum); // adds the outputs

// The k-th input: a multiple of 2^-10 in [0, 1).
static inline real kernel_value(uint32_t k) {
    return (real)(int32_t)(k * 2654435761U >> 22) * (real)0x1p-10;
}

// Writes count inputs from the first-th on, each times scale.
static inline void kernel_fill(real *to, int count, uint32_t first, real scale) {
    for (int k = 0; k < count; k++)
        to[k] = scale * kernel_value(first + (uint32_t)k);
}

static inline void kernel_add(struct kernel_sum *sum, int k, double value) {
    value *= (k & 7) + 1;
    sum->value += value;
    sum->size += value < 0 ? -value : value;
}

static inline void kernel_add_all(struct kernel_sum *sum, const real *from, int count) {
    for (int k = 0; k < count; k++)
        kernel_add(sum, k, (double)from[k]);
}

// a . b in four sums that do not wait for each other; steps in elements.
static inline real dot4(const real *a, int a_step, const real *b, int b_step, int count) {
    real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int k = 0;
    for (; k + 3 < count; k += 4) {
        s0 += a[k * a_step] * b[k * b_step];
        s1 += a[(k + 1) * a_step] * b[(k + 1) * b_step];
        s2 += a[(k + 2) * a_step] * b[(k + 2) * b_step];
        s3 += a[(k + 3) * a_step] * b[(k + 3) * b_step];
    }
    for (; k < count; k++)
        s0 += a[k * a_step] * b[k * b_step];
    return (s0 + s1) + (s2 + s3);
}

static inline int at_most(int a, int b) {
    return a < b ? a : b;
}

enum { TILE = 8 };
#define ALPHA ((real)1.5)
#define BETA ((real)1.25)

#endif
