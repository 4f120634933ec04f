// Integer matrix product, blocked for the cache.
// Checked by Freivalds' method: C r = A (B r) for three random vectors r, which costs n squared.
#include "runtime.h"

#define N SIZED(16, 48, 112)
enum { BLOCK = 8 };

static int64_t a[N][N], b[N][N], c[N][N];

static void multiply_block(int i0, int j0, int k0) {
    for (int i = i0; i < i0 + BLOCK; i++)
        for (int k = k0; k < k0 + BLOCK; k++) {
            int64_t factor = a[i][k];
            for (int j = j0; j < j0 + BLOCK; j++)
                c[i][j] += factor * b[k][j];
        }
}

static void multiply(void) {
    for (int i = 0; i < N; i += BLOCK)
        for (int j = 0; j < N; j += BLOCK)
            for (int k = 0; k < N; k += BLOCK)
                multiply_block(i, j, k);
}

static void apply(int64_t matrix[N][N], const int64_t *vector, int64_t *result) {
    for (int i = 0; i < N; i++) {
        int64_t sum = 0;
        for (int j = 0; j < N; j++)
            sum += matrix[i][j] * vector[j];
        result[i] = sum;
    }
}

int main(void) {
    uint64_t seed = 0x3a73;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (int64_t)(random_next(&seed) % 2001) - 1000;
            b[i][j] = (int64_t)(random_next(&seed) % 2001) - 1000;
        }
    multiply();

    bool ok = true;
    for (int round = 0; round < 3; round++) {
        static int64_t r[N], br[N], abr[N], cr[N];
        for (int i = 0; i < N; i++)
            r[i] = (int64_t)(random_next(&seed) % 1000);
        apply(b, r, br);
        apply(a, br, abr);
        apply(c, r, cr);
        ok &= memcmp(abr, cr, sizeof cr) == 0;
    }
    int64_t trace = 0;
    for (int i = 0; i < N; i++)
        trace += c[i][i];
    return workload_result((uint64_t)trace, ok);
}
