// Alternating directions: heat in a cube by implicit steps along one direction after the other, each line a system of
// three diagonals; the lines by hart, whoever needs them next. After sp of the NAS parallel benchmarks.
//
// It begins with a product of three sines, which each direction's step scales by a number that is known. Prints what
// the cube's greatest point is after all rounds, and how many points are elsewhere.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { N = BY_SIZE(7, 15, 31, 47), DIRECTIONS = 3 };
const unsigned usual_rounds = BY_SIZE(4, 28, 32, 90);
static const double PI = 3.14159265358979323846, STEP = 0.25; // of time, over the squared distance

static double cube[N][N][N];
static double factor[N]; // of elimination, the same for each line
static unsigned elsewhere[MOST_HARTS];

static double wave(unsigned i) {
    return sin(PI * (i + 1) / (N + 1));
}

static double *place(unsigned direction, unsigned a, unsigned b, unsigned i) {
    return direction == 0 ? &cube[a][b][i] : direction == 1 ? &cube[a][i][b] : &cube[i][a][b];
}

// (1 + 2 STEP) x[i] - STEP (x[i - 1] + x[i + 1]) = the old x[i]; zero beyond both ends: Thomas's algorithm.
static void solve(unsigned direction, unsigned a, unsigned b) {
    double line[N], before = 0;
    for (unsigned i = 0; i < N; i++)
        line[i] = before = (*place(direction, a, b, i) + STEP * before) * factor[i];
    double after = 0;
    for (unsigned i = N; i-- > 0;)
        *place(direction, a, b, i) = after = line[i] + STEP * factor[i] * after;
}

static void begin(struct share mine, unsigned me) {
    for (unsigned z = mine.from; z < mine.to; z++)
        for (unsigned y = 0; y < N; y++)
            for (unsigned x = 0; x < N; x++)
                cube[z][y][x] = wave(z) * wave(y) * wave(x);
    for (unsigned i = 0; i < N && me == 0; i++)
        factor[i] = 1 / (1 + 2 * STEP - (i > 0 ? STEP * STEP * factor[i - 1] : 0));
    sync_barrier();
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    begin(mine, me);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned direction = 0; direction < DIRECTIONS; direction++) {
            for (unsigned a = mine.from; a < mine.to; a++)
                for (unsigned b = 0; b < N; b++)
                    solve(direction, a, b);
            sync_barrier();
        }
    // A step along one direction divides a sine by 1 + 2 STEP (1 - cos): that of its two neighbours' mean.
    const double scale = pow(1 + 2 * STEP * (1 - cos(PI / (N + 1))), -(double)(DIRECTIONS * rounds));
    for (unsigned z = mine.from; z < mine.to; z++)
        for (unsigned y = 0; y < N; y++)
            for (unsigned x = 0; x < N; x++)
                elsewhere[me] += !(fabs(cube[z][y][x] - scale * wave(z) * wave(y) * wave(x)) < 1e-9);
    sync_barrier();
    unsigned all = 0;
    for (unsigned hart = 0; hart < harts; hart++)
        all += elsewhere[hart];
    if (me == 0) printf("sp %.9f, %u elsewhere\n", cube[N / 2][N / 2][N / 2], all);
}
