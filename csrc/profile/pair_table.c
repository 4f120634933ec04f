// Pairs in an array; an index by both places finds them.
#include "profile/pair_table.h"
#include "base/array.h"
#include "base/hash_index.h"
#include <stdlib.h>
#include <string.h>

struct pair_table {
    struct pair *list;
    size_t count, capacity;
    struct hash_index index;
};

struct pair_table *pair_table_create(void) {
    return calloc(1, sizeof(struct pair_table));
}

void pair_table_destroy(struct pair_table *t) {
    if (!t) return;
    free(t->list);
    hash_index_free(&t->index);
    free(t);
}

static uint64_t hash(const struct pair *p) {
    return p->from.pc * UINT64_C(0x9e3779b97f4a7c15) ^ p->to.pc * UINT64_C(0xc2b2ae3d27d4eb4f) ^
           (p->from.context * 31 + p->to.context) * UINT64_C(0x165667b19e3779f9);
}
static uint64_t hash_of(const void *table, uint32_t number) {
    return hash(&((const struct pair_table *)table)->list[number]);
}
static bool is_pair(const void *table, uint32_t number, const void *key) {
    const struct pair *a = &((const struct pair_table *)table)->list[number], *b = key;
    return place_equal(a->from, b->from) && place_equal(a->to, b->to);
}

bool pair_table_add(struct pair_table *t, struct place from, struct place to, const uint64_t counts[PAIR_COUNTS]) {
    const struct pair key = {.from = from, .to = to};
    const uint64_t h = hash(&key);
    uint32_t number = hash_index_find(&t->index, h, is_pair, t, &key);
    if (number == HASH_INDEX_NONE) {
        if (!hash_index_reserve(&t->index, 0, (uint32_t)t->count, hash_of, t) ||
            !array_reserve(&t->list, &t->capacity, t->count, sizeof *t->list))
            return false;
        number = (uint32_t)t->count++;
        t->list[number] = key;
        hash_index_put(&t->index, h, number);
    }
    for (unsigned i = 0; i < PAIR_COUNTS; i++)
        t->list[number].counts[i] += counts[i];
    return true;
}

void pair_table_empty(struct pair_table *t) {
    t->count = 0;
    hash_index_clear(&t->index);
}

static bool is_nowhere(struct place p) {
    return p.pc == PROFILE_PC_END;
}
static uint64_t context_from(const struct pair *p) {
    return is_nowhere(p->from) ? p->to.context : p->from.context;
}
static uint64_t context_to(const struct pair *p) {
    return is_nowhere(p->to) ? p->from.context : p->to.context;
}

static int by_context(const void *x, const void *y) {
    const struct pair *a = x, *b = y;
    const uint64_t keys[4][2] = {{context_from(a), context_from(b)},
                                 {context_to(a), context_to(b)},
                                 {a->from.pc, b->from.pc},
                                 {a->to.pc, b->to.pc}};
    for (int i = 0; i < 4; i++) {
        if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

// A row whose two first fields are the places, and the others the counts.
static bool add_row(struct results *results, unsigned number, const struct pair *p) {
    const struct result_info *info = result_info(number);
    union {
        char bytes[RESULT_ROW_MOST];
        uint64_t aligned;
    } row = {{0}};
    memcpy(row.bytes + info->fields[0].offset, &p->from, sizeof p->from);
    memcpy(row.bytes + info->fields[1].offset, &p->to, sizeof p->to);
    for (unsigned i = 2; i < info->field_count && i - 2 < PAIR_COUNTS; i++)
        result_set_number(&info->fields[i], row.bytes, p->counts[i - 2]);
    return results_add(results, number, row.bytes);
}

bool pair_table_publish(const struct pair_table *t, struct results *results, unsigned number) {
    struct pair *list = malloc((t->count + 1) * sizeof *list);
    bool good = list;
    results_keep(results, number);
    if (good && t->count) {
        memcpy(list, t->list, t->count * sizeof *list);
        qsort(list, t->count, sizeof *list, by_context);
    }
    for (size_t i = 0; good && i < t->count; i++)
        good = add_row(results, number, &list[i]);
    free(list);
    return good;
}
