// C := alpha (A B' + B A') + beta C, in C's lower triangle.
#include "kernel.h"

static real A[N][N], B[N][N], C[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*B, N * N, 10000, 1);
    kernel_fill(*C, N * N, 20000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *C, N * N);
}

void kernel(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= BETA;
#if defined INTERCHANGED
        for (int j = 0; j <= i; j++) {
            real s = 0;
            for (int k = 0; k < n; k++)
                s += A[j][k] * B[i][k] + B[j][k] * A[i][k];
            C[i][j] += ALPHA * s;
        }
#elif defined UNROLLED
        for (int j = 0; j <= i; j++)
            C[i][j] += ALPHA * (dot4(A[j], 1, B[i], 1, n) + dot4(B[j], 1, A[i], 1, n));
#elif defined SPLIT
        for (int k = 0; k < n; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += ALPHA * A[j][k] * B[i][k];
        for (int k = 0; k < n; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += ALPHA * B[j][k] * A[i][k];
#else
        for (int k = 0; k < n; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += ALPHA * (A[j][k] * B[i][k] + B[j][k] * A[i][k]);
#endif
    }
}
