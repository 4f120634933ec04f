// y := alpha A x + beta B x.
#include "kernel.h"

static real A[N][N], B[N][N], x[N], y[N], tmp[N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*B, N * N, 10000, 1);
    kernel_fill(x, N, 20000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, y, N);
}

void kernel(int n) {
#if defined SPLIT
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        for (int j = 0; j < n; j++)
            tmp[i] += A[i][j] * x[j];
    }
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += B[i][j] * x[j];
    }
    for (int i = 0; i < n; i++)
        y[i] = ALPHA * tmp[i] + BETA * y[i];
#elif defined UNROLLED
    for (int i = 0; i < n; i++) {
        tmp[i] = dot4(A[i], 1, x, 1, n);
        y[i] = ALPHA * tmp[i] + BETA * dot4(B[i], 1, x, 1, n);
    }
#else
    for (int i = 0; i < n; i++) {
        tmp[i] = y[i] = 0;
        for (int j = 0; j < n; j++) {
            tmp[i] += A[i][j] * x[j];
            y[i] += B[i][j] * x[j];
        }
        y[i] = ALPHA * tmp[i] + BETA * y[i];
    }
#endif
}
