// A fluid by the lattice Boltzmann method: nine directions on a torus (D2Q9), one relaxation time; the rows by hart, a
// barrier a step.
//
// It begins with a shear wave, whose speed falls by exp(-viscosity k^2) in each step. Prints mass and the wave's part
// of what it should be after that number of steps, which is 1 for waves that are long.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { N = BY_SIZE(16, 32, 64, 128), DIRECTIONS = 9 };
const unsigned usual_rounds = BY_SIZE(10, 10, 25, 65);
static const double TAU = 0.8, SPEED = 0.01, PI = 3.14159265358979323846;

static const int along[DIRECTIONS] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, down[DIRECTIONS] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[DIRECTIONS] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                          1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
static double fluid[2][N][N][DIRECTIONS];
static double masses[N], waves[N]; // by row

static double balance(unsigned i, double mass, double u, double v) {
    const double speed = along[i] * u + down[i] * v;
    return weight[i] * mass * (1 + 3 * speed + 4.5 * speed * speed - 1.5 * (u * u + v * v));
}

static double wave(unsigned y) {
    return sin(2 * PI * y / N);
}

static void begin(struct share rows) {
    for (unsigned y = rows.from; y < rows.to; y++)
        for (unsigned x = 0; x < N; x++)
            for (unsigned i = 0; i < DIRECTIONS; i++)
                fluid[0][y][x][i] = balance(i, 1, SPEED * wave(y), 0);
    sync_barrier();
}

static void moments(const double *of, double *mass, double *u, double *v) {
    *mass = *u = *v = 0;
    for (unsigned i = 0; i < DIRECTIONS; i++) {
        *mass += of[i];
        *u += of[i] * along[i];
        *v += of[i] * down[i];
    }
    *u /= *mass;
    *v /= *mass;
}

// What comes from the neighbours, relaxed towards its balance.
static void step(double (*from)[N][DIRECTIONS], double (*to)[N][DIRECTIONS], struct share rows) {
    for (unsigned y = rows.from; y < rows.to; y++)
        for (unsigned x = 0; x < N; x++) {
            double here[DIRECTIONS], mass, u, v;
            for (unsigned i = 0; i < DIRECTIONS; i++)
                here[i] = from[(y + N - (unsigned)down[i]) % N][(x + N - (unsigned)along[i]) % N][i];
            moments(here, &mass, &u, &v);
            for (unsigned i = 0; i < DIRECTIONS; i++)
                to[y][x][i] = here[i] - (here[i] - balance(i, mass, u, v)) / TAU;
        }
    sync_barrier();
}

static void add_up(double (*of)[N][DIRECTIONS], struct share rows) {
    for (unsigned y = rows.from; y < rows.to; y++) {
        masses[y] = waves[y] = 0;
        for (unsigned x = 0; x < N; x++) {
            double mass, u, v;
            moments(of[y][x], &mass, &u, &v);
            masses[y] += mass;
            waves[y] += u * wave(y);
        }
    }
    sync_barrier();
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share rows = share(N, me, harts);
    begin(rows);
    for (unsigned round = 0; round < rounds; round++)
        step(fluid[round % 2], fluid[1 - round % 2], rows);
    add_up(fluid[rounds % 2], rows);
    if (me > 0) return;
    double mass = 0, found = 0;
    for (unsigned y = 0; y < N; y++) {
        mass += masses[y];
        found += waves[y];
    }
    const double viscosity = (TAU - 0.5) / 3, k = 2 * PI / N;
    printf("lbm %.6f %.4f\n", mass, found / (SPEED * exp(-viscosity * k * k * rounds) * N * N / 2));
}
