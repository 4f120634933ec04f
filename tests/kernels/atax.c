// y := A' (A x).
#include "kernel.h"

static real A[N][N], x[N], y[N], tmp[N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(x, N, 10000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, y, N);
}

void kernel(int n) {
    for (int i = 0; i < n; i++)
        y[i] = 0;
#if defined SPLIT
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        for (int j = 0; j < n; j++)
            tmp[i] += A[i][j] * x[j];
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            y[j] += A[i][j] * tmp[i];
#elif defined UNROLLED
    int i = 0;
    for (; i + 1 < n; i += 2) {
        real s0 = dot4(A[i], 1, x, 1, n), s1 = dot4(A[i + 1], 1, x, 1, n);
        tmp[i] = s0;
        tmp[i + 1] = s1;
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * s0 + A[i + 1][j] * s1;
    }
    for (; i < n; i++) {
        tmp[i] = dot4(A[i], 1, x, 1, n);
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * tmp[i];
    }
#else
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        for (int j = 0; j < n; j++)
            tmp[i] += A[i][j] * x[j];
        for (int j = 0; j < n; j++)
            y[j] += A[i][j] * tmp[i];
    }
#endif
}
