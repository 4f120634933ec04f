// Pointer chase with one node a page: more pages than the first-level data TLB has entries (small, medium), and more
// than the second level has (large). The load of the next node misses the TLB in every step. All pages stay in memory.
//
// The order is that of a linear congruential generator of full period, as in chase. The nodes are at changing offsets,
// so that they spread over the sets of the data cache. Checked against tests/workloads/expected.py.
#include "supervisor.h"

#define PAGES SIZED(64u, 512u, 2048u)
#define STEPS SIZED(15000u, 120000u, 1000000u)
enum { MULTIPLIER = 40501, INCREMENT = 24691, LINE_BYTES = 64, LINES = PAGE_BYTES / LINE_BYTES };
PROGRAM(.frames = PAGES + 16, .processes = 1);
static const uint64_t expected = SIZED(0x7b560fa41f8e039cu, 0x1c53408672f47fe0u, 0x5460476771ddbfa0u);

struct node {
    struct node *next;
    uint64_t value;
};
static uint8_t memory[PAGES][PAGE_BYTES] __attribute__((aligned(4096)));

static struct node *node_of(uint32_t i) {
    return (struct node *)&memory[i][(i + i / LINES) % LINES * LINE_BYTES];
}

static void build(void) {
    for (uint32_t i = 0; i < PAGES; i++)
        *node_of(i) = (struct node){node_of((i * MULTIPLIER + INCREMENT) % PAGES), i};
}

static __attribute__((noinline)) uint64_t chase(const struct node *n, uint32_t steps) {
    uint64_t digest = 0;
    for (uint32_t i = 0; i < steps; i++) {
        digest = digest * 5 + n->value;
        n = n->next;
    }
    return digest;
}

int main(void) {
    build();
    const uint64_t digest = chase(node_of(0), STEPS);
    return workload_result(digest, digest == expected && syscall3(SYS_COUNT, COUNT_EVICTED, 0, 0) == 0);
}
