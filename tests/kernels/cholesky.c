// A = L L', of a symmetric positive definite A, in its lower triangle. INTERCHANGED: each column leaves the rest at
// once.
#include "kernel.h"

static real A[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
}

void kernel_sum(struct kernel_sum *sum) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            kernel_add(sum, i * N + j, (double)A[i][j]);
}

void kernel(int n) {
#if defined INTERCHANGED
    for (int k = 0; k < n; k++) {
        A[k][k] = (real)__builtin_sqrt((double)A[k][k]);
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                A[i][j] -= A[i][k] * A[j][k];
    }
#else
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
#if defined UNROLLED
            A[i][j] -= dot4(A[i], 1, A[j], 1, j);
#else
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
#endif
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = (real)__builtin_sqrt((double)A[i][i]);
    }
#endif
}
