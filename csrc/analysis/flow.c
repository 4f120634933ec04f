// Blocks and edges of a function. Loops: loops.c.
#include "analysis/flow_internal.h"
#include "base/array.h"
#include "isa/control.h"
#include <stdlib.h>

// How the last instruction of a block goes on.
struct ending {
    bool falls, jumps, calls, indirect; // jumps: to a target in the code
};

static struct ending ending_of(const struct program_instruction *last) {
    if (last->data) return (struct ending){.falls = true};
    switch (control_kind_of(last->insn)) {
    case CONTROL_NONE:
    case CONTROL_TRAPS: return (struct ending){.falls = true};
    case CONTROL_BRANCH: return (struct ending){.falls = true, .jumps = true};
    case CONTROL_TRAP_RETURN: return (struct ending){0};
    default: break;
    }
    switch (control_transfer_type(last->insn)) {
    case TRANSFER_DIRECT_JUMP: return (struct ending){.jumps = true};
    case TRANSFER_INDIRECT_JUMP: return (struct ending){.indirect = true};
    case TRANSFER_RETURN: return (struct ending){0};
    default: return (struct ending){.falls = true, .calls = true}; // what writes a register may come back
    }
}

static bool inside(const struct flow *f, size_t instruction) {
    return instruction >= f->first && instruction - f->first < f->count;
}

static bool add_edge(struct flow *f, size_t *capacity, size_t to) {
    if (!array_reserve(&f->edges, capacity, f->edge_count, sizeof *f->edges)) return false;
    f->edges[f->edge_count++] = (uint32_t)to;
    return true;
}

// Its own indirect jumps that stay inside.
static struct flow_jump *own_jumps(const struct flow *f, const struct program_instruction *all,
                                   const struct flow_jump *jumps, size_t count, size_t *own) {
    struct flow_jump *list = malloc((count + 1) * sizeof *list);
    *own = 0;
    for (size_t i = 0; list && i < count; i++) {
        if (inside(f, jumps[i].from) && inside(f, jumps[i].to) && ending_of(&all[jumps[i].from]).indirect)
            list[(*own)++] = jumps[i];
    }
    return list;
}

static bool find_blocks(struct flow *f, const struct program_instruction *all, const struct flow_jump *jumps,
                        size_t jump_count) {
    bool *leads = calloc(f->count + 1, sizeof *leads);
    f->block_of = malloc((f->count + 1) * sizeof *f->block_of);
    size_t count = 0;
    if (!leads || !f->block_of) {
        free(leads);
        return false;
    }
    for (size_t i = 0; i < f->count; i++)
        leads[i] = i == 0 || all[f->first + i].block == f->first + i;
    for (size_t i = 0; i < jump_count; i++)
        leads[jumps[i].to - f->first] = true;
    for (size_t i = 0; i < f->count; i++)
        count += leads[i];
    f->blocks = calloc(count + 1, sizeof *f->blocks);
    for (size_t i = 0; f->blocks && i < f->count; i++) {
        if (leads[i]) f->blocks[f->block_count++] = (struct flow_block){.first = f->first + i, .loop = PROGRAM_NONE};
        f->blocks[f->block_count - 1].count++;
        f->block_of[i] = (uint32_t)(f->block_count - 1);
    }
    free(leads);
    return f->blocks != NULL;
}

// Edges of one block, but those of an indirect jump.
static bool direct_edges(struct flow *f, const struct program *p, const struct program_instruction *all, size_t b,
                         size_t *capacity) {
    const size_t last = f->blocks[b].first + f->blocks[b].count - 1;
    const struct ending how = ending_of(&all[last]);
    uint64_t target;
    bool good = true;
    f->blocks[b].calls = how.calls;
    if (how.falls && inside(f, last + 1)) good = add_edge(f, capacity, b + 1);
    if (!how.jumps || !control_target(all[last].pc, all[last].insn, &target)) return good;
    const size_t to = program_find(p, target);
    if (to == PROGRAM_NONE || !inside(f, to)) return good;
    return good && add_edge(f, capacity, f->block_of[to - f->first]);
}

// Those of an indirect jump; reached: blocks that something goes to, or NULL: where it went to is known.
static bool indirect_edges(struct flow *f, size_t b, const struct flow_jump *jumps, size_t jump_count,
                           const bool *reached, size_t *capacity) {
    const size_t last = f->blocks[b].first + f->blocks[b].count - 1;
    bool good = true;
    f->blocks[b].unknown = true;
    for (size_t i = 0; good && i < jump_count; i++) {
        if (jumps[i].from != last) continue;
        f->blocks[b].unknown = false;
        good = add_edge(f, capacity, f->block_of[jumps[i].to - f->first]);
    }
    for (size_t i = 1; good && reached && i < f->block_count; i++) {
        if (!reached[i]) good = add_edge(f, capacity, i);
    }
    return good;
}

static bool find_edges(struct flow *f, const struct program *p, const struct program_instruction *all,
                       const struct flow_jump *jumps, size_t jump_count, bool counted) {
    size_t capacity = 0;
    size_t *starts = malloc((f->block_count + 1) * sizeof *starts);
    bool *reached = calloc(f->block_count + 1, sizeof *reached);
    bool good = starts && reached;
    for (size_t b = 0; good && b < f->block_count; b++)
        good = direct_edges(f, p, all, b, &capacity);
    for (size_t i = 0; good && i < f->edge_count; i++)
        reached[f->edges[i]] = true;
    f->edge_count = 0;
    for (size_t b = 0; good && b < f->block_count; b++) { // again, in the order of blocks
        const size_t last = f->blocks[b].first + f->blocks[b].count - 1;
        starts[b] = f->edge_count;
        good = direct_edges(f, p, all, b, &capacity);
        if (good && ending_of(&all[last]).indirect)
            good = indirect_edges(f, b, jumps, jump_count, counted ? NULL : reached, &capacity);
    }
    for (size_t b = 0; good && b < f->block_count; b++) {
        f->blocks[b].next = f->edge_count ? f->edges + starts[b] : NULL;
        f->blocks[b].next_count = (b + 1 < f->block_count ? starts[b + 1] : f->edge_count) - starts[b];
    }
    free(starts);
    free(reached);
    return good;
}

struct flow *flow_create(const struct program *p, size_t function, const struct flow_jump *jumps, size_t jump_count) {
    struct flow *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    size_t count, own;
    const struct program_instruction *all = program_instructions(p, &count);
    const struct program_function *of = &program_functions(p, &count)[function];
    f->first = of->first;
    f->count = of->count;
    struct flow_jump *list = own_jumps(f, all, jumps, jump_count, &own);
    bool good = list && find_blocks(f, all, list, own) && find_edges(f, p, all, list, own, jumps != NULL) &&
                (!f->block_count || flow_nest(f));
    free(list);
    if (good) return f;
    flow_destroy(f);
    return NULL;
}

void flow_destroy(struct flow *f) {
    if (!f) return;
    free(f->blocks);
    free(f->block_of);
    free(f->edges);
    free(f->loops);
    free(f);
}

const struct flow_block *flow_blocks(const struct flow *f, size_t *count) {
    *count = f->block_count;
    return f->blocks;
}

const struct flow_loop *flow_loops(const struct flow *f, size_t *count) {
    *count = f->loop_count;
    return f->loops;
}

size_t flow_block_of(const struct flow *f, size_t instruction) {
    return f->block_of[instruction - f->first];
}
