// Deriche's smoothing filter, alpha 0.25: along each row a recursion of second order forth and one back, added; then
// along each column. INTERCHANGED: the recursions along columns go over all columns in the inner loop.
#include "kernel.h"

static real in[N][N], out[N][N], forth[N][N], back[N][N];

void kernel_init(void) {
    kernel_fill(*in, N * N, 0, 1);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, *out, N * N);
}

#define EXP1 __builtin_exp(-0.25)
#define EXP2 __builtin_exp(-0.5)
#define K ((1 - EXP1) * (1 - EXP1) / (1 + 0.5 * EXP1 - EXP2))
#define A1 ((real)K)
#define A2 ((real)(K * EXP1 * (0.25 - 1)))
#define A3 ((real)(K * EXP1 * (0.25 + 1)))
#define A4 ((real)(-K * EXP2))
#define B1 ((real)(2 * EXP1))
#define B2 ((real)-EXP2)

void kernel(int n) {
    for (int i = 0; i < n; i++) {
        real x1 = 0, y1 = 0, y2 = 0;
        for (int j = 0; j < n; j++) {
            real y = A1 * in[i][j] + A2 * x1 + B1 * y1 + B2 * y2;
            x1 = in[i][j];
            y2 = y1;
            forth[i][j] = y1 = y;
        }
    }
    for (int i = 0; i < n; i++) {
        real x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int j = n - 1; j >= 0; j--) {
            real y = A3 * x1 + A4 * x2 + B1 * y1 + B2 * y2;
            x2 = x1;
            x1 = in[i][j];
            y2 = y1;
            back[i][j] = y1 = y;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = forth[i][j] + back[i][j];
#if defined INTERCHANGED
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            forth[i][j] = A1 * out[i][j] + (i > 0 ? A2 * out[i - 1][j] + B1 * forth[i - 1][j] : 0) +
                          (i > 1 ? B2 * forth[i - 2][j] : 0);
    for (int i = n - 1; i >= 0; i--)
        for (int j = 0; j < n; j++)
            back[i][j] = (i < n - 1 ? A3 * out[i + 1][j] + B1 * back[i + 1][j] : 0) +
                         (i < n - 2 ? A4 * out[i + 2][j] + B2 * back[i + 2][j] : 0);
#else
    for (int j = 0; j < n; j++) {
        real x1 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < n; i++) {
            real y = A1 * out[i][j] + A2 * x1 + B1 * y1 + B2 * y2;
            x1 = out[i][j];
            y2 = y1;
            forth[i][j] = y1 = y;
        }
    }
    for (int j = 0; j < n; j++) {
        real x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int i = n - 1; i >= 0; i--) {
            real y = A3 * x1 + A4 * x2 + B1 * y1 + B2 * y2;
            x2 = x1;
            x1 = out[i][j];
            y2 = y1;
            back[i][j] = y1 = y;
        }
    }
#endif
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = forth[i][j] + back[i][j];
}
