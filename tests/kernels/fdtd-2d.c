// Electric and magnetic field in two dimensions by finite differences in time: ex, ey from hz, then hz from them; the
// source is the first row of ey. FUSED: both electric fields in one loop. UNROLLED: two rows of hz at a time.
#include "kernel.h"

static real ex[N][N], ey[N][N], hz[N][N];

void kernel_init(void) {
    kernel_fill(*ex, N * N, 0, 1);
    kernel_fill(*ey, N * N, 10000, 1);
    kernel_fill(*hz, N * N, 20000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *ex, N * N);
    kernel_add_all(sum, *ey, N * N);
    kernel_add_all(sum, *hz, N * N);
}

#define HALF ((real)0.5)
#define PART ((real)0.7)

void kernel(int n) {
    for (int t = 0; t < kernel_steps; t++) {
        for (int j = 0; j < n; j++)
            ey[0][j] = (real)t;
#if defined FUSED
        for (int j = 1; j < n; j++)
            ex[0][j] -= HALF * (hz[0][j] - hz[0][j - 1]);
        for (int i = 1; i < n; i++) {
            ey[i][0] -= HALF * (hz[i][0] - hz[i - 1][0]);
            for (int j = 1; j < n; j++) {
                ey[i][j] -= HALF * (hz[i][j] - hz[i - 1][j]);
                ex[i][j] -= HALF * (hz[i][j] - hz[i][j - 1]);
            }
        }
#else
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                ey[i][j] -= HALF * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++)
                ex[i][j] -= HALF * (hz[i][j] - hz[i][j - 1]);
#endif
        int i = 0;
#if defined UNROLLED
        for (; i + 1 < n - 1; i += 2)
            for (int j = 0; j < n - 1; j++) {
                hz[i][j] -= PART * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
                hz[i + 1][j] -= PART * (ex[i + 1][j + 1] - ex[i + 1][j] + ey[i + 2][j] - ey[i + 1][j]);
            }
#endif
        for (; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++)
                hz[i][j] -= PART * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
