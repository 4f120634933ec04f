// Lattice-Boltzmann, D3Q19 (nineteen velocities in three dimensions), a cell's densities side by side as in SPEC CPU's
// lbm: each step reads a cell, collides, and writes nineteen other cells. DISTANCE: prefetch.r of the cell that is so
// many cells ahead, 0: none.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef DISTANCE
#define DISTANCE 0
#endif
enum { Q = 19, CELL = 20, LINE = 64, ROW = 16, PLANE = ROW * ROW, MOST = 16 };
static double before[(MOST + 2) * PLANE * CELL] __attribute__((aligned(LINE))),
    after[(MOST + 2) * PLANE * CELL] __attribute__((aligned(LINE)));

static const int cx[Q] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
static const int cy[Q] = {0, 0, 0, 1, -1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1};
static const int cz[Q] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1};

// prefetch.r of Zicbop, for which this compiler has no name: its offset is a multiple of 32.
#define PREFETCH(base, offset) __asm__ volatile(".insn i 0x13, 6, x0, %0, %1" ::"r"(base), "i"(((offset) & ~31) | 1))

static inline void ahead(const double *cell) {
#if DISTANCE
    PREFETCH(cell + DISTANCE * CELL, 0);
    PREFETCH(cell + DISTANCE * CELL, LINE);
    PREFETCH(cell + DISTANCE * CELL, 2 * LINE);
#else
    (void)cell;
#endif
}

// One cell.
static inline void collide(const double *from, double *to) {
    double rho = 0, ux = 0, uy = 0, uz = 0;
#pragma GCC unroll 19
    for (int q = 0; q < Q; q++) {
        rho += from[q];
        if (cx[q]) ux = cx[q] > 0 ? ux + from[q] : ux - from[q];
        if (cy[q]) uy = cy[q] > 0 ? uy + from[q] : uy - from[q];
        if (cz[q]) uz = cz[q] > 0 ? uz + from[q] : uz - from[q];
    }
    double per = 2 - rho; // of 1 / rho, near which it is 1
    ux *= per, uy *= per, uz *= per;
    double square = 1.5 * (ux * ux + uy * uy + uz * uz);
#pragma GCC unroll 19
    for (int q = 0; q < Q; q++) {
        double weight = q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36, along = 0;
        if (cx[q]) along = cx[q] > 0 ? along + ux : along - ux;
        if (cy[q]) along = cy[q] > 0 ? along + uy : along - uy;
        if (cz[q]) along = cz[q] > 0 ? along + uz : along - uz;
        double balance = weight * rho * (1 + along * (3 + 4.5 * along) - square);
        to[(cx[q] + cy[q] * ROW + cz[q] * PLANE) * CELL + q] = from[q] - 0.6 * (from[q] - balance);
    }
}

static __attribute__((noinline)) void step(const double *from, double *to, long cells) {
    for (long i = PLANE + ROW + 1; i < cells - PLANE - ROW - 1; i++) {
        ahead(from + i * CELL);
        collide(from + i * CELL, to + i * CELL);
    }
}

int main(int argc, char **argv) {
    long planes = argc > 1 ? atol(argv[1]) : 8, cells = (planes + 2) * PLANE;
    double sum = 0;
    if (planes < 1 || planes > MOST) return 2;
    for (long i = 0; i < cells; i++) {
        double density = 1 + (double)(i % 31) / 256;
        for (int q = 0; q < Q; q++)
            before[i * CELL + q] = (q == 0 ? 1.0 / 3 : q < 7 ? 1.0 / 18 : 1.0 / 36) * density;
    }
    step(before, after, cells);
    for (long i = PLANE + ROW + 1; i < cells - PLANE - ROW - 1; i += 61)
        sum += after[i * CELL + i % Q];
    printf("%.9f\n", sum);
    return 0;
}
