// Rows in an array; open addressing by place finds them.
#include "profile/life_totals.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

struct life_table {
    struct life_row *rows;
    size_t count, capacity;
    uint32_t *slots; // number of the row plus 1; 0: free
    size_t size;     // a power of two
};

struct life_table *life_table_create(void) {
    return calloc(1, sizeof(struct life_table));
}

void life_table_destroy(struct life_table *t) {
    if (!t) return;
    free(t->rows);
    free(t->slots);
    free(t);
}

void life_table_empty(struct life_table *t) {
    t->count = 0;
    if (t->slots) memset(t->slots, 0, t->size * sizeof *t->slots);
}

static size_t start_of(const struct life_table *t, struct place place) {
    return (size_t)((place.pc >> 1 ^ place.context * 0x9e3779b97f4a7c15u) * 0x9e3779b97f4a7c15u >> 20) & (t->size - 1);
}

static uint32_t *slot_of(const struct life_table *t, struct place place) {
    size_t i = start_of(t, place);
    while (t->slots[i] && !place_equal(t->rows[t->slots[i] - 1].place, place))
        i = (i + 1) & (t->size - 1);
    return &t->slots[i];
}

static bool rebuild(struct life_table *t, size_t size) {
    if (size != t->size) {
        uint32_t *slots = calloc(size, sizeof *slots);
        if (!slots) return false;
        free(t->slots);
        t->slots = slots;
        t->size = size;
    } else {
        memset(t->slots, 0, size * sizeof *t->slots);
    }
    for (size_t i = 0; i < t->count; i++)
        *slot_of(t, t->rows[i].place) = (uint32_t)i + 1;

    return true;
}

const struct life_row *life_table_find(const struct life_table *t, struct place place) {
    if (!t->size) return NULL;
    const uint32_t slot = *slot_of(t, place);
    return slot ? &t->rows[slot - 1] : NULL;
}

struct life_row *life_table_row(struct life_table *t, struct place place) {
    if (2 * (t->count + 1) > t->size && !rebuild(t, t->size ? 2 * t->size : 1024)) return NULL;
    uint32_t *slot = slot_of(t, place);
    if (*slot) return &t->rows[*slot - 1];
    if (!array_reserve(&t->rows, &t->capacity, t->count, sizeof *t->rows)) return NULL;
    t->rows[t->count] = (struct life_row){.place = place};
    *slot = (uint32_t)++t->count;
    return &t->rows[t->count - 1];
}

static int by_place(const void *a, const void *b) {
    const struct place *p = &((const struct life_row *)a)->place, *q = &((const struct life_row *)b)->place;
    if (p->context != q->context) return p->context < q->context ? -1 : 1;
    return p->pc < q->pc ? -1 : p->pc > q->pc;
}

const struct life_row *life_table_rows(struct life_table *t, size_t *count) {
    *count = t->count;
    if (!t->count) return NULL;
    qsort(t->rows, t->count, sizeof *t->rows, by_place);
    rebuild(t, t->size); // of the same size: cannot fail
    return t->rows;
}
