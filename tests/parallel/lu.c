// Sweeps of successive over-relaxation over a cube, planes as a pipeline: a hart has a share of the columns and goes
// through plane after plane; in each it waits for the hart before it alone, from point to point. After lu of the NAS
// parallel benchmarks.
//
// Solves Laplace's equation: the border has the values of x + 2 y + 3 z, and so has the solution inside. Each round
// sweeps up and down (SSOR). Prints the sum of all points, in the order of one hart's, and the
// greatest error, which falls from round to round.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { N = BY_SIZE(6, 16, 32, 64), AROUND = N + 2 };
const unsigned usual_rounds = BY_SIZE(30, 60, 80, 100);

static const double PI = 3.14159265358979323846;

static double u[AROUND][AROUND][AROUND]; // plane, row, column
static sync_word up[MOST_HARTS], down[MOST_HARTS];

static double solution(unsigned z, unsigned y, unsigned x) {
    return x + 2.0 * y + 3.0 * z;
}

static void relax(double *at, double factor) {
    enum { ROW = AROUND, PLANE = AROUND * AROUND };
    const double around = at[-PLANE] + at[-ROW] + at[-1] + at[1] + at[ROW] + at[PLANE];
    *at += factor * (around / 6 - *at);
}

// From the first point to the last: a hart's rows of a plane need those of the hart before it.
static void sweep_up(struct share rows, unsigned me, unsigned planes_before, double factor) {
    for (unsigned z = 1; z <= N; z++) {
        if (me > 0) sync_wait(&up[me - 1], planes_before + z);
        for (unsigned y = rows.from + 1; y <= rows.to; y++)
            for (unsigned x = 1; x <= N; x++)
                relax(&u[z][y][x], factor);
        sync_advance(&up[me], planes_before + z);
    }
}

static void sweep_down(struct share rows, unsigned me, unsigned harts, unsigned planes_before, double factor) {
    for (unsigned z = N; z >= 1; z--) {
        if (me + 1 < harts) sync_wait(&down[me + 1], planes_before + N + 1 - z);
        for (unsigned y = rows.to; y > rows.from; y--)
            for (unsigned x = N; x >= 1; x--)
                relax(&u[z][y][x], factor);
        sync_advance(&down[me], planes_before + N + 1 - z);
    }
}

static void begin(struct share planes) {
    for (unsigned z = planes.from; z < planes.to; z++)
        for (unsigned y = 0; y < AROUND; y++)
            for (unsigned x = 0; x < AROUND; x++) {
                const bool inside = z % (N + 1) && y % (N + 1) && x % (N + 1);
                u[z][y][x] = inside ? 0 : solution(z, y, x);
            }
}

static void print(void) {
    double sum = 0, greatest = 0;
    for (unsigned z = 1; z <= N; z++)
        for (unsigned y = 1; y <= N; y++)
            for (unsigned x = 1; x <= N; x++) {
                sum += u[z][y][x];
                greatest = fmax(greatest, fabs(u[z][y][x] - solution(z, y, x)));
            }
    printf("lu %.6f, %.3e off\n", sum, greatest);
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share rows = share(N, me, harts);
    const double factor = 2 / (1 + sin(PI / (N + 1))); // the best one for plain sweeps up
    begin(share(AROUND, me, harts));
    sync_barrier();
    for (unsigned round = 0; round < rounds; round++) {
        sweep_up(rows, me, round * N, factor);
        sync_barrier();
        sweep_down(rows, me, harts, round * N, factor);
        sync_barrier();
    }
    if (me == 0) print();
}
