// C := alpha A B + beta C, A symmetric, only its lower triangle is stored. SPLIT: each half of A in a loop of its
// own.
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
#if defined SPLIT
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real s = 0;
            for (int k = 0; k <= i; k++)
                s += A[i][k] * B[k][j];
            for (int k = i + 1; k < n; k++)
                s += A[k][i] * B[k][j];
            C[i][j] = BETA * C[i][j] + ALPHA * s;
        }
#elif defined INTERCHANGED
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            C[i][j] = BETA * C[i][j] + ALPHA * A[i][i] * B[i][j];
        for (int k = 0; k < i; k++)
            for (int j = 0; j < n; j++) {
                C[k][j] += ALPHA * A[i][k] * B[i][j];
                C[i][j] += ALPHA * A[i][k] * B[k][j];
            }
    }
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real s = 0;
            for (int k = 0; k < i; k++) {
                C[k][j] += ALPHA * B[i][j] * A[i][k];
                s += B[k][j] * A[i][k];
            }
            C[i][j] = BETA * C[i][j] + ALPHA * B[i][j] * A[i][i] + ALPHA * s;
        }
#endif
}
