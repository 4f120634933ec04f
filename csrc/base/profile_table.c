// Open addressing with linear probing; weight 0 marks a free slot (a row without time is no row).
#include "base/profile_table.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 4096 }; // slots; a power of two

struct profile_table {
    struct profile_row *slots;
    size_t capacity, used;
    uint64_t total;
    struct profile_row *sorted; // for profile_table_rows
};

struct profile_table *profile_table_create(void) {
    struct profile_table *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->capacity = FIRST_CAPACITY;
    t->slots = calloc(t->capacity, sizeof *t->slots);
    if (t->slots) return t;
    free(t);
    return NULL;
}

void profile_table_destroy(struct profile_table *t) {
    if (!t) return;
    free(t->slots);
    free(t->sorted);
    free(t);
}

static size_t hash(struct place place, uint8_t state, uint16_t psv) {
    uint64_t key =
        (place.pc ^ place.context << 20 ^ (uint64_t)psv << 40 ^ (uint64_t)state << 56) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(key >> 32);
}

static struct profile_row *find(struct profile_row *slots, size_t capacity, struct place place, uint8_t state,
                                uint16_t psv) {
    for (size_t i = hash(place, state, psv) & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        struct profile_row *row = &slots[i];
        uint64_t differs = (row->pc ^ place.pc) | (row->context ^ place.context) | (uint64_t)(row->state ^ state) |
                           (uint64_t)(row->psv ^ psv); // nearly always 0: one branch
        if (differs == 0 || row->weight == 0) return row;
    }
}

static bool grow(struct profile_table *t) {
    size_t capacity = 2 * t->capacity;
    struct profile_row *slots = calloc(capacity, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        const struct profile_row *row = &t->slots[i];
        if (row->weight) *find(slots, capacity, row_place(row), row->state, row->psv) = *row;
    }
    free(t->slots);
    t->slots = slots;
    t->capacity = capacity;
    return true;
}

// A key that is new. Kept apart: nearly always there is a row, and then nothing needs to be called.
__attribute__((noinline)) static bool add_row(struct profile_table *t, struct place place, uint8_t state, uint16_t psv,
                                              uint64_t weight) {
    if (2 * (t->used + 1) > t->capacity && !grow(t)) return false;
    *find(t->slots, t->capacity, place, state, psv) = (struct profile_row){place.pc, state, psv, weight, place.context};
    t->used++;
    t->total += weight;
    return true;
}

bool profile_table_add(struct profile_table *t, struct place place, uint8_t state, uint16_t psv, uint64_t weight) {
    if (weight == 0) return true;
    struct profile_row *row = find(t->slots, t->capacity, place, state, psv);
    if (row->weight == 0) return add_row(t, place, state, psv, weight);
    row->weight += weight;
    t->total += weight;
    return true;
}

uint64_t profile_table_total(const struct profile_table *t) {
    return t->total;
}

static int compare(const void *x, const void *y) {
    const struct profile_row *a = x, *b = y;
    if (a->pc != b->pc) return a->pc < b->pc ? -1 : 1;
    if (a->context != b->context) return a->context < b->context ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    return a->psv < b->psv ? -1 : a->psv > b->psv;
}

const struct profile_row *profile_table_rows(struct profile_table *t, size_t *count) {
    free(t->sorted);
    *count = 0;
    t->sorted = calloc(t->used ? t->used : 1, sizeof *t->sorted);
    if (!t->sorted) return NULL;
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i].weight) t->sorted[(*count)++] = t->slots[i];
    }
    qsort(t->sorted, *count, sizeof *t->sorted, compare);
    return *count ? t->sorted : NULL;
}
