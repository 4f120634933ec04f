// Heat equation by alternating directions: in each half step a tridiagonal system for each line, first the columns of v
// from u, then the rows of u from v. Systems are (a, b, c) and (d, e, f), solved by p and q; borders are 1.
// INTERCHANGED: the lines in the inner loop, so that what waits for each other is a line apart.
#include "kernel.h"

static real u[N][N], v[N][N], p[N][N], q[N][N];

void kernel_init(void) {
    kernel_fill(*u, N * N, 0, 1);
    kernel_fill(*v, N * N, 0, 0);
}

void kernel_sum(struct kernel_sum *sum) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            kernel_add(sum, i * N + j, (double)u[i][j]);
}

#define A ((real)-0.4)
#define B ((real)1.8)
#define C ((real)-0.4)
#define D ((real)-0.2)
#define E ((real)1.4)
#define F ((real)-0.2)

static inline void column(int i, int j) {
    p[i][j] = -C / (A * p[i][j - 1] + B);
    q[i][j] = (-D * u[j][i - 1] + (1 + 2 * D) * u[j][i] - F * u[j][i + 1] - A * q[i][j - 1]) / (A * p[i][j - 1] + B);
}

static inline void row(int i, int j) {
    p[i][j] = -F / (D * p[i][j - 1] + E);
    q[i][j] = (-A * v[i - 1][j] + (1 + 2 * A) * v[i][j] - C * v[i + 1][j] - D * q[i][j - 1]) / (D * p[i][j - 1] + E);
}

void kernel(int n) {
    for (int t = 0; t < kernel_steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = v[n - 1][i] = 1;
            p[i][0] = 0;
            q[i][0] = 1;
        }
#if defined INTERCHANGED
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                column(i, j);
        for (int j = n - 2; j > 0; j--)
            for (int i = 1; i < n - 1; i++)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
#else
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++)
                column(i, j);
            for (int j = n - 2; j > 0; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
#endif
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = u[i][n - 1] = 1;
            p[i][0] = 0;
            q[i][0] = 1;
        }
#if defined INTERCHANGED
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                row(i, j);
        for (int j = n - 2; j > 0; j--)
            for (int i = 1; i < n - 1; i++)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
#else
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++)
                row(i, j);
            for (int j = n - 2; j > 0; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
#endif
    }
}
