// Lengths of the shortest ways between all pairs of nodes. SPLIT: a branch in the place of an unconditional store.
#include "kernel.h"

static int32_t path[N][N];

void kernel_init(void) {
    for (int k = 0; k < N * N; k++)
        (&path[0][0])[k] = (int32_t)((uint32_t)k * 2654435761U >> 22) + 1;
}

void kernel_sum(struct kernel_sum *sum) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (i != j) kernel_add(sum, i * N + j, path[i][j]);
}

void kernel(int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            int j = 0;
#if defined UNROLLED
            int32_t first = path[i][k];
            for (; j + 3 < n; j += 4) {
                int32_t a = first + path[k][j], b = first + path[k][j + 1], c = first + path[k][j + 2],
                        d = first + path[k][j + 3];
                path[i][j] = at_most(path[i][j], a);
                path[i][j + 1] = at_most(path[i][j + 1], b);
                path[i][j + 2] = at_most(path[i][j + 2], c);
                path[i][j + 3] = at_most(path[i][j + 3], d);
            }
#endif
            for (; j < n; j++) {
#if defined SPLIT
                if (path[i][k] + path[k][j] < path[i][j]) path[i][j] = path[i][k] + path[k][j];
#else
                path[i][j] = at_most(path[i][j], path[i][k] + path[k][j]);
#endif
            }
        }
}
