// A x = b: A = L U as in lu, L y = b, U x = y.
#include "kernel.h"

static real A[N][N], b[N], x[N], y[N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(b, N, 10000, 1);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, x, N);
}

static inline real product(int i, int j, int count) {
#if defined UNROLLED
    return dot4(A[i], 1, &A[0][j], N, count);
#else
    real s = 0;
    for (int k = 0; k < count; k++)
        s += A[i][k] * A[k][j];
    return s;
#endif
}

void kernel(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            A[i][j] = (A[i][j] - product(i, j, j)) / A[j][j];
        for (int j = i; j < n; j++)
            A[i][j] -= product(i, j, i);
    }
    for (int i = 0; i < n; i++) {
        real s = b[i];
        for (int j = 0; j < i; j++)
            s -= A[i][j] * y[j];
        y[i] = s;
    }
    for (int i = n - 1; i >= 0; i--) {
        real s = y[i];
        for (int j = i + 1; j < n; j++)
            s -= A[i][j] * x[j];
        x[i] = s / A[i][i];
    }
}
