// N-body: gravitation among a handful of bodies, integrated by the leapfrog method. Square roots and divisions in a
// chain.
#include "fp.h"

#define STEPS SIZED(140, 1500, 15000)
enum { BODIES = 5 };

struct body {
    double x, y, z, vx, vy, vz, mass;
};
static struct body bodies[BODIES];

static void set_up(void) {
    uint64_t seed = 0xb0d7;
    for (int i = 0; i < BODIES; i++) {
        struct body *b = &bodies[i];
        b->x = random_uniform(&seed) * 8 - 4, b->y = random_uniform(&seed) * 8 - 4,
        b->z = random_uniform(&seed) * 8 - 4;
        b->vx = random_uniform(&seed) - 0.5, b->vy = random_uniform(&seed) - 0.5, b->vz = random_uniform(&seed) - 0.5;
        b->mass = random_uniform(&seed) + 0.25;
    }
}

static void attract(struct body *a, struct body *b, double dt) {
    double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
    double square = dx * dx + dy * dy + dz * dz + 0.0625;
    double pull = dt / (square * square_root(square));
    a->vx -= dx * b->mass * pull, a->vy -= dy * b->mass * pull, a->vz -= dz * b->mass * pull;
    b->vx += dx * a->mass * pull, b->vy += dy * a->mass * pull, b->vz += dz * a->mass * pull;
}

static void step(double dt) {
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++)
            attract(&bodies[i], &bodies[j], dt);
    for (int i = 0; i < BODIES; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

static double momentum(void) {
    double sum = 0;
    for (int i = 0; i < BODIES; i++)
        sum += bodies[i].mass * (bodies[i].vx + bodies[i].vy + bodies[i].vz);
    return sum;
}

int main(void) {
    set_up();
    double before = momentum();
    for (int i = 0; i < STEPS; i++)
        step(0.0078125);
    double change = momentum() - before;
    uint64_t digest = DIGEST_START;
    for (int i = 0; i < BODIES; i++) {
        digest = digest_add(digest, bodies[i].x);
        digest = digest_add(digest, bodies[i].y);
        digest = digest_add(digest, bodies[i].z);
    }
    return workload_result(digest, change < 1e-9 && change > -1e-9); // nothing pushes from outside
}
