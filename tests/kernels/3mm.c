// G := (A B)(C D), through E = A B and F = C D.
#include "kernel.h"

static real A[N][N], B[N][N], C[N][N], D[N][N], E[N][N], F[N][N], G[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*B, N * N, 10000, 1);
    kernel_fill(*C, N * N, 20000, 1);
    kernel_fill(*D, N * N, 30000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *G, N * N);
}

static inline void multiply(real to[N][N], real x[N][N], real y[N][N], int n) {
#if defined INTERCHANGED
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            to[i][j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                to[i][j] += x[i][k] * y[k][j];
    }
#elif defined UNROLLED
    for (int i = 0; i < n; i++) {
        int j = 0;
        for (; j + 1 < n; j += 2) {
            real s0 = 0, s1 = 0;
            for (int k = 0; k < n; k++) {
                s0 += x[i][k] * y[k][j];
                s1 += x[i][k] * y[k][j + 1];
            }
            to[i][j] = s0;
            to[i][j + 1] = s1;
        }
        for (; j < n; j++)
            to[i][j] = dot4(x[i], 1, &y[0][j], N, n);
    }
#elif defined TILED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i][j] = 0;
    for (int ii = 0; ii < n; ii += TILE)
        for (int jj = 0; jj < n; jj += TILE)
            for (int i = ii; i < at_most(ii + TILE, n); i++)
                for (int j = jj; j < at_most(jj + TILE, n); j++)
                    for (int k = 0; k < n; k++)
                        to[i][j] += x[i][k] * y[k][j];
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            to[i][j] = 0;
            for (int k = 0; k < n; k++)
                to[i][j] += x[i][k] * y[k][j];
        }
#endif
}

void kernel(int n) {
    multiply(E, A, B, n);
    multiply(F, C, D, n);
    multiply(G, E, F, n);
}
