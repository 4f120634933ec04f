// Which blocks are loops, and in which others they are: Havlak's algorithm (flow.h) on the depth-first tree of a
// function's blocks. Node 0 stands before the function's entry, and before blocks that nothing in the code goes to.
#include "analysis/flow_internal.h"
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct list { // predecessors, as numbers of the depth-first search
    uint32_t *items;
    uint32_t count, capacity;
};
struct node {
    uint32_t block, last;    // last: greatest number below it in the tree
    uint32_t root;           // of its tree
    uint32_t header;         // innermost loop's, as far as is known; 0: none
    uint32_t set;            // union-find: the loop that has swallowed it
    uint32_t mark;           // the loop in whose body it was found last
    struct list back, other; // predecessors that lie below it, and those that do not
    bool loop, irreducible;
};
struct search {
    struct node *nodes; // by number
    uint32_t *number;   // of each block; NONE: not yet
    uint32_t count;
    uint32_t (*stack)[2]; // node and its next edge
};

static bool append(struct list *l, uint32_t item) {
    if (l->count == l->capacity) {
        uint32_t capacity = l->capacity ? 2 * l->capacity : 4;
        uint32_t *grown = realloc(l->items, capacity * sizeof *grown);
        if (!grown) return false;
        l->items = grown;
        l->capacity = capacity;
    }
    l->items[l->count++] = item;
    return true;
}

static void visit(struct search *s, const struct flow *f, uint32_t root) {
    uint32_t depth = 0;
    s->number[root] = s->count;
    s->nodes[s->count] = (struct node){.block = root, .root = root};
    s->stack[depth][0] = s->count++;
    s->stack[depth++][1] = 0;
    while (depth) {
        const uint32_t n = s->stack[depth - 1][0];
        const struct flow_block *b = &f->blocks[s->nodes[n].block];
        if (s->stack[depth - 1][1] == b->next_count) {
            s->nodes[n].last = s->count - 1;
            depth--;
            continue;
        }
        const uint32_t next = b->next[s->stack[depth - 1][1]++];
        if (s->number[next] != NONE) continue;
        s->number[next] = s->count;
        s->nodes[s->count] = (struct node){.block = next, .root = root};
        s->stack[depth][0] = s->count++;
        s->stack[depth++][1] = 0;
    }
}

static bool is_below(const struct search *s, uint32_t top, uint32_t n) { // or the same
    return top <= n && n <= s->nodes[top].last;
}

static uint32_t find(struct search *s, uint32_t n) {
    uint32_t top = n;
    while (s->nodes[top].set != top)
        top = s->nodes[top].set;
    while (s->nodes[n].set != top) {
        uint32_t next = s->nodes[n].set;
        s->nodes[n].set = top;
        n = next;
    }
    return top;
}

static bool add_to_body(struct search *s, struct list *body, uint32_t w, uint32_t n) {
    if (n == w || s->nodes[n].mark == w) return true;
    s->nodes[n].mark = w;
    return append(body, n);
}

// The loop of header w, if it is one: all those inside it have been found.
static bool find_loop(struct search *s, uint32_t w, struct list *body) {
    struct node *header = &s->nodes[w];
    bool good = true;
    body->count = 0;
    for (uint32_t i = 0; good && i < header->back.count; i++) {
        header->loop = true;
        good = add_to_body(s, body, w, find(s, header->back.items[i]));
    }
    for (uint32_t i = 0; good && i < body->count; i++) {
        const struct list *before = &s->nodes[body->items[i]].other;
        for (uint32_t k = 0; good && k < before->count; k++) {
            const uint32_t n = find(s, before->items[k]);
            if (is_below(s, w, n)) {
                good = add_to_body(s, body, w, n);
            } else {
                header->irreducible = true;
                good = append(&header->other, n);
            }
        }
    }
    for (uint32_t i = 0; good && i < body->count; i++)
        s->nodes[body->items[i]].header = s->nodes[body->items[i]].set = w;
    return good;
}

static bool find_predecessors(struct search *s, const struct flow *f) {
    bool good = true;
    for (uint32_t n = 1; good && n < s->count; n++) {
        const struct flow_block *b = &f->blocks[s->nodes[n].block];
        for (size_t i = 0; good && i < b->next_count; i++) {
            const uint32_t to = s->number[b->next[i]];
            if (s->nodes[to].root != s->nodes[n].root) continue; // code that nothing goes to enters no loop
            good = append(is_below(s, to, n) ? &s->nodes[to].back : &s->nodes[to].other, n);
        }
    }
    return good;
}

// Headers by address become the loops of f; blocks get theirs.
static bool take_loops(const struct search *s, struct flow *f) {
    size_t *loop_of = malloc((f->block_count + 1) * sizeof *loop_of), count = 0; // of a header's block
    for (uint32_t n = 1; n < s->count; n++)
        count += s->nodes[n].loop;
    f->loops = calloc(count + 1, sizeof *f->loops);
    if (!loop_of || !f->loops) {
        free(loop_of);
        return false;
    }
    for (size_t b = 0; b < f->block_count; b++) {
        const struct node *n = &s->nodes[s->number[b]];
        if (!n->loop) continue;
        loop_of[b] = f->loop_count;
        f->loops[f->loop_count++] = (struct flow_loop){.header = b, .irreducible = n->irreducible};
    }
    for (uint32_t n = 1; n < s->count; n++) { // headers come before what is in their loops
        const struct node *node = &s->nodes[n];
        const size_t outer = node->header ? loop_of[s->nodes[node->header].block] : PROGRAM_NONE;
        f->blocks[node->block].loop = node->loop ? loop_of[node->block] : outer;
        if (!node->loop) continue;
        f->loops[loop_of[node->block]].parent = outer;
        f->loops[loop_of[node->block]].depth = outer == PROGRAM_NONE ? 1 : f->loops[outer].depth + 1;
    }
    free(loop_of);
    return true;
}

bool flow_nest(struct flow *f) {
    const size_t blocks = f->block_count;
    struct search s = {.nodes = calloc(blocks + 1, sizeof *s.nodes),
                       .number = malloc(blocks * sizeof *s.number),
                       .count = 1,
                       .stack = malloc((blocks + 1) * sizeof *s.stack)};
    struct list body = {0};
    bool good = s.nodes && s.number && s.stack;
    if (good) memset(s.number, 0xff, blocks * sizeof *s.number);
    for (uint32_t b = 0; good && b < blocks; b++) {
        if (s.number[b] == NONE) visit(&s, f, b);
    }
    for (uint32_t n = 0; good && n < s.count; n++)
        s.nodes[n].set = n;
    good = good && find_predecessors(&s, f);
    for (uint32_t n = good ? s.count - 1 : 0; good && n > 0; n--)
        good = find_loop(&s, n, &body);
    good = good && take_loops(&s, f);
    for (uint32_t n = 0; s.nodes && n < s.count; n++) {
        free(s.nodes[n].back.items);
        free(s.nodes[n].other.items);
    }
    free(body.items);
    free(s.nodes);
    free(s.number);
    free(s.stack);
    return good;
}
