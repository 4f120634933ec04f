// A list of addresses and an index over it; sorted at the end.
#include "import/texts.h"
#include "base/array.h"
#include "base/hash_index.h"
#include "base/plain_text.h"
#include <stdlib.h>

enum { MOST = 1 << 20 };

struct texts {
    struct traced_text *list;
    size_t count, capacity;
    struct hash_index index;
    bool after_control;
};

static uint64_t hash(const void *owner, uint32_t number) {
    return ((const struct texts *)owner)->list[number].pc;
}
static bool is(const void *owner, uint32_t number, const void *key) {
    return ((const struct texts *)owner)->list[number].pc == *(const uint64_t *)key;
}

struct texts *texts_create(void) {
    return calloc(1, sizeof(struct texts));
}

void texts_destroy(struct texts *t) {
    if (!t) return;
    hash_index_free(&t->index);
    free(t->list);
    free(t);
}

bool texts_add(struct texts *t, uint64_t pc, const char *text) {
    if (t->count == MOST || hash_index_find(&t->index, pc, is, t, &pc) != HASH_INDEX_NONE) return true;
    if (!array_reserve(&t->list, &t->capacity, t->count, sizeof *t->list) ||
        !hash_index_reserve(&t->index, 0, (uint32_t)t->count, hash, t))
        return false;
    struct traced_text *const one = &t->list[t->count];
    *one = (struct traced_text){.pc = pc};
    while (*text == ' ')
        text++;
    plain_put(one->text, sizeof one->text, text);
    hash_index_put(&t->index, pc, (uint32_t)t->count++);
    return true;
}

void texts_retire(struct texts *t, const struct import_life *life) {
    const uint32_t at = t->after_control ? hash_index_find(&t->index, life->pc, is, t, &life->pc) : HASH_INDEX_NONE;
    if (at != HASH_INDEX_NONE) t->list[at].begins = true;
    t->after_control = life->control;
}

static int compare(const void *x, const void *y) {
    const struct traced_text *a = x, *b = y;
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

bool texts_publish(struct texts *t, struct results *r) {
    bool good = true;
    hash_index_free(&t->index); // numbers change
    if (t->count) qsort(t->list, t->count, sizeof *t->list, compare);
    for (size_t i = 0; good && i < t->count; i++)
        good = results_add_traced_text(r, &t->list[i]);
    return good;
}
