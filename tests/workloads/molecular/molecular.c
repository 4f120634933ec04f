// Molecular dynamics: Lennard-Jones forces among atoms in a periodic box, with a cutoff. A comparison that cannot be
// predicted, then a division; the speed at the end of each step takes square roots.
#include "fp.h"

#define ATOMS SIZED(24, 64, 128)
#define STEPS SIZED(5, 8, 20)

static double x[ATOMS][3], v[ATOMS][3], f[ATOMS][3];
static const double BOX = 8, CUTOFF = 6.25; // square of the distance

static double nearest(double d) { // of all images of the other atom
    if (d > BOX / 2) return d - BOX;
    if (d < -BOX / 2) return d + BOX;
    return d;
}

static void forces(void) {
    memset(f, 0, sizeof f);
    for (int i = 0; i < ATOMS; i++)
        for (int j = i + 1; j < ATOMS; j++) {
            double d[3], square = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = nearest(x[i][k] - x[j][k]);
                square += d[k] * d[k];
            }
            if (square > CUTOFF) continue;
            double inverse = 1 / (square + 0.5); // softened: random starts may lie close
            double sixth = inverse * inverse * inverse;
            double force = 24 * inverse * sixth * (2 * sixth - 1);
            for (int k = 0; k < 3; k++) {
                f[i][k] += force * d[k];
                f[j][k] -= force * d[k];
            }
        }
}

static double step(double dt) {
    double speeds = 0;
    forces();
    for (int i = 0; i < ATOMS; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            v[i][k] += dt * f[i][k];
            x[i][k] += dt * v[i][k];
            if (x[i][k] >= BOX) x[i][k] -= BOX;
            if (x[i][k] < 0) x[i][k] += BOX;
            square += v[i][k] * v[i][k];
        }
        speeds += square_root(square);
    }
    return speeds;
}

int main(void) {
    uint64_t seed = 0x301e, digest = DIGEST_START;
    for (int i = 0; i < ATOMS; i++)
        for (int k = 0; k < 3; k++) {
            x[i][k] = random_uniform(&seed) * BOX;
            v[i][k] = random_uniform(&seed) - 0.5;
        }
    double before = 0, after = 0;
    for (int i = 0; i < ATOMS; i++)
        before += v[i][0] + v[i][1] + v[i][2];
    for (int i = 0; i < STEPS; i++)
        digest = digest_add(digest, step(0.00390625));
    for (int i = 0; i < ATOMS; i++)
        after += v[i][0] + v[i][1] + v[i][2];
    double change = after - before;
    return workload_result(digest, change < 1e-9 && change > -1e-9); // momentum is kept
}
