// Each point the mean of three, B from A, then A from B. UNROLLED: what two points share is loaded once. FUSED: both
// half steps in one loop, the second a point behind.
#include "kernel.h"

static real A[N], B[N];

void kernel_init(void) {
    kernel_fill(A, N, 0, 1);
    kernel_fill(B, N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, A, N);
}

#define THIRD ((real)0.33333)

static inline void half_step(real to[N], real from[N], int n) {
#if defined UNROLLED
    real before = from[0], here = from[1];
    int i = 1;
    for (; i + 1 < n - 1; i += 2) {
        real next = from[i + 1], last = from[i + 2];
        to[i] = THIRD * (before + here + next);
        to[i + 1] = THIRD * (here + next + last);
        before = next;
        here = last;
    }
    for (; i < n - 1; i++)
        to[i] = THIRD * (from[i - 1] + from[i] + from[i + 1]);
#else
    for (int i = 1; i < n - 1; i++)
        to[i] = THIRD * (from[i - 1] + from[i] + from[i + 1]);
#endif
}

void kernel(int n) {
    for (int t = 0; t < kernel_steps; t++) {
#if defined FUSED
        B[1] = THIRD * (A[0] + A[1] + A[2]);
        for (int i = 2; i < n - 1; i++) {
            B[i] = THIRD * (A[i - 1] + A[i] + A[i + 1]);
            A[i - 1] = THIRD * (B[i - 2] + B[i - 1] + B[i]);
        }
        A[n - 2] = THIRD * (B[n - 3] + B[n - 2] + B[n - 1]);
#else
        half_step(B, A, n);
        half_step(A, B, n);
#endif
    }
}
