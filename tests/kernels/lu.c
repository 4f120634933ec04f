// A = L U, L with ones on its diagonal, both in the place of A. INTERCHANGED: each column leaves the rest at once.
#include "kernel.h"

static real A[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *A, N * N);
}

void kernel(int n) {
#if defined INTERCHANGED
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
    }
#else
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
#if defined UNROLLED
            A[i][j] -= dot4(A[i], 1, &A[0][j], N, j);
#else
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
#endif
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++) {
#if defined UNROLLED
            A[i][j] -= dot4(A[i], 1, &A[0][j], N, i);
#else
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
#endif
        }
    }
#endif
}
