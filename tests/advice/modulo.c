// A hash table's index by the remainder of a division. FIXED: of a power of two, by a mask.
#include "advice.h"

enum { KEYS = 6000, SLOTS = 256 };
static uint32_t counts[SLOTS];

static __attribute__((noinline)) void count(uint64_t slots) {
    uint64_t key = 1;
    for (int i = 0; i < KEYS; i++) {
        key = key * 6364136223846793005u + 1442695040888963407u;
#ifdef FIXED
        counts[key >> 16 & (slots - 1)]++;
#else
        counts[(key >> 16) % slots]++; // cause
#endif
    }
}

int main(void) {
    uint64_t digest = 0;
    count(opaque(SLOTS));
    for (int i = 0; i < SLOTS; i++)
        digest = digest * 31 + counts[i];
    return result(digest);
}
