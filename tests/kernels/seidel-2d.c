// Each point the mean of nine, in place: it waits for the point before. SPLIT: all that does not wait is added up
// first.
#include "kernel.h"

static real A[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *A, N * N);
}

void kernel(int n) {
    for (int t = 0; t < kernel_steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
#if defined SPLIT
                real rest = ((A[i - 1][j - 1] + A[i - 1][j]) + (A[i - 1][j + 1] + A[i][j])) +
                            ((A[i][j + 1] + A[i + 1][j - 1]) + (A[i + 1][j] + A[i + 1][j + 1]));
                A[i][j] = (rest + A[i][j - 1]) * (real)(1.0 / 9);
#else
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                          9;
#endif
            }
}
