// Fast Fourier transform, radix 2 in place, and back again.
// Roots of unity by halving angles, so only square roots are needed.
#include "fp.h"

#define LOG SIZED(8, 11, 14)
enum { N = 1 << LOG };

static double re[N], im[N], kept[N];

static void swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

static void reverse_bits(void) {
    for (unsigned i = 1, j = 0; i < N; i++) {
        unsigned bit = N >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            swap(&re[i], &re[j]);
            swap(&im[i], &im[j]);
        }
    }
}

// sign -1: forward, +1: back (not scaled)
static void transform(double sign) {
    reverse_bits();
    double c = -1, s = 0; // half a turn
    for (int half = 1; half < N; half *= 2) {
        double wr = 1, wi = 0;
        for (int k = 0; k < half; k++) {
            for (int i = k; i < N; i += 2 * half) {
                int j = i + half;
                double tr = wr * re[j] - wi * im[j], ti = wr * im[j] + wi * re[j];
                re[j] = re[i] - tr, im[j] = im[i] - ti;
                re[i] += tr, im[i] += ti;
            }
            double next = wr * c - wi * s;
            wi = wr * s + wi * c;
            wr = next;
        }
        s = sign * square_root((1 - c) * 0.5);
        c = square_root((1 + c) * 0.5);
    }
}

int main(void) {
    uint64_t seed = 0xff7;
    for (int i = 0; i < N; i++) {
        re[i] = kept[i] = random_uniform(&seed) * 2 - 1;
        im[i] = 0;
    }
    transform(-1);
    uint64_t digest = DIGEST_START;
    for (int i = 0; i < N; i++) {
        digest = digest_add(digest, re[i]);
        digest = digest_add(digest, im[i]);
    }
    transform(1);
    bool ok = true;
    for (int i = 0; i < N; i++) {
        double error = re[i] / N - kept[i];
        ok &= error < 1e-10 && error > -1e-10;
    }
    return workload_result(digest, ok);
}
