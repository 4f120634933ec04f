// Bodies that attract each other, all by all, in steps of the leapfrog method: each hart moves its share.
//
// Bodies come in pairs on opposite sides with opposite speeds, so that their momentum is nothing at first, and remains
// so; energy changes by the steps' error alone. Prints the greatest momentum, the change of energy in parts of it, and
// the first body's place. Each body adds up forces in one order: the same for any number of harts.
#include "parallel.h"
#include <math.h>
#include <stdio.h>

enum { N = BY_SIZE(24, 128, 256, 512), AXES = 3 };
const unsigned usual_rounds = BY_SIZE(10, 25, 60, 150);
static const double STEP = 1.0 / 1024, SOFT = 0.01; // squared distance of bodies that meet

static double place[AXES][N], speed[AXES][N], pull[AXES][N];

static void begin(struct share mine) {
    for (unsigned i = mine.from; i < mine.to; i++)
        for (unsigned axis = 0; axis < AXES; axis++) {
            const double side = i % 2 ? -1 : 1;
            const uint64_t random = random_at(i / 2 * AXES + axis);
            place[axis][i] = side * ((double)(random % 1024) / 512 - 1);
            speed[axis][i] = side * ((double)(random >> 10 & 1023) / 512 - 1);
        }
    sync_barrier();
}

static void attract(struct share mine) {
    for (unsigned i = mine.from; i < mine.to; i++) {
        double x = 0, y = 0, z = 0;
        for (unsigned j = 0; j < N; j++) {
            const double a = place[0][j] - place[0][i], b = place[1][j] - place[1][i], c = place[2][j] - place[2][i];
            const double square = a * a + b * b + c * c + SOFT, factor = 1.0 / N / (square * sqrt(square));
            x += a * factor;
            y += b * factor;
            z += c * factor;
        }
        pull[0][i] = x;
        pull[1][i] = y;
        pull[2][i] = z;
    }
    sync_barrier();
}

static void move(struct share mine) {
    for (unsigned axis = 0; axis < AXES; axis++)
        for (unsigned i = mine.from; i < mine.to; i++) {
            speed[axis][i] += STEP / 2 * pull[axis][i];
            place[axis][i] += STEP * speed[axis][i];
        }
    sync_barrier();
    attract(mine);
    for (unsigned axis = 0; axis < AXES; axis++)
        for (unsigned i = mine.from; i < mine.to; i++)
            speed[axis][i] += STEP / 2 * pull[axis][i];
}

static double energy(void) {
    double sum = 0;
    for (unsigned i = 0; i < N; i++)
        for (unsigned axis = 0; axis < AXES; axis++)
            sum += speed[axis][i] * speed[axis][i] / 2;
    for (unsigned i = 0; i < N; i++)
        for (unsigned j = 0; j < i; j++) {
            double square = SOFT;
            for (unsigned axis = 0; axis < AXES; axis++)
                square += (place[axis][j] - place[axis][i]) * (place[axis][j] - place[axis][i]);
            sum -= 1.0 / N / sqrt(square);
        }
    return sum;
}

static double momentum(void) {
    double greatest = 0;
    for (unsigned axis = 0; axis < AXES; axis++) {
        double sum = 0;
        for (unsigned i = 0; i < N; i++)
            sum += speed[axis][i];
        greatest = fmax(greatest, fabs(sum));
    }
    return greatest;
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    begin(mine);
    const double before = me == 0 ? energy() : 0;
    attract(mine);
    for (unsigned round = 0; round < rounds; round++)
        move(mine);
    sync_barrier();
    if (me > 0) return;
    printf("nbody momentum %.6f, energy %.6f, first %.9f %.9f %.9f\n", momentum(), energy() / before - 1, place[0][0],
           place[1][0], place[2][0]);
}
