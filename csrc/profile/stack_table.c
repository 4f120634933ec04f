// The nodes in the order of their numbers, and an index of these.
#include "profile/stack_table.h"
#include "base/array.h"
#include "base/hash_index.h"
#include <stdlib.h>

struct stack_table {
    struct stack_node *nodes;
    size_t capacity;
    uint32_t count, limit;
    struct hash_index index; // of those behind STACK_LOST
};

static const struct stack_node none;

struct stack_table *stack_table_create(uint32_t limit) {
    struct stack_table *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->limit = limit;
    if (!array_reserve(&t->nodes, &t->capacity, STACK_LOST, sizeof *t->nodes)) {
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
    hash_index_free(&t->index);
    free(t);
}

static uint64_t hash(const struct stack_node *n) {
    const uint64_t few = (uint64_t)n->parent << 32 ^ (uint64_t)n->kind << 29;
    return n->site ^ n->entry << 24 ^ n->context << 13 ^ few;
}
static uint64_t hash_of(const void *table, uint32_t number) {
    return hash(&((const struct stack_table *)table)->nodes[number]);
}

static bool is_node(const void *table, uint32_t number, const void *node) {
    const struct stack_node *a = &((const struct stack_table *)table)->nodes[number], *b = node;
    return a->parent == b->parent && a->kind == b->kind && a->site == b->site && a->entry == b->entry &&
           a->context == b->context;
}

uint32_t stack_table_find(struct stack_table *t, const struct stack_node *node) {
    if (node->parent == STACK_LOST) return STACK_LOST;
    const uint64_t h = hash(node);
    const uint32_t number = hash_index_find(&t->index, h, is_node, t, node);
    if (number != HASH_INDEX_NONE) return number;
    if (t->count == t->limit || !hash_index_reserve(&t->index, STACK_LOST + 1, t->count, hash_of, t) ||
        !array_reserve(&t->nodes, &t->capacity, t->count, sizeof *t->nodes))
        return STACK_LOST;
    t->nodes[t->count] = *node;
    hash_index_put(&t->index, h, t->count);
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
