// Open addressing with linear probing.
#include "base/pair_table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

static int by_context(const void *x, const void *y) {
    const struct pair *a = x, *b = y;
    const uint64_t keys[4][2] = {{a->from.context, b->from.context},
                                 {a->to.context, b->to.context},
                                 {a->from.pc, b->from.pc},
                                 {a->to.pc, b->to.pc}};
    for (int i = 0; i < 4; i++) {
        if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

static cJSON *add_group(cJSON *groups, const struct pair *p) {
    cJSON *group = cJSON_CreateObject();
    cJSON_AddNumberToObject(group, "from_mode", place_mode(p->from.context));
    cJSON_AddNumberToObject(group, "from_space", (double)place_space(p->from.context));
    cJSON_AddNumberToObject(group, "to_mode", place_mode(p->to.context));
    cJSON_AddNumberToObject(group, "to_space", (double)place_space(p->to.context));
    cJSON_AddItemToArray(groups, group);
    return cJSON_AddArrayToObject(group, "pairs");
}

bool pair_table_write(const struct pair_table *t, cJSON *statistics, const char *name, unsigned columns) {
    struct pair *list = malloc((t->used + 1) * sizeof *list);
    size_t count = 0;
    cJSON *groups = list ? cJSON_AddArrayToObject(statistics, name) : NULL, *pairs = NULL;
    for (size_t i = 0; list && i < t->size; i++) {
        if (t->slots[i].counts[0]) list[count++] = t->slots[i];
    }
    if (count) qsort(list, count, sizeof *list, by_context);
    for (size_t i = 0; i < count; i++) {
        const struct pair *p = &list[i];
        char text[128];
        if (i == 0 || p->from.context != p[-1].from.context || p->to.context != p[-1].to.context)
            pairs = add_group(groups, p);
        int n = snprintf(text, sizeof text, "%" PRIx64 " %" PRIx64, p->from.pc, p->to.pc);
        for (unsigned c = 0; c < columns; c++)
            n += snprintf(text + n, sizeof text - (size_t)n, " %" PRIu64, p->counts[c]);
        cJSON_AddItemToArray(pairs, cJSON_CreateString(text));
    }
    free(list);
    return groups;
}
