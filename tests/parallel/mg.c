// Multigrid: Poisson's equation in a cube by V-cycles, on grids that halve; the planes by hart, a barrier after each
// step. After the kernel of that name of the NAS parallel benchmarks.
//
// The right side is made from a solution that is known. Each round starts with zero and makes eight cycles. Prints the
// sum of all points in the order of one hart's, and the greatest error, which a cycle makes several times less.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { LEVELS = BY_SIZE(3, 4, 5, 5), N = (1 << LEVELS) + 1, CYCLES = 8, SMOOTHS = 2 }; // points of an edge, border too
const unsigned usual_rounds = BY_SIZE(1, 1, 1, 10);

struct grid {
    unsigned n;
    double *u, *f, *r; // solution, right side, what is missing
};
static double room[3][LEVELS][N * N * N];
#define AT(grid, array, z, y, x) ((grid)->array[((z) * (grid)->n + (y)) * (grid)->n + (x)])

static struct grid grid_at(unsigned level) {
    return (struct grid){((N - 1) >> level) + 1, room[0][level], room[1][level], room[2][level]};
}

static double solution(unsigned z, unsigned y, unsigned x) {
    return 1e-3 * x * (N - 1 - x) * y * (N - 1 - y) * z * (z % 3 + 1) * (N - 1 - z) / (N * N);
}

static double around(const double *at, unsigned row, unsigned plane) {
    return at[-1] + at[1] + *(at - row) + at[row] + *(at - plane) + at[plane];
}

#define INSIDE(g, planes)                                                                                              \
    for (unsigned z = (planes).from + 1; z <= (planes).to; z++)                                                        \
        for (unsigned y = 1; y + 1 < (g)->n; y++)                                                                      \
            for (unsigned x = 1; x + 1 < (g)->n; x++)

static void residual(struct grid *g, struct share planes) {
    const unsigned row = g->n, plane = row * row;
    INSIDE(g, planes) {
        const double *at = &AT(g, u, z, y, x);
        AT(g, r, z, y, x) = AT(g, f, z, y, x) - (6 * *at - around(at, row, plane));
    }
    sync_barrier();
}

// Jacobi's steps, weighted for rough errors in three dimensions.
static void smooth(struct grid *g, struct share planes) {
    for (unsigned i = 0; i < SMOOTHS; i++) {
        residual(g, planes);
        INSIDE(g, planes) AT(g, u, z, y, x) += 6.0 / 7 / 6 * AT(g, r, z, y, x);
        sync_barrier();
    }
}

// The mean of 27 points, nearer ones count for more; times 4, for the distance has doubled.
static void restrict_to(const struct grid *fine, struct grid *coarse, struct share planes) {
    INSIDE(coarse, planes) {
        double sum = 0;
        for (int c = -1; c <= 1; c++)
            for (int b = -1; b <= 1; b++)
                for (int a = -1; a <= 1; a++)
                    sum += AT(fine, r, 2 * z + c, 2 * y + b, 2 * x + a) / (1 << (a * a + b * b + c * c));
        AT(coarse, f, z, y, x) = 4 * sum / 8;
        AT(coarse, u, z, y, x) = 0;
    }
    sync_barrier();
}

static void correct(struct grid *fine, const struct grid *coarse, struct share planes) {
    INSIDE(fine, planes) {
        double sum = 0; // of the eight corners around it; some are the same
        for (unsigned corner = 0; corner < 8; corner++)
            sum += AT(coarse, u, (z + (corner >> 2)) / 2, (y + (corner >> 1 & 1)) / 2, (x + (corner & 1)) / 2);
        AT(fine, u, z, y, x) += sum / 8;
    }
    sync_barrier();
}

static void cycle(unsigned level, unsigned me, unsigned harts) {
    struct grid g = grid_at(level);
    const struct share planes = share(g.n - 2, me, harts);
    smooth(&g, planes);
    if (level + 1 < LEVELS) {
        struct grid coarse = grid_at(level + 1);
        residual(&g, planes);
        restrict_to(&g, &coarse, share(coarse.n - 2, me, harts));
        cycle(level + 1, me, harts);
        correct(&g, &coarse, planes);
    }
    smooth(&g, planes);
}

static void begin(struct grid *g, struct share planes) {
    INSIDE(g, planes) {
        AT(g, u, z, y, x) = 0;
        AT(g, f, z, y, x) = 6 * solution(z, y, x) - solution(z - 1, y, x) - solution(z + 1, y, x) -
                            solution(z, y - 1, x) - solution(z, y + 1, x) - solution(z, y, x - 1) -
                            solution(z, y, x + 1);
    }
    sync_barrier();
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    struct grid g = grid_at(0);
    for (unsigned round = 0; round < rounds; round++) {
        begin(&g, share(g.n - 2, me, harts));
        for (unsigned i = 0; i < CYCLES; i++)
            cycle(0, me, harts);
    }
    if (me > 0) return;
    double sum = 0, greatest = 0;
    const struct share all = {0, g.n - 2};
    INSIDE(&g, all) {
        sum += AT(&g, u, z, y, x);
        greatest = fmax(greatest, fabs(AT(&g, u, z, y, x) - solution(z, y, x)));
    }
    printf("mg %.6f, %.3e off\n", sum, greatest);
}
