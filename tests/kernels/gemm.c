// C := alpha A B + beta C.
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
#if defined INTERCHANGED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real s = 0;
            for (int k = 0; k < n; k++)
                s += A[i][k] * B[k][j];
            C[i][j] = BETA * C[i][j] + ALPHA * s;
        }
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            C[i][j] *= BETA;
#if defined TILED
    for (int kk = 0; kk < n; kk += TILE)
        for (int jj = 0; jj < n; jj += TILE)
            for (int i = 0; i < n; i++)
                for (int k = kk; k < at_most(kk + TILE, n); k++)
                    for (int j = jj; j < at_most(jj + TILE, n); j++)
                        C[i][j] += ALPHA * A[i][k] * B[k][j];
#elif defined UNROLLED
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (; k + 3 < n; k += 4) {
            real a0 = ALPHA * A[i][k], a1 = ALPHA * A[i][k + 1], a2 = ALPHA * A[i][k + 2], a3 = ALPHA * A[i][k + 3];
            for (int j = 0; j < n; j++)
                C[i][j] += (a0 * B[k][j] + a1 * B[k + 1][j]) + (a2 * B[k + 2][j] + a3 * B[k + 3][j]);
        }
        for (; k < n; k++)
            for (int j = 0; j < n; j++)
                C[i][j] += ALPHA * A[i][k] * B[k][j];
    }
#else
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                C[i][j] += ALPHA * A[i][k] * B[k][j];
#endif
#endif
}
