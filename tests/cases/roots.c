// Forces among charges, a square root for each pair. C's sqrt has to set errno for a negative number: the compiler
// compares first, quietly, which on RISC-V takes a save and a restore of the floating-point flags around the
// comparison. Built with strict and with relaxed rules.
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 128 };
static double x[MOST], y[MOST], z[MOST], charge[MOST], force[MOST];

static __attribute__((noinline)) void forces(int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) {
            double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            double distance = __builtin_sqrt(dx * dx + dy * dy + dz * dz);
            sum += charge[i] * charge[j] * (1 - distance * (0.125 - distance * (0.0625 - distance * 0.015625)));
        }
        force[i] = sum;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : MOST;
    unsigned seed = 1;
    double sum = 0;
    if (n < 1 || n > MOST) return 2;
    for (int i = 0; i < n; i++) {
        double *const of[] = {&x[i], &y[i], &z[i], &charge[i]};
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            *of[k] = (seed >> 8) / 16777216.0 + (k < 3 ? i % 17 : 0);
        }
    }
    forces(n);
    for (int i = 0; i < n; i++)
        sum += force[i];
    printf("%.6f\n", sum);
    return 0;
}
