// D := alpha A B C + beta D, through tmp = alpha A B.
#include "kernel.h"

static real A[N][N], B[N][N], C[N][N], D[N][N], tmp[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*B, N * N, 10000, 1);
    kernel_fill(*C, N * N, 20000, 1);
    kernel_fill(*D, N * N, 30000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *D, N * N);
}

static inline void first_row(int i, int n) {
#if defined INTERCHANGED
    for (int j = 0; j < n; j++)
        tmp[i][j] = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            tmp[i][j] += ALPHA * A[i][k] * B[k][j];
#else
    for (int j = 0; j < n; j++) {
#if defined UNROLLED
        tmp[i][j] = ALPHA * dot4(A[i], 1, &B[0][j], N, n);
#else
        tmp[i][j] = 0;
        for (int k = 0; k < n; k++)
            tmp[i][j] += ALPHA * A[i][k] * B[k][j];
#endif
    }
#endif
}

static inline void second_row(int i, int n) {
#if defined INTERCHANGED
    for (int j = 0; j < n; j++)
        D[i][j] *= BETA;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            D[i][j] += tmp[i][k] * C[k][j];
#else
    for (int j = 0; j < n; j++) {
        D[i][j] *= BETA;
#if defined UNROLLED
        D[i][j] += dot4(tmp[i], 1, &C[0][j], N, n);
#else
        for (int k = 0; k < n; k++)
            D[i][j] += tmp[i][k] * C[k][j];
#endif
    }
#endif
}

void kernel(int n) {
#if defined FUSED
    for (int i = 0; i < n; i++) {
        first_row(i, n);
        second_row(i, n);
    }
#else
    for (int i = 0; i < n; i++)
        first_row(i, n);
    for (int i = 0; i < n; i++)
        second_row(i, n);
#endif
}
