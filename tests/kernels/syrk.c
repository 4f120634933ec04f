// C := alpha A A' + beta C, in C's lower triangle.
#include "kernel.h"

static real A[N][N], C[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*C, N * N, 10000, 1);
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
                s += A[i][k] * A[j][k];
            C[i][j] += ALPHA * s;
        }
#elif defined UNROLLED
        for (int j = 0; j <= i; j++)
            C[i][j] += ALPHA * dot4(A[i], 1, A[j], 1, n);
#elif defined TILED
        for (int kk = 0; kk < n; kk += TILE)
            for (int j = 0; j <= i; j++)
                for (int k = kk; k < at_most(kk + TILE, n); k++)
                    C[i][j] += ALPHA * A[i][k] * A[j][k];
#else
        for (int k = 0; k < n; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += ALPHA * A[i][k] * A[j][k];
#endif
    }
}
