// L x = b, L lower triangular. INTERCHANGED: each x leaves all that follow at once.
#include "kernel.h"

static real L[N][N], x[N], b[N];

void kernel_init(void) {
    kernel_fill(*L, N * N, 0, 1);
    kernel_fill(b, N, 10000, 1);
    for (int i = 0; i < N; i++)
        L[i][i] += N;
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, x, N);
}

void kernel(int n) {
#if defined INTERCHANGED
    for (int i = 0; i < n; i++)
        x[i] = b[i];
    for (int j = 0; j < n; j++) {
        x[j] /= L[j][j];
        for (int i = j + 1; i < n; i++)
            x[i] -= L[i][j] * x[j];
    }
#else
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
#if defined UNROLLED
        x[i] -= dot4(L[i], 1, x, 1, i);
#else
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
#endif
        x[i] /= L[i][i];
    }
#endif
}
