// Load latency by footprint: a ring of cache lines in scattered order, chased by a chain of loads, over footprints from
// 4 KiB on by powers of two. Prints the cycles a load of each; where they rise, a level ends.
//
// The order is that of a linear congruential generator of full period (Hull and Dobell: odd increment, multiplier 1 mod
// 4). The ring is built in the same order: what the caches hold of a ring larger than they are is its end, and the
// chase starts at its beginning. Checked by walking the indices without a list.
#include "runtime.h"

#define LARGEST SIZED(15u, 18u, 24u) // log2 of bytes: 32 KiB, 256 KiB, 16 MiB
#define STEPS SIZED(512u, 2048u, 8192u)
enum { SMALLEST = 12, MULTIPLIER = 40501, INCREMENT = 24691, UNROLL = 8 };

struct node {
    struct node *next;
    uint64_t rest[7];
};
static struct node ring[(1u << LARGEST) / sizeof(struct node)] __attribute__((aligned(4096)));

static uint32_t following(uint32_t i, uint32_t count) {
    return (i * MULTIPLIER + INCREMENT) & (count - 1);
}

static void build(uint32_t count) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = following(at, count);
        ring[at].next = &ring[next];
        at = next;
    }
}

static inline uint64_t cycles_now(void) {
    uint64_t cycles;
    __asm__ volatile("csrr %0, mcycle" : "=r"(cycles)::"memory");
    return cycles;
}

static const struct node *chase(const struct node *n, uint32_t steps) {
    for (uint32_t i = 0; i < steps; i += UNROLL) {
        __asm__ volatile("ld %0, 0(%0)\n\tld %0, 0(%0)\n\tld %0, 0(%0)\n\tld %0, 0(%0)\n\t"
                         "ld %0, 0(%0)\n\tld %0, 0(%0)\n\tld %0, 0(%0)\n\tld %0, 0(%0)"
                         : "+r"(n)::"memory");
    }
    return n;
}

static uint32_t walk(uint32_t steps, uint32_t count) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < steps; i++)
        at = following(at, count);
    return at;
}

int main(void) {
    uint64_t digest = 0;
    bool ok = true;
    for (unsigned size = SMALLEST; size <= LARGEST; size++) {
        uint32_t count = (1u << size) / sizeof(struct node);
        build(count);
        const struct node *n = chase(&ring[0], UNROLL); // the loop itself is in the instruction cache
        uint64_t start = cycles_now();
        n = chase(n, STEPS);
        uint64_t hundredths = (cycles_now() - start) * 100 / STEPS;
        uint32_t at = (uint32_t)(n - ring);
        ok = ok && at == walk(STEPS + UNROLL, count);
        digest = digest * 31 + at;
        console_printf("latency bytes=%lu cycles=%lu.%02lu\n", 1ul << size, hundredths / 100, hundredths % 100);
    }
    return workload_result(digest, ok);
}
