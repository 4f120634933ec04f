// A[r][q][.] := A[r][q][.] C, for all r and q: a matrix times each line of a cube.
#include "kernel.h"

static real A[N][N][N], C[N][N], line[N];

void kernel_init(void) {
    kernel_fill(**A, N * N * N, 0, 1);
    kernel_fill(*C, N * N, 10000, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, **A, N * N * N);
}

void kernel(int n) {
    for (int r = 0; r < n; r++)
        for (int q = 0; q < n; q++) {
#if defined INTERCHANGED
            for (int p = 0; p < n; p++)
                line[p] = 0;
            for (int s = 0; s < n; s++)
                for (int p = 0; p < n; p++)
                    line[p] += A[r][q][s] * C[s][p];
#elif defined UNROLLED
            for (int p = 0; p < n; p++)
                line[p] = dot4(A[r][q], 1, &C[0][p], N, n);
#else
            for (int p = 0; p < n; p++) {
                line[p] = 0;
                for (int s = 0; s < n; s++)
                    line[p] += A[r][q][s] * C[s][p];
            }
#endif
            for (int p = 0; p < n; p++)
                A[r][q][p] = line[p];
        }
}
