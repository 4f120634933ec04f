// Most pairs of a folded sequence of bases (0 pairs with 3, 1 with 2; neighbours do not): best[i][j] of bases i to j.
// UNROLLED: two splits at a time. SPLIT: the pair before the splits are tried, and those from the end.
#include "kernel.h"

static int32_t base[N], best[N][N];

void kernel_init(void) {
    for (int i = 0; i < N; i++)
        base[i] = (int32_t)((uint32_t)i * 2654435761U >> 22) & 3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            best[i][j] = 0;
}

void kernel_sum(struct kernel_sum *sum) {
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            kernel_add(sum, i * N + j, best[i][j]);
}

static inline int32_t at_least(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static inline int32_t pair(int i, int j) {
    return i < j - 1 && base[i] + base[j] == 3;
}

void kernel(int n) {
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            int32_t most = at_least(best[i][j - 1], best[i + 1][j]);
            most = at_least(most, best[i + 1][j - 1] + pair(i, j));
#if defined UNROLLED
            int k = i + 1;
            for (; k + 1 < j; k += 2)
                most = at_least(most, at_least(best[i][k] + best[k + 1][j], best[i][k + 1] + best[k + 2][j]));
            for (; k < j; k++)
                most = at_least(most, best[i][k] + best[k + 1][j]);
#elif defined SPLIT
            for (int k = j - 1; k > i; k--)
                if (best[i][k] + best[k + 1][j] > most) most = best[i][k] + best[k + 1][j];
#else
            for (int k = i + 1; k < j; k++)
                most = at_least(most, best[i][k] + best[k + 1][j]);
#endif
            best[i][j] = most;
        }
}
