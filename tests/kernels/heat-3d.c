// Heat equation in three dimensions: B from A's seven points, then A from B's. UNROLLED: values of a line are kept in
// registers from one point to the next. TILED: over the two inner dimensions.
#include "kernel.h"

static real A[N][N][N], B[N][N][N];

void kernel_init(void) {
    kernel_fill(**A, N * N * N, 0, 1);
    kernel_fill(**B, N * N * N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, **A, N * N * N);
}

#define PART ((real)0.125)

#if !defined UNROLLED
static inline real point(real from[N][N][N], int i, int j, int k) {
    return PART * (from[i + 1][j][k] - 2 * from[i][j][k] + from[i - 1][j][k]) +
           PART * (from[i][j + 1][k] - 2 * from[i][j][k] + from[i][j - 1][k]) +
           PART * (from[i][j][k + 1] - 2 * from[i][j][k] + from[i][j][k - 1]) + from[i][j][k];
}
#endif

static inline void half_step(real to[N][N][N], real from[N][N][N], int n) {
#if defined TILED
    for (int jj = 1; jj < n - 1; jj += TILE / 2)
        for (int kk = 1; kk < n - 1; kk += TILE / 2)
            for (int i = 1; i < n - 1; i++)
                for (int j = jj; j < at_most(jj + TILE / 2, n - 1); j++)
                    for (int k = kk; k < at_most(kk + TILE / 2, n - 1); k++)
                        to[i][j][k] = point(from, i, j, k);
#else
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
#if defined UNROLLED
            real before = from[i][j][0], here = from[i][j][1];
            for (int k = 1; k < n - 1; k++) {
                real behind = from[i][j][k + 1];
                real sides = (from[i + 1][j][k] + from[i - 1][j][k]) + (from[i][j + 1][k] + from[i][j - 1][k]);
                to[i][j][k] = PART * (sides + (before + behind)) + (1 - 6 * PART) * here;
                before = here;
                here = behind;
            }
#else
            for (int k = 1; k < n - 1; k++)
                to[i][j][k] = point(from, i, j, k);
#endif
        }
#endif
}

void kernel(int n) {
    for (int t = 0; t < kernel_steps; t++) {
        half_step(B, A, n);
        half_step(A, B, n);
    }
}
