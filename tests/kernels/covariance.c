// Covariances of the columns of data: cov := (data - means)' (data - means) / (n - 1).
#include "kernel.h"

static real data[N][N], cov[N][N], mean[N];

void kernel_init(void) {
    kernel_fill(*data, N * N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *cov, N * N);
    kernel_add_all(sum, mean, N);
}

void kernel(int n) {
#if defined INTERCHANGED
    for (int j = 0; j < n; j++)
        mean[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            mean[j] += data[i][j];
    for (int j = 0; j < n; j++)
        mean[j] /= (real)n;
#else
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= (real)n;
    }
#endif
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            data[i][j] -= mean[j];
#if defined INTERCHANGED
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            cov[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = i; j < n; j++)
                cov[i][j] += data[k][i] * data[k][j];
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            cov[j][i] = cov[i][j] /= (real)(n - 1);
#else
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
#if defined UNROLLED
            cov[i][j] = dot4(&data[0][i], N, &data[0][j], N, n);
#else
            cov[i][j] = 0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
#endif
            cov[j][i] = cov[i][j] /= (real)(n - 1);
        }
#endif
}
