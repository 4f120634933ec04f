// Heat on a grid: each point becomes a mean of itself and its four neighbours; the rows by hart, a barrier a step.
//
// The grid is a torus and begins with a product of two cosines, which the mean scales by a number that is known: after
// `rounds` steps each point is what it was, times that number's power. Prints the middle of the first wave's top, and
// how many points are elsewhere.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { N = BY_SIZE(32, 128, 256, 512) };
const unsigned usual_rounds = BY_SIZE(8, 50, 120, 300);
static const double PI = 3.14159265358979323846, KEPT = 0.5; // of a point's own value

static double grid[2][N][N];
static unsigned elsewhere[MOST_HARTS];

static double wave(unsigned i) {
    return cos(2 * PI * i / N);
}

static void step(double (*from)[N], double (*to)[N], struct share rows) {
    for (unsigned i = rows.from; i < rows.to; i++) {
        const double *above = from[(i + N - 1) % N], *here = from[i], *below = from[(i + 1) % N];
        double *out = to[i];
        for (unsigned j = 1; j + 1 < N; j++)
            out[j] = KEPT * here[j] + (1 - KEPT) / 4 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
        out[0] = KEPT * here[0] + (1 - KEPT) / 4 * (above[0] + below[0] + here[N - 1] + here[1]);
        out[N - 1] = KEPT * here[N - 1] + (1 - KEPT) / 4 * (above[N - 1] + below[N - 1] + here[N - 2] + here[0]);
    }
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share rows = share(N, me, harts);
    for (unsigned i = rows.from; i < rows.to; i++)
        for (unsigned j = 0; j < N; j++)
            grid[0][i][j] = wave(i) * wave(j);
    sync_barrier();
    for (unsigned round = 0; round < rounds; round++) {
        step(grid[round % 2], grid[1 - round % 2], rows);
        sync_barrier();
    }
    // Both neighbours of a cosine together are twice it, times the cosine of a step.
    const double scale = pow(KEPT + (1 - KEPT) * wave(1), rounds);
    for (unsigned i = rows.from; i < rows.to; i++)
        for (unsigned j = 0; j < N; j++)
            elsewhere[me] += !(fabs(grid[rounds % 2][i][j] - scale * wave(i) * wave(j)) < 1e-9);
    sync_barrier();
    unsigned all = 0;
    for (unsigned hart = 0; hart < harts; hart++)
        all += elsewhere[hart];
    if (me == 0) printf("stencil %.9f, %u elsewhere\n", grid[rounds % 2][0][0], all);
}
