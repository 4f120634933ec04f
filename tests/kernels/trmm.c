// B := alpha A' B, A lower triangular with ones on its diagonal.
#include "kernel.h"

static real A[N][N], B[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(*B, N * N, 10000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *B, N * N);
}

void kernel(int n) {
    for (int i = 0; i < n; i++) {
#if defined INTERCHANGED
        for (int k = i + 1; k < n; k++)
            for (int j = 0; j < n; j++)
                B[i][j] += A[k][i] * B[k][j];
        for (int j = 0; j < n; j++)
            B[i][j] *= ALPHA;
#else
        for (int j = 0; j < n; j++) {
#if defined UNROLLED
            B[i][j] += dot4(&A[i + 1][i], N, &B[i + 1][j], N, n - i - 1);
#else
            for (int k = i + 1; k < n; k++)
                B[i][j] += A[k][i] * B[k][j];
#endif
            B[i][j] *= ALPHA;
        }
#endif
    }
}
