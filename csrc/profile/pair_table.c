// Open addressing with linear probing.
#include "profile/pair_table.h"
#include <stdlib.h>
#include <string.h>

struct pair_table {
    struct pair *slots; // counts[0] = 0: free
    size_t used, size;  // size: a power of two
};

struct pair_table *pair_table_create(void) {
    enum { SIZE = 1024 };
    struct pair_table *t = calloc(1, sizeof *t);
    if (t && (t->slots = calloc(SIZE, sizeof *t->slots))) {
        t->size = SIZE;
        return t;
    }
    free(t);
    return NULL;
}

void pair_table_destroy(struct pair_table *t) {
    if (t) free(t->slots);
    free(t);
}

static struct pair *slot_of(const struct pair_table *t, struct place from, struct place to) {
    const uint64_t h = from.pc * UINT64_C(0x9e3779b97f4a7c15) ^ to.pc * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                       (from.context * 31 + to.context) * UINT64_C(0x165667b19e3779f9);
    size_t i = (h ^ h >> 29) & (t->size - 1);
    while (t->slots[i].counts[0] && !(place_equal(t->slots[i].from, from) && place_equal(t->slots[i].to, to)))
        i = (i + 1) & (t->size - 1);
    return &t->slots[i];
}

static bool grow(struct pair_table *t) {
    const struct pair_table old = *t;
    t->size = 2 * old.size;
    t->slots = calloc(t->size, sizeof *t->slots);
    if (!t->slots) {
        *t = old;
        return false;
    }
    for (size_t i = 0; i < old.size; i++) {
        if (old.slots[i].counts[0]) *slot_of(t, old.slots[i].from, old.slots[i].to) = old.slots[i];
    }
    free(old.slots);
    return true;
}

bool pair_table_add(struct pair_table *t, struct place from, struct place to, const uint64_t counts[PAIR_COUNTS]) {
    if (2 * t->used >= t->size && !grow(t)) return false;
    struct pair *p = slot_of(t, from, to);
    if (!p->counts[0]) {
        *p = (struct pair){.from = from, .to = to};
        t->used++;
    }
    for (unsigned i = 0; i < PAIR_COUNTS; i++)
        p->counts[i] += counts[i];
    return true;
}

void pair_table_empty(struct pair_table *t) {
    for (size_t i = 0; i < t->size; i++)
        t->slots[i].counts[0] = 0;
    t->used = 0;
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
    struct pair *list = malloc((t->used + 1) * sizeof *list);
    size_t count = 0;
    bool good = list;
    results_keep(results, number);
    for (size_t i = 0; list && i < t->size; i++) {
        if (t->slots[i].counts[0]) list[count++] = t->slots[i];
    }
    if (count) qsort(list, count, sizeof *list, by_context);
    for (size_t i = 0; good && i < count; i++)
        good = add_row(results, number, &list[i]);
    free(list);
    return good;
}
