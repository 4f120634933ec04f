// Call stacks of a sample file: each names its caller by a number that stood before it.
#include "base/bytes.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <stdlib.h>
#include <string.h>

static bool reserve(struct read_stacks *s, uint32_t count) {
    if (count <= s->capacity) return true;
    const uint32_t capacity = count > 2 * s->capacity ? count : 2 * s->capacity;
    struct stack_node *nodes = realloc(s->nodes, capacity * sizeof *nodes);
    if (!nodes) return false;
    memset(nodes + s->capacity, 0, (capacity - s->capacity) * sizeof *nodes);
    s->nodes = nodes;
    s->capacity = capacity;
    return true;
}

static bool parse_stack(struct stack_node *node, uint32_t number, const uint8_t **p) {
    node->parent = (uint32_t)bytes_get(p, 4);
    node->kind = (uint8_t)bytes_get(p, 1);
    node->site = bytes_get(p, 8);
    node->entry = bytes_get(p, 8);
    node->context = bytes_get(p, 8);
    return node->parent < number && node->parent != STACK_LOST && node->kind < STACK_KINDS &&
           !place_hart(node->context);
}

void read_stacks_lost(struct read_stacks *s, size_t bytes) {
    s->lost += bytes / STACK_BYTES;
}

bool read_stacks_block(struct read_stacks *s, const uint8_t *p, size_t bytes) {
    if (bytes < 4 || (bytes - 4) % STACK_BYTES != 0) return false;
    const uint32_t first = (uint32_t)bytes_get(&p, 4);
    const size_t count = (bytes - 4) / STACK_BYTES;
    const uint32_t least = s->count ? s->count : STACK_LOST + 1;
    if (first < least || first > STACKS_MOST || count > STACKS_MOST - first) return false;
    const uint64_t holes = s->holes + (first - least); // all together: memory for what no file has left out
    if (holes > s->lost + STACKS_BLOCK) return false;
    if (!reserve(s, first + (uint32_t)count)) return false;
    for (uint32_t i = first; i < first + count; i++) {
        if (parse_stack(&s->nodes[i], i, &p)) continue;
        memset(&s->nodes[first], 0, count * sizeof *s->nodes);
        return false;
    }
    s->holes = holes;
    s->count = first + (uint32_t)count;
    return true;
}
