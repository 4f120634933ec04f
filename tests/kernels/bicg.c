// s := A' r, q := A p: the two products of a step of the biconjugate gradient method.
#include "kernel.h"

static real A[N][N], r[N], p[N], s[N], q[N];

void kernel_init(void) {
    kernel_fill(*A, N * N, 0, 1);
    kernel_fill(r, N, 10000, 1);
    kernel_fill(p, N, 20000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, s, N);
    kernel_add_all(sum, q, N);
}

void kernel(int n) {
    for (int i = 0; i < n; i++)
        s[i] = 0;
#if defined SPLIT
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s[j] += r[i] * A[i][j];
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < n; j++)
            q[i] += A[i][j] * p[j];
    }
#elif defined UNROLLED
    int i = 0;
    for (; i + 1 < n; i += 2) {
        real q0 = 0, q1 = 0, r0 = r[i], r1 = r[i + 1];
        for (int j = 0; j < n; j++) {
            s[j] += r0 * A[i][j] + r1 * A[i + 1][j];
            q0 += A[i][j] * p[j];
            q1 += A[i + 1][j] * p[j];
        }
        q[i] = q0;
        q[i + 1] = q1;
    }
    for (; i < n; i++) {
        q[i] = dot4(A[i], 1, p, 1, n);
        for (int j = 0; j < n; j++)
            s[j] += r[i] * A[i][j];
    }
#else
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < n; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
#endif
}
