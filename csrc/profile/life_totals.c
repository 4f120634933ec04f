// Rows in an array; an index by place finds them.
#include "profile/life_totals.h"
#include "base/array.h"
#include "base/hash_index.h"
#include <stdlib.h>

struct life_table {
    struct lifetime *rows;
    size_t count, capacity;
    struct hash_index index;
};

struct life_table *life_table_create(void) {
    return calloc(1, sizeof(struct life_table));
}

void life_table_destroy(struct life_table *t) {
    if (!t) return;
    free(t->rows);
    hash_index_free(&t->index);
    free(t);
}

void life_table_empty(struct life_table *t) {
    t->count = 0;
    hash_index_clear(&t->index);
}

static uint64_t hash(struct place place) {
    return place.pc >> 1 ^ place.context * UINT64_C(0x9e3779b97f4a7c15);
}
static uint64_t hash_of(const void *table, uint32_t number) {
    return hash(((const struct life_table *)table)->rows[number].place);
}
static bool is_at(const void *table, uint32_t number, const void *place) {
    return place_equal(((const struct life_table *)table)->rows[number].place, *(const struct place *)place);
}

static uint32_t number_of(const struct life_table *t, struct place place) {
    return hash_index_find(&t->index, hash(place), is_at, t, &place);
}

const struct lifetime *life_table_find(const struct life_table *t, struct place place) {
    const uint32_t number = number_of(t, place);
    return number == HASH_INDEX_NONE ? NULL : &t->rows[number];
}

struct lifetime *life_table_row(struct life_table *t, struct place place) {
    const uint32_t number = number_of(t, place);
    if (number != HASH_INDEX_NONE) return &t->rows[number];
    if (!hash_index_reserve(&t->index, 0, (uint32_t)t->count, hash_of, t) ||
        !array_reserve(&t->rows, &t->capacity, t->count, sizeof *t->rows))
        return NULL;
    t->rows[t->count] = (struct lifetime){.place = place};
    hash_index_put(&t->index, hash(place), (uint32_t)t->count);
    return &t->rows[t->count++];
}

static int by_place(const void *a, const void *b) {
    const struct place *p = &((const struct lifetime *)a)->place, *q = &((const struct lifetime *)b)->place;
    if (p->context != q->context) return p->context < q->context ? -1 : 1;
    return p->pc < q->pc ? -1 : p->pc > q->pc;
}

const struct lifetime *life_table_rows(struct life_table *t, size_t *count) {
    *count = t->count;
    if (!t->count) return NULL;
    qsort(t->rows, t->count, sizeof *t->rows, by_place);
    hash_index_rebuild(&t->index, 0, (uint32_t)t->count, hash_of, t);
    return t->rows;
}
