// Pairs of numbers in the order in which they come, and a table of them.
#include "report/pair_numbers.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

static uint64_t pair_hash(const uint64_t key[2]) {
    const uint64_t h = (key[0] * UINT64_C(0x9e3779b97f4a7c15) ^ key[1]) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}
static uint64_t pair_hash_of(const void *pairs, uint32_t number) {
    return pair_hash(((const struct pair_numbers *)pairs)->keys[number]);
}
static bool is_pair(const void *pairs, uint32_t number, const void *key) {
    return memcmp(((const struct pair_numbers *)pairs)->keys[number], key, 2 * sizeof(uint64_t)) == 0;
}

void pair_numbers_free(struct pair_numbers *p) {
    free(p->keys);
    hash_index_free(&p->index);
}

size_t pair_number(struct pair_numbers *p, uint64_t a, uint64_t b, bool add) {
    const uint64_t key[2] = {a, b}, hash = pair_hash(key);
    const uint32_t number = hash_index_find(&p->index, hash, is_pair, p, key);
    if (number != HASH_INDEX_NONE) return number;
    if (!add || !hash_index_reserve(&p->index, 0, (uint32_t)p->count, pair_hash_of, p) ||
        !array_reserve(&p->keys, &p->capacity, p->count, sizeof *p->keys))
        return PAIR_NONE;
    memcpy(p->keys[p->count], key, sizeof key);
    hash_index_put(&p->index, hash, (uint32_t)p->count);
    return p->count++;
}
