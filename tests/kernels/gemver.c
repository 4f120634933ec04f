// A := A + u1 v1' + u2 v2'; x := beta A' y + z; w := alpha A x.
#include "kernel.h"

static real A[N][N], u1[N], v1[N], u2[N], v2[N], x[N], y[N], z[N], w[N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(u1, N, 10000, 1);
    kernel_fill(v1, N, 20000, 1);
    kernel_fill(u2, N, 30000, 1);
    kernel_fill(v2, N, 40000, 1);
    kernel_fill(y, N, 50000, 1);
    kernel_fill(z, N, 60000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *A, N * N);
    kernel_add_all(sum, x, N);
    kernel_add_all(sum, w, N);
}

void kernel(int n) {
    for (int i = 0; i < n; i++)
        x[i] = w[i] = 0;
#if defined FUSED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
            x[j] += BETA * A[i][j] * y[i];
        }
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
#if defined INTERCHANGED
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            x[i] += BETA * A[j][i] * y[j];
#elif defined UNROLLED
    for (int i = 0; i < n; i++)
        x[i] += BETA * dot4(&A[0][i], N, y, 1, n);
#else
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] += BETA * A[j][i] * y[j];
#endif
#endif
    for (int i = 0; i < n; i++)
        x[i] += z[i];
    for (int i = 0; i < n; i++) {
#if defined UNROLLED
        w[i] += ALPHA * dot4(A[i], 1, x, 1, n);
#else
        for (int j = 0; j < n; j++)
            w[i] += ALPHA * A[i][j] * x[j];
#endif
    }
}
