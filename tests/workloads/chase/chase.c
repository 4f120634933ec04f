// Pointer chase: a ring of cache lines in scattered order, larger than the last-level cache except at size small, where
// it is larger than the L1. Each step depends on the load of the step before, and does a little work on the line.
//
// The order is that of a linear congruential generator of full period (Hull and Dobell: odd increment, multiplier
// 1 mod 4), so the ring closes after COUNT steps and visits every line. Checked against tests/workloads/expected.py,
// which walks the indices without a list.
#include "runtime.h"

#define COUNT SIZED(2048u, 65536u, 131072u) // 128 KiB, 4 MiB, 8 MiB
#define STEPS SIZED(3000u, 17000u, 160000u)
enum { MULTIPLIER = 40501, INCREMENT = 24691 };
static const uint64_t expected = SIZED(0xd01d4f23ef962856u, 0x9351cb7aad8154a6u, 0xac5c09b298bac52fu);

struct node {
    struct node *next;
    uint64_t value[7];
};
static struct node node[COUNT] __attribute__((aligned(64)));

static void build(void) {
    for (uint32_t i = 0; i < COUNT; i++) {
        node[i].next = &node[(i * MULTIPLIER + INCREMENT) % COUNT];
        node[i].value[i % 7] = i;
    }
}

static uint64_t chase(const struct node *n, uint32_t steps) {
    uint64_t digest = 0;
    for (uint32_t i = 0; i < steps; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < 7; k++)
            sum += n->value[k];
        digest = (digest ^ sum) * 0x100000001b3u;
        digest ^= digest >> 29;
        n = n->next;
    }
    return digest;
}

int main(void) {
    build();
    uint64_t digest = chase(node, STEPS);
    return workload_result(digest, digest == expected);
}
