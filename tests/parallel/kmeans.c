// k-means: points to the nearest of some centres, which become their points' means; each hart sums its share of the
// points, and adds that to the common sums under a lock.
//
// Coordinates are whole numbers, so that sums do not depend on who comes first. A round of the program begins again
// with other centres. Prints the sum of all points' squared distances, of all rounds.
#include "parallel.h"
#include <stdio.h>
#include <string.h>

enum { N = BY_SIZE(200, 2000, 8000, 16000), AXES = 4, CENTRES = 8, STEPS = 6 };
const unsigned usual_rounds = BY_SIZE(1, 2, 5, 25);

struct sums {
    int64_t of[CENTRES][AXES];
    int64_t points[CENTRES], distances;
};
static int32_t points[N][AXES], centres[CENTRES][AXES];
static struct sums common[2];
static sync_lock lock;
static int64_t distances;

// In clusters around corners that the points' numbers choose.
static void make(struct share mine) {
    for (unsigned i = mine.from; i < mine.to; i++)
        for (unsigned axis = 0; axis < AXES; axis++)
            points[i][axis] = (int32_t)(random_at(i % CENTRES * AXES + axis) % 1000 * 4 +
                                        random_at((uint64_t)i * AXES + axis) % 1000);
}

static int64_t distance(const int32_t *a, const int32_t *b) {
    int64_t sum = 0;
    for (unsigned axis = 0; axis < AXES; axis++)
        sum += (int64_t)(a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sum;
}

static void assign(struct share mine, struct sums *sums) {
    for (unsigned i = mine.from; i < mine.to; i++) {
        unsigned nearest = 0;
        int64_t least = distance(points[i], centres[0]);
        for (unsigned k = 1; k < CENTRES; k++) {
            const int64_t its = distance(points[i], centres[k]);
            if (its < least) {
                least = its;
                nearest = k;
            }
        }
        for (unsigned axis = 0; axis < AXES; axis++)
            sums->of[nearest][axis] += points[i][axis];
        sums->points[nearest]++;
        sums->distances += least;
    }
}

static void add(struct sums *to, const struct sums *from) {
    for (unsigned k = 0; k < CENTRES; k++) {
        for (unsigned axis = 0; axis < AXES; axis++)
            to->of[k][axis] += from->of[k][axis];
        to->points[k] += from->points[k];
    }
    to->distances += from->distances;
}

static void move(const struct sums *sums) {
    for (unsigned k = 0; k < CENTRES; k++)
        for (unsigned axis = 0; axis < AXES && sums->points[k]; axis++)
            centres[k][axis] = (int32_t)(sums->of[k][axis] / sums->points[k]);
}

static void step(struct share mine, unsigned me, struct sums *now) {
    struct sums own = {0};
    assign(mine, &own);
    sync_lock_take(&lock);
    add(now, &own);
    sync_lock_give(&lock);
    sync_barrier();
    if (me == 0) {
        move(now);
        distances += now->distances;
        memset(now, 0, sizeof *now);
    }
    sync_barrier();
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    make(mine);
    sync_barrier();
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned k = 0; k < CENTRES && me == 0; k++)
            memcpy(centres[k], points[random_at((uint64_t)round * CENTRES + k) % N], sizeof centres[k]);
        sync_barrier();
        for (unsigned i = 0; i < STEPS; i++)
            step(mine, me, &common[i % 2]);
    }
    if (me == 0) printf("kmeans %lld\n", (long long)distances);
}
