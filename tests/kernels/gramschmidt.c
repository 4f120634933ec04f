// A = Q R, Q orthogonal, R upper triangular, by modified Gram-Schmidt. INTERCHANGED: a row of R from A's rows, not
// columns.
#include "kernel.h"

static real A[N][N], Q[N][N], R[N][N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *Q, N * N);
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            kernel_add(sum, i * N + j, (double)R[i][j]);
}

void kernel(int n) {
    for (int k = 0; k < n; k++) {
        real norm = 0;
        for (int i = 0; i < n; i++)
            norm += A[i][k] * A[i][k];
        R[k][k] = (real)__builtin_sqrt((double)norm);
        for (int i = 0; i < n; i++)
            Q[i][k] = A[i][k] / R[k][k];
#if defined INTERCHANGED
        for (int j = k + 1; j < n; j++)
            R[k][j] = 0;
        for (int i = 0; i < n; i++)
            for (int j = k + 1; j < n; j++)
                R[k][j] += Q[i][k] * A[i][j];
        for (int i = 0; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i][j] -= Q[i][k] * R[k][j];
#else
        for (int j = k + 1; j < n; j++) {
#if defined UNROLLED
            R[k][j] = dot4(&Q[0][k], N, &A[0][j], N, n);
#else
            R[k][j] = 0;
            for (int i = 0; i < n; i++)
                R[k][j] += Q[i][k] * A[i][j];
#endif
            for (int i = 0; i < n; i++)
                A[i][j] -= Q[i][k] * R[k][j];
        }
#endif
    }
}
