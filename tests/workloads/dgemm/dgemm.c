// Matrix product in double precision, blocked for the cache.
// Each element is summed in the order of k, so blocking does not change its rounding.
#include "fp.h"

#define N SIZED(16, 48, 104)
enum { BLOCK = 8 };

static double a[N][N], b[N][N], c[N][N];

static void multiply_block(int i0, int j0, int k0) {
    for (int i = i0; i < i0 + BLOCK; i++)
        for (int k = k0; k < k0 + BLOCK; k++) {
            double factor = a[i][k];
            for (int j = j0; j < j0 + BLOCK; j++)
                c[i][j] += factor * b[k][j];
        }
}

int main(void) {
    uint64_t seed = 0xd6e3;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = random_uniform(&seed) * 2 - 1;
            b[i][j] = random_uniform(&seed) * 2 - 1;
        }
    for (int i = 0; i < N; i += BLOCK)
        for (int j = 0; j < N; j += BLOCK)
            for (int k = 0; k < N; k += BLOCK)
                multiply_block(i, j, k);
    uint64_t digest = DIGEST_START;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            digest = digest_add(digest, c[i][j]);
    return workload_result(digest, c[0][0] > -N && c[0][0] < N);
}
