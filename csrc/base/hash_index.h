// Which entry of a list has a key: open addressing over the numbers of entries, whose list and keys are the owner's.
#ifndef TIPOFF_BASE_HASH_INDEX_H
#define TIPOFF_BASE_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_INDEX_FIRST_BITS = 10 };
#define HASH_INDEX_NONE UINT32_MAX

struct hash_index {  // all zero at first; hash_index_free
    uint32_t *slots; // number plus 1; 0: free
    unsigned bits;   // 2^bits slots, at most half of them used
};

// Of entry `number`, any 64 bits that differ where keys do; and whether it has that key.
typedef uint64_t hash_index_hash(const void *owner, uint32_t number);
typedef bool hash_index_is(const void *owner, uint32_t number, const void *key);

static inline size_t hash_index_size(const struct hash_index *x) {
    return x->slots ? (size_t)1 << x->bits : 0;
}
// The highest bits of the product: all bits of the hash count in them.
static inline size_t hash_index_start(const struct hash_index *x, uint64_t hash) {
    return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - x->bits));
}

// The number of the entry with that key, whose hash is this; HASH_INDEX_NONE.
static inline uint32_t hash_index_find(const struct hash_index *x, uint64_t hash, hash_index_is *is, const void *owner,
                                       const void *key) {
    if (!x->slots) return HASH_INDEX_NONE;
    const size_t mask = hash_index_size(x) - 1;
    for (size_t i = hash_index_start(x, hash);; i = (i + 1) & mask) {
        if (!x->slots[i]) return HASH_INDEX_NONE;
        if (is(owner, x->slots[i] - 1, key)) return x->slots[i] - 1;
    }
}

// Entry `number`, which is new, and for which hash_index_reserve made room.
static inline void hash_index_put(struct hash_index *x, uint64_t hash, uint32_t number) {
    const size_t mask = hash_index_size(x) - 1;
    size_t i = hash_index_start(x, hash);
    while (x->slots[i])
        i = (i + 1) & mask;
    x->slots[i] = number + 1;
}

static inline void hash_index_clear(struct hash_index *x) {
    if (x->slots) memset(x->slots, 0, hash_index_size(x) * sizeof *x->slots);
}

static inline void hash_index_free(struct hash_index *x) {
    free(x->slots);
    *x = (struct hash_index){0};
}

// Enters all entries `first` to `count` - 1 again: their numbers have changed.
static inline void hash_index_rebuild(struct hash_index *x, uint32_t first, uint32_t count, hash_index_hash *hash,
                                      const void *owner) {
    hash_index_clear(x);
    for (uint32_t i = first; i < count; i++)
        hash_index_put(x, hash(owner, i), i);
}

// Makes room for entry `count` beside the entries `first` to `count` - 1. False: out of memory, and all is as before.
static inline bool hash_index_reserve(struct hash_index *x, uint32_t first, uint32_t count, hash_index_hash *hash,
                                      const void *owner) {
    if (x->slots && 2 * ((size_t)count + 1) <= hash_index_size(x)) return true;
    struct hash_index larger = {.bits = x->slots ? x->bits + 1 : HASH_INDEX_FIRST_BITS};
    larger.slots = calloc((size_t)1 << larger.bits, sizeof *larger.slots);
    if (!larger.slots) return false;
    hash_index_rebuild(&larger, first, count, hash, owner);
    free(x->slots);
    *x = larger;
    return true;
}

#endif
