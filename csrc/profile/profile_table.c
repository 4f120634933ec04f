// Open addressing with linear probing; weight 0 marks a free slot (a row without time is no row).
#include "profile/profile_table.h"
#include "profile/stack_table.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 12, SMALL_BITS = 5 }; // of the number of slots

struct profile_table {
    struct profile_row *slots;
    size_t capacity, used;
    unsigned shift; // of a hash, to its index
    uint64_t total;
    struct profile_row *sorted; // for profile_table_rows
};

static struct profile_table *create(unsigned bits) {
    struct profile_table *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->capacity = (size_t)1 << bits;
    t->shift = 64 - bits;
    t->slots = calloc(t->capacity, sizeof *t->slots);
    if (t->slots) return t;
    free(t);
    return NULL;
}

struct profile_table *profile_table_create(void) {
    return create(FIRST_BITS);
}

struct profile_table *profile_table_create_small(void) {
    return create(SMALL_BITS);
}

void profile_table_clear(struct profile_table *t) {
    memset(t->slots, 0, t->capacity * sizeof *t->slots);
    t->used = 0;
    t->total = 0;
}

void profile_table_destroy(struct profile_table *t) {
    if (!t) return;
    free(t->slots);
    free(t->sorted);
    free(t);
}

// What is summed up apart.
struct key {
    struct place place;
    uint32_t stack;
    uint16_t psv;
    uint8_t state;
};

// The highest bits of the product: all bits of the key count in them. Where the state stands, no two addresses near to
// each other meet in two of its values.
static uint64_t hash(struct key k) {
    const uint64_t key =
        k.place.pc ^ k.place.context << 20 ^ (uint64_t)k.stack << 33 ^ (uint64_t)k.psv << 40 ^ (uint64_t)k.state << 61;
    return key * UINT64_C(0x9e3779b97f4a7c15);
}

static bool is_key(const struct profile_row *row, struct key k) {
    uint64_t differs = (row->pc ^ k.place.pc) | (row->context ^ k.place.context) | (row->stack ^ k.stack) |
                       (uint64_t)(row->state ^ k.state) | (uint64_t)(row->psv ^ k.psv); // nearly always 0: one branch
    return differs == 0;
}

static struct profile_row *find(const struct profile_table *t, struct key k) {
    for (size_t i = hash(k) >> t->shift;; i = (i + 1) & (t->capacity - 1)) {
        struct profile_row *row = &t->slots[i];
        if (row->weight == 0 || is_key(row, k)) return row;
    }
}

static bool grow(struct profile_table *t) {
    struct profile_table larger = *t;
    larger.capacity = 2 * t->capacity;
    larger.shift = t->shift - 1;
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        const struct profile_row *row = &t->slots[i];
        if (row->weight) *find(&larger, (struct key){row_place(row), row->stack, row->psv, row->state}) = *row;
    }
    free(t->slots);
    *t = larger;
    return true;
}

static bool add_row(struct profile_table *t, struct key k, uint64_t weight) {
    if (2 * (t->used + 1) > t->capacity && !grow(t)) return false;
    *find(t, k) = (struct profile_row){k.place.pc, k.state, k.psv, weight, k.place.context, k.stack};
    t->used++;
    t->total += weight;
    return true;
}

// A key that is new, or not where it is looked for first. Kept apart: nearly always it is, and then nothing needs to be
// called.
__attribute__((noinline)) static bool add_elsewhere(struct profile_table *t, struct key k, uint64_t weight) {
    if (weight == 0) return true;
    struct profile_row *row = find(t, k);
    if (row->weight == 0) return add_row(t, k, weight);
    row->weight += weight;
    t->total += weight;
    return true;
}

static inline bool add(struct profile_table *t, struct key k, uint64_t weight) {
    struct profile_row *row = &t->slots[hash(k) >> t->shift];
    if (row->weight == 0 || !is_key(row, k)) return add_elsewhere(t, k, weight);
    row->weight += weight;
    t->total += weight;
    return true;
}

bool profile_table_add_stack(struct profile_table *t, struct place place, uint32_t stack, uint8_t state, uint16_t psv,
                             uint64_t weight) {
    return add(t, (struct key){place, stack, psv, state}, weight);
}

bool profile_table_add(struct profile_table *t, struct place place, uint8_t state, uint16_t psv, uint64_t weight) {
    return add(t, (struct key){place, STACK_UNKNOWN, psv, state}, weight);
}

uint64_t profile_table_total(const struct profile_table *t) {
    return t->total;
}

int profile_row_compare(const void *x, const void *y) {
    const struct profile_row *a = x, *b = y;
    if (a->pc != b->pc) return a->pc < b->pc ? -1 : 1;
    if (a->context != b->context) return a->context < b->context ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->psv != b->psv) return a->psv < b->psv ? -1 : 1;
    return a->stack < b->stack ? -1 : a->stack > b->stack;
}

const struct profile_row *profile_table_rows(struct profile_table *t, size_t *count) {
    free(t->sorted);
    *count = 0;
    t->sorted = calloc(t->used ? t->used : 1, sizeof *t->sorted);
    if (!t->sorted) return NULL;
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i].weight) t->sorted[(*count)++] = t->slots[i];
    }
    qsort(t->sorted, *count, sizeof *t->sorted, profile_row_compare);
    return *count ? t->sorted : NULL;
}

struct profile_row *profile_table_take(struct profile_table *t, size_t *count) {
    *count = 0;
    if (!t) return NULL;
    const bool any = profile_table_rows(t, count);
    struct profile_row *rows = any ? t->sorted : NULL;
    if (any) t->sorted = NULL;
    profile_table_destroy(t);
    return rows;
}
