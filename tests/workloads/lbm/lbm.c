// Lattice-Boltzmann, D2Q9 (nine velocities in two dimensions), BGK collisions, periodic borders: each step reads nine
// arrays, collides, and streams the results into nine others.
#include "fp.h"

#define WIDTH SIZED(10, 20, 64)
#define STEPS SIZED(2, 5, 4)
enum { Q = 9 };

static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight[Q] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
static double now[Q][WIDTH][WIDTH], next[Q][WIDTH][WIDTH];

static void collide(int x, int y) {
    double f[Q], rho = 0, ux = 0, uy = 0;
    for (int q = 0; q < Q; q++) {
        f[q] = now[q][y][x];
        rho += f[q];
        ux += f[q] * cx[q];
        uy += f[q] * cy[q];
    }
    ux /= rho, uy /= rho;
    double square = 1.5 * (ux * ux + uy * uy);
    for (int q = 0; q < Q; q++) {
        double along = 3 * (cx[q] * ux + cy[q] * uy);
        double balance = weight[q] * rho * (1 + along + 0.5 * along * along - square);
        next[q][(y + cy[q] + WIDTH) % WIDTH][(x + cx[q] + WIDTH) % WIDTH] = f[q] - 0.6 * (f[q] - balance);
    }
}

static double mass(void) {
    double sum = 0;
    for (int q = 0; q < Q; q++)
        for (int y = 0; y < WIDTH; y++)
            for (int x = 0; x < WIDTH; x++)
                sum += now[q][y][x];
    return sum;
}

int main(void) {
    uint64_t seed = 0x1b3;
    for (int q = 0; q < Q; q++)
        for (int y = 0; y < WIDTH; y++)
            for (int x = 0; x < WIDTH; x++)
                now[q][y][x] = weight[q] * (1 + 0.125 * random_uniform(&seed));
    double before = mass();
    for (int step = 0; step < STEPS; step++) {
        for (int y = 0; y < WIDTH; y++)
            for (int x = 0; x < WIDTH; x++)
                collide(x, y);
        memcpy(now, next, sizeof now);
    }
    double lost = mass() - before;
    uint64_t digest = DIGEST_START;
    for (int y = 0; y < WIDTH; y++)
        for (int q = 0; q < Q; q++)
            digest = digest_add(digest, now[q][y][y]);
    return workload_result(digest, lost < 1e-9 && lost > -1e-9);
}
