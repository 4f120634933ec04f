// Each point the mean of five, B from A, then A from B. UNROLLED: what a line's points share is loaded once.
// INTERCHANGED: columns before rows. TILED: four rows at a time down the columns, so that what they share is loaded
// once.
#include "kernel.h"

static real A[N][N], B[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*B, N * N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *A, N * N);
}

#define FIFTH ((real)0.2)

#if !defined UNROLLED
static inline real point(real from[N][N], int i, int j) {
    return FIFTH * (from[i][j] + from[i][j - 1] + from[i][j + 1] + from[i + 1][j] + from[i - 1][j]);
}
#endif

static inline void half_step(real to[N][N], real from[N][N], int n) {
#if defined INTERCHANGED
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            to[i][j] = point(from, i, j);
#elif defined UNROLLED
    for (int i = 1; i < n - 1; i++) {
        real before = from[i][0], here = from[i][1];
        for (int j = 1; j < n - 1; j++) {
            real behind = from[i][j + 1];
            to[i][j] = FIFTH * (here + before + behind + from[i + 1][j] + from[i - 1][j]);
            before = here;
            here = behind;
        }
    }
#elif defined TILED
    int i = 1;
    for (; i + 3 < n - 1; i += 4)
        for (int j = 1; j < n - 1; j++) {
            real r0 = from[i][j], r1 = from[i + 1][j], r2 = from[i + 2][j], r3 = from[i + 3][j];
            to[i][j] = FIFTH * (r0 + from[i][j - 1] + from[i][j + 1] + r1 + from[i - 1][j]);
            to[i + 1][j] = FIFTH * (r1 + from[i + 1][j - 1] + from[i + 1][j + 1] + r2 + r0);
            to[i + 2][j] = FIFTH * (r2 + from[i + 2][j - 1] + from[i + 2][j + 1] + r3 + r1);
            to[i + 3][j] = FIFTH * (r3 + from[i + 3][j - 1] + from[i + 3][j + 1] + from[i + 4][j] + r2);
        }
    for (; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            to[i][j] = point(from, i, j);
#else
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            to[i][j] = point(from, i, j);
#endif
}

void kernel(int n) {
    for (int t = 0; t < kernel_steps; t++) {
        half_step(B, A, n);
        half_step(A, B, n);
    }
}
