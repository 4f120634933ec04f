// Walks through a table, each place telling the next: entries of 8 bytes, though their values fit into two, so that the
// table does not fit into the L1. FIXED: entries of 2 bytes.
#include "advice.h"

enum { ENTRIES = 8192, STEPS = 12000 };
#ifdef FIXED
typedef uint16_t entry;
#else
typedef uint64_t entry;
#endif
static entry table[ENTRIES];

static __attribute__((noinline)) uint64_t walk(void) {
    uint64_t at = 0, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        at = table[at]; // cause
        sum += at;
    }
    return sum;
}

int main(void) {
    for (uint64_t i = 0; i < ENTRIES; i++)
        table[i] = (entry)((i * 5 + 3571) % ENTRIES);
    return result(walk());
}
