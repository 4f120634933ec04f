// The nodes in the order of their numbers, and a hash table of these: open addressing with linear probing, 0 is free.
#include "profile/stack_table.h"
#include <stdlib.h>

enum { FIRST_BITS = 10 };

struct stack_table {
    struct stack_node *nodes;
    uint32_t count, capacity, limit;
    uint32_t *slots;
    unsigned bits; // 2^bits slots, at most half of them used
};

static const struct stack_node none;

struct stack_table *stack_table_create(uint32_t limit) {
    struct stack_table *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->limit = limit;
    t->bits = FIRST_BITS;
    t->capacity = 1 << (FIRST_BITS - 1);
    t->nodes = calloc(t->capacity, sizeof *t->nodes);
    t->slots = calloc(UINT32_C(1) << t->bits, sizeof *t->slots);
    if (!t->nodes || !t->slots) {
        stack_table_destroy(t);
        return NULL;
    }
    t->nodes[STACK_UNKNOWN] = t->nodes[STACK_LOST] = none;
    t->count = STACK_LOST + 1;
    return t;
}

void stack_table_destroy(struct stack_table *t) {
    if (!t) return;
    free(t->nodes);
    free(t->slots);
    free(t);
}

static uint32_t hash(const struct stack_node *n, unsigned bits) {
    const uint64_t few = (uint64_t)n->parent << 32 ^ (uint64_t)n->kind << 29;
    const uint64_t key = n->site ^ n->entry << 24 ^ n->context << 13 ^ few;
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

static bool equal(const struct stack_node *a, const struct stack_node *b) {
    return a->parent == b->parent && a->kind == b->kind && a->site == b->site && a->entry == b->entry &&
           a->context == b->context;
}

static uint32_t *slot_of(const struct stack_table *t, const struct stack_node *node) {
    const uint32_t mask = (UINT32_C(1) << t->bits) - 1;
    uint32_t i = hash(node, t->bits);
    while (t->slots[i] && !equal(&t->nodes[t->slots[i]], node))
        i = (i + 1) & mask;
    return &t->slots[i];
}

static bool grow(struct stack_table *t) {
    struct stack_node *nodes = realloc(t->nodes, 2 * (size_t)t->capacity * sizeof *nodes);
    if (!nodes) return false;
    t->nodes = nodes;
    uint32_t *slots = calloc(UINT32_C(2) << t->bits, sizeof *slots);
    if (!slots) return false;
    free(t->slots);
    t->slots = slots;
    t->capacity *= 2;
    t->bits++;
    for (uint32_t i = STACK_LOST + 1; i < t->count; i++)
        *slot_of(t, &t->nodes[i]) = i;
    return true;
}

uint32_t stack_table_find(struct stack_table *t, const struct stack_node *node) {
    if (node->parent == STACK_LOST) return STACK_LOST;
    uint32_t *slot = slot_of(t, node);
    if (*slot) return *slot;
    if (t->count == t->limit || (t->count == t->capacity && !grow(t))) return STACK_LOST;
    t->nodes[t->count] = *node;
    *slot_of(t, node) = t->count;
    return t->count++;
}

const struct stack_node *stack_table_nodes(const struct stack_table *t, uint32_t *count) {
    *count = t->count;
    return t->nodes;
}

bool stack_depths_create(struct stack_depths *d, const struct stack_node *nodes, uint32_t count, uint32_t most) {
    const uint32_t outer = stack_outer(most);
    d->depth = malloc(((size_t)count + 1) * sizeof *d->depth);
    d->below = malloc(((size_t)count + 1) * sizeof *d->below);
    if (!d->depth || !d->below) {
        stack_depths_destroy(d);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) { // callers before those that they call
        const bool called = stack_has_caller(nodes, count, i);
        d->depth[i] = called ? d->depth[nodes[i].parent] + 1 : 1;
        d->below[i] = d->depth[i] <= outer + 1 ? i : d->below[nodes[i].parent];
    }
    return true;
}

void stack_depths_destroy(struct stack_depths *d) {
    free(d->depth);
    free(d->below);
    *d = (struct stack_depths){0};
}
