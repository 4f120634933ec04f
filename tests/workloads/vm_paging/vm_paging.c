// Demand paging: reads and writes in random order all over an array larger than the memory that the supervisor has for
// it. Pages are thrown out clean and dirty and come back, and each must be as it was left. Checked against
// tests/workloads/expected.py, which has no pages; and the supervisor must have swapped in both directions.
#include "supervisor.h"

#define PAGES SIZED(40u, 96u, 384u)
#define ACCESSES SIZED(140u, 900u, 8000u)
PROGRAM(.frames = SIZED(24, 48, 160), .processes = 1);
static const uint64_t expected = SIZED(0x15187cd98b9642f7u, 0xd468a6e72bda472u, 0x73d4d5889b8134a1u);

enum { PAGE_WORDS = PAGE_BYTES / 8, APART = 64 }; // 8 words of each page are used
static uint64_t page[PAGES][PAGE_WORDS] __attribute__((aligned(4096)));

static uint64_t wander(uint32_t accesses) {
    uint64_t seed = 0x9a6e5, digest = 0;
    for (uint32_t i = 0; i < accesses; i++) {
        const uint64_t r = random_next(&seed);
        uint64_t *word = &page[(uint32_t)(r >> 8) % PAGES][(r >> 50) % PAGE_WORDS / APART * APART];
        digest = (digest ^ *word) * 0x100000001b3u + (r & 0xff);
        if (r >> 62) *word = digest; // three of four
    }
    return digest;
}

int main(void) {
    const uint64_t digest = wander(ACCESSES);
    const bool swapped = syscall3(SYS_COUNT, COUNT_SWAPPED_OUT, 0, 0) > PAGES / 8 &&
                         syscall3(SYS_COUNT, COUNT_SWAPPED_IN, 0, 0) > PAGES / 8 &&
                         syscall3(SYS_COUNT, COUNT_EVICTED, 0, 0) > syscall3(SYS_COUNT, COUNT_SWAPPED_OUT, 0, 0);
    return workload_result(digest, digest == expected && swapped);
}
