// What memory has counted since an earlier look.
#include "harness/memory.h"
#include <assert.h>
#include <string.h>

static_assert(sizeof(struct memory_counts) % sizeof(uint64_t) == 0, "nothing but counts");
struct memory_counts memory_counts_since(struct memory_counts now, struct memory_counts before) {
    enum { COUNTS = sizeof now / sizeof(uint64_t) };
    uint64_t a[COUNTS], b[COUNTS];
    memcpy(a, &now, sizeof a);
    memcpy(b, &before, sizeof b);
    for (unsigned i = 0; i < COUNTS; i++)
        a[i] -= b[i];
    memcpy(&now, a, sizeof a);
    return now;
}
