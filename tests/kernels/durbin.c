// T y = -r, T symmetric, of ones on the diagonal and r[k - 1] k beside it: by Levinson's and Durbin's recursion.
#include "kernel.h"

static real r[N], y[N];
#if !defined FUSED
static real z[N];
#endif

void kernel_init(void) {
    kernel_fill(r, N, 0, (real)0.5 / N);
}

void kernel_sum(struct kernel_sum *sum) {
    kernel_add_all(sum, y, N);
}

void kernel(int n) {
    y[0] = -r[0];
    real beta = 1, alpha = -r[0];
    for (int k = 1; k < n; k++) {
        beta *= 1 - alpha * alpha;
#if defined UNROLLED
        real s = dot4(&r[k - 1], -1, y, 1, k);
#else
        real s = 0;
        for (int i = 0; i < k; i++)
            s += r[k - i - 1] * y[i];
#endif
        alpha = -(r[k] + s) / beta;
#if defined FUSED
        for (int i = 0; 2 * i < k; i++) {
            real low = y[i], high = y[k - i - 1];
            y[i] = low + alpha * high;
            y[k - i - 1] = high + alpha * low;
        }
#else
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
#endif
        y[k] = alpha;
    }
}
