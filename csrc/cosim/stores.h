// The last stores of the core since its last fence.i: where lockstep finds another instruction than the core, they tell
// whether the program has rewritten its code.
#ifndef TIPOFF_COSIM_STORES_H
#define TIPOFF_COSIM_STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORES_KEPT = 1 << 16 };
struct stores {
    struct store {
        uint64_t address, cycle; // physical
        uint32_t bytes;
    } kept[STORES_KEPT];
    uint64_t count, floor; // all there were; the first behind the last fence.i
};

static inline void stores_add(struct stores *s, uint64_t address, unsigned bytes, uint64_t cycle) {
    s->kept[s->count++ % STORES_KEPT] = (struct store){address, cycle, bytes};
}

static inline void stores_fence(struct stores *s) {
    s->floor = s->count;
}

// The last one that met any of the `bytes` bytes at `address`, or NULL: none of those kept.
static inline const struct store *stores_find(const struct stores *s, uint64_t address, unsigned bytes) {
    uint64_t first = s->count > STORES_KEPT ? s->count - STORES_KEPT : 0;
    if (first < s->floor) first = s->floor;
    for (uint64_t i = s->count; i-- > first;) {
        const struct store *store = &s->kept[i % STORES_KEPT];
        if (store->address < address + bytes && address < store->address + store->bytes) return store;
    }
    return NULL;
}

#endif
