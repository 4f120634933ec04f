// The last stores of the core since its last fence.i and sfence.vma: where lockstep finds a difference, they show
// whether the program has rewritten its code or its page tables without a fence.
#ifndef TIPOFF_COSIM_STORES_H
#define TIPOFF_COSIM_STORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORES_KEPT = 1 << 16 };
enum stores_fence { STORES_FENCE_I, STORES_SFENCE_VMA, STORES_FENCES };
struct stores {
    struct store {
        uint64_t address, cycle; // physical
        uint32_t bytes;
    } kept[STORES_KEPT];
    uint64_t count, floor[STORES_FENCES]; // all stores; the first after the last fence of each kind
};

static inline void stores_add(struct stores *s, uint64_t address, unsigned bytes, uint64_t cycle) {
    s->kept[s->count++ % STORES_KEPT] = (struct store){address, cycle, bytes};
}

static inline void stores_fence(struct stores *s, enum stores_fence fence) {
    s->floor[fence] = s->count;
}

// The last one since that fence that met any of the `bytes` bytes at `address`, or NULL: none of those kept.
static inline const struct store *stores_find(const struct stores *s, enum stores_fence fence, uint64_t address,
                                              unsigned bytes) {
    uint64_t first = s->count > STORES_KEPT ? s->count - STORES_KEPT : 0;
    if (first < s->floor[fence]) first = s->floor[fence];
    for (uint64_t i = s->count; i-- > first;) {
        const struct store *store = &s->kept[i % STORES_KEPT];
        if (store->address < address + bytes && address < store->address + store->bytes) return store;
    }
    return NULL;
}

#endif
