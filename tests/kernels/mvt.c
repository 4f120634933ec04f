// x1 := x1 + A y1, x2 := x2 + A' y2.
#include "kernel.h"

static real A[N][N], x1[N], x2[N], y1[N], y2[N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(x1, N, 10000, 1);
    kernel_fill(x2, N, 20000, 1);
    kernel_fill(y1, N, 30000, 1);
    kernel_fill(y2, N, 40000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, x1, N);
    kernel_add_all(sum, x2, N);
}

void kernel(int n) {
#if defined FUSED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x1[i] += A[i][j] * y1[j];
            x2[j] += A[i][j] * y2[i];
        }
#else
    for (int i = 0; i < n; i++) {
#if defined UNROLLED
        x1[i] += dot4(A[i], 1, y1, 1, n);
#else
        for (int j = 0; j < n; j++)
            x1[i] += A[i][j] * y1[j];
#endif
    }
#if defined INTERCHANGED
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            x2[i] += A[j][i] * y2[j];
#elif defined UNROLLED
    for (int i = 0; i < n; i++)
        x2[i] += dot4(&A[0][i], N, y2, 1, n);
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x2[i] += A[j][i] * y2[j];
#endif
#endif
}
