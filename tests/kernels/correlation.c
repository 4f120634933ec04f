// Correlations of the columns of data: data less its means, in units of its standard deviations; corr := data' data /
// n.
#include "kernel.h"

static real data[N][N], corr[N][N], mean[N], deviation[N];

void kernel_init(void) {
    kernel_fill(*data, N * N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *corr, N * N);
}

void kernel(int n) {
    for (int j = 0; j < n; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= (real)n;
    }
    for (int j = 0; j < n; j++) {
        deviation[j] = 0;
        for (int i = 0; i < n; i++)
            deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        deviation[j] = (real)__builtin_sqrt((double)(deviation[j] / (real)n));
    }
    real root = (real)__builtin_sqrt((double)n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= root * deviation[j];
        }
#if defined INTERCHANGED
    for (int i = 0; i < n; i++) {
        corr[i][i] = 1;
        for (int j = i + 1; j < n; j++)
            corr[i][j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = i + 1; j < n; j++)
                corr[i][j] += data[k][i] * data[k][j];
        for (int j = i + 1; j < n; j++)
            corr[j][i] = corr[i][j];
    }
#else
    for (int i = 0; i < n; i++) {
        corr[i][i] = 1;
        for (int j = i + 1; j < n; j++) {
#if defined UNROLLED
            corr[i][j] = dot4(&data[0][i], N, &data[0][j], N, n);
#else
            corr[i][j] = 0;
            for (int k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
#endif
            corr[j][i] = corr[i][j];
        }
    }
#endif
}
