// Breadth-first search over a random graph in compressed rows.
// Checked by a certificate: neighbours differ by at most one level, every reached vertex but the root has a parent one
// level nearer that is its neighbour, and no edge leads from reached to unreached.
#include "runtime.h"

#define VERTICES SIZED(150u, 1500u, 14000u)
enum { DEGREE = 6, UNREACHED = -1 };
#define EDGES (VERTICES * DEGREE)

static uint32_t first[VERTICES + 1], target[2 * EDGES], fill[VERTICES], queue[VERTICES], parent[VERTICES];
static uint32_t from[EDGES], to[EDGES];
static int32_t level[VERTICES];

// Undirected: each edge stands in the rows of both its ends.
static void build(void) {
    uint64_t seed = 0x94a9;
    for (uint32_t e = 0; e < EDGES; e++) {
        uint64_t r = random_next(&seed);
        // Most edges are short, so that the search takes several levels.
        from[e] = (uint32_t)(r >> 40) % VERTICES;
        to[e] = (from[e] + 1 + (uint32_t)(r >> 8) % (r % 16 == 0 ? VERTICES - 1 : 32)) % VERTICES;
        first[from[e] + 1]++;
        first[to[e] + 1]++;
    }
    for (uint32_t v = 0; v < VERTICES; v++) {
        first[v + 1] += first[v];
        fill[v] = first[v];
    }
    for (uint32_t e = 0; e < EDGES; e++) {
        target[fill[from[e]]++] = to[e];
        target[fill[to[e]]++] = from[e];
    }
}

static uint32_t search(uint32_t root) {
    uint32_t head = 0, tail = 0;
    for (uint32_t v = 0; v < VERTICES; v++)
        level[v] = UNREACHED;
    level[root] = 0;
    parent[root] = root;
    queue[tail++] = root;
    while (head < tail) {
        uint32_t v = queue[head++];
        for (uint32_t i = first[v]; i < first[v + 1]; i++) {
            uint32_t w = target[i];
            if (level[w] == UNREACHED) {
                level[w] = level[v] + 1;
                parent[w] = v;
                queue[tail++] = w;
            }
        }
    }
    return tail;
}

static bool certify(uint32_t root) {
    bool ok = level[root] == 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        bool parent_is_neighbour = v == root || level[v] == UNREACHED;
        for (uint32_t i = first[v]; i < first[v + 1]; i++) {
            uint32_t w = target[i];
            int32_t step = level[w] - level[v];
            ok &= (level[v] == UNREACHED) == (level[w] == UNREACHED) && step >= -1 && step <= 1;
            parent_is_neighbour |= w == parent[v] && step == -1;
        }
        ok &= parent_is_neighbour;
    }
    return ok;
}

int main(void) {
    build();
    uint32_t reached = search(0), deepest = 0;
    for (uint32_t v = 0; v < VERTICES; v++)
        if (level[v] > (int32_t)deepest) deepest = (uint32_t)level[v];
    return workload_result((uint64_t)deepest << 32 | reached, certify(0) && reached > VERTICES / 2);
}
