// Breadth-first search of a random graph, level by level: each hart its share of a level, a vertex belongs to who
// claims it first by an atomic exchange, new ones go to a common list.
//
// Each round begins at another vertex. Prints the number of vertices that were reached and the sum of their depths,
// which do not depend on who came first.
#include "parallel.h"
#include <stdio.h>

enum { N = BY_SIZE(512, 8192, 32768, 65536), DEGREE = 8, NOT_SEEN = -1, BATCH = 64 };
const unsigned usual_rounds = BY_SIZE(2, 8, 25, 130);

static uint32_t neighbours[N][DEGREE];
static int depth[N];
static uint32_t list[2][N];
static unsigned listed[2] LINE;
static uint64_t depths[MOST_HARTS];
static uint64_t reached[MOST_HARTS];

// Half of the neighbours are near, half are anywhere.
static void make(struct share mine) {
    for (unsigned i = mine.from; i < mine.to; i++)
        for (unsigned k = 0; k < DEGREE; k++) {
            const uint64_t random = random_at((uint64_t)i * DEGREE + k);
            neighbours[i][k] = (uint32_t)((k % 2 ? random : i + random % 32) % N);
        }
}

static void put(const uint32_t *batch, unsigned length, unsigned to) {
    const unsigned at = __atomic_fetch_add(&listed[to], length, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < length; i++)
        list[to][at + i] = batch[i];
}

static bool claim(uint32_t vertex, int level) {
    int before = NOT_SEEN;
    return __atomic_load_n(&depth[vertex], __ATOMIC_RELAXED) == NOT_SEEN &&
           __atomic_compare_exchange_n(&depth[vertex], &before, level, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void expand(struct share mine, unsigned from, int level) {
    uint32_t batch[BATCH + DEGREE];
    unsigned length = 0;
    for (unsigned i = mine.from; i < mine.to; i++) {
        const uint32_t *of = neighbours[list[from][i]];
        for (unsigned k = 0; k < DEGREE; k++)
            if (claim(of[k], level)) batch[length++] = of[k];
        if (length >= BATCH) {
            put(batch, length, from ^ 1);
            length = 0;
        }
    }
    put(batch, length, from ^ 1);
}

static void search(unsigned me, unsigned harts) {
    int level = 0;
    for (unsigned from = 0; listed[from] > 0; from ^= 1) {
        expand(share(listed[from], me, harts), from, ++level);
        sync_barrier();
        if (me == 0) listed[from] = 0;
        sync_barrier();
    }
}

static void begin(struct share mine, unsigned me, unsigned round) {
    for (unsigned i = mine.from; i < mine.to; i++)
        depth[i] = NOT_SEEN;
    sync_barrier();
    if (me == 0) {
        const uint32_t root = (uint32_t)(random_at(~(uint64_t)round) % N);
        depth[root] = 0;
        list[0][0] = root;
        listed[0] = 1;
        listed[1] = 0;
    }
    sync_barrier();
}

void kernel(unsigned me, unsigned harts, unsigned rounds) {
    const struct share mine = share(N, me, harts);
    make(mine);
    for (unsigned round = 0; round < rounds; round++) {
        begin(mine, me, round);
        search(me, harts);
        for (unsigned i = mine.from; i < mine.to; i++) {
            reached[me] += depth[i] != NOT_SEEN;
            depths[me] += depth[i] != NOT_SEEN ? (unsigned)depth[i] : 0;
        }
    }
    sync_barrier();
    uint64_t vertices = 0, sum = 0;
    for (unsigned hart = 0; hart < harts; hart++) {
        vertices += reached[hart];
        sum += depths[hart];
    }
    if (me == 0) printf("bfs %llu reached, depths %llu\n", (unsigned long long)vertices, (unsigned long long)sum);
}
