// Flows of functions: blocks and loops, with the jumps that the run has shown; and what is counted of them.
#include "report/function_flows.h"
#include <stdlib.h>

// ---- flows, made when the first time in a function is met ----
static void free_flow(struct function_flow *f) {
    if (!f) return;
    flow_destroy(f->flow);
    free(f->block_parts);
    free(f->loop_parts);
    free(f->nest_times);
    free(f);
}

void flows_destroy(struct flows *s) {
    for (size_t i = 0; i < s->program_count; i++) {
        for (size_t k = 0; k < s->programs[i].count; k++)
            free_flow(s->programs[i].list[k]);
        free(s->programs[i].list);
    }
    free(s->programs);
    executed_free(s->executed);
    free(s);
}

struct flows *flows_create(const struct run *d) {
    struct flows *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->d = d;
    s->programs = calloc(images_count(d->images) + 1, sizeof *s->programs);
    s->executed = executed_read(d->images, samples_results(d->samples));
    if (s->programs && s->executed) return s;
    flows_destroy(s);
    return NULL;
}

static struct flow_part *parts(struct function_flow *f, size_t count) {
    struct flow_part *list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        list[i] = (struct flow_part){f, i, UNIT_NONE};
    return list;
}

// What was executed in the function: jumps, and going on with the next instruction.
static struct flow_jump *executed_jumps(const struct flows *s, const struct program *p,
                                        const struct program_function *f, size_t *count) {
    size_t edges, all;
    const struct program_instruction *i = program_instructions(p, &all);
    const struct code_pair *edge = executed_between(s->executed, p, f->start, f->end, &edges);
    struct flow_jump *jumps = malloc((edges + f->count + 1) * sizeof *jumps);
    *count = 0;
    for (size_t k = 0; jumps && k < edges; k++) {
        if (edge[k].to.program != p || edge[k].to.pc < f->start || edge[k].to.pc >= f->end) continue;
        struct flow_jump *jump = &jumps[*count];
        *jump = (struct flow_jump){program_find(p, edge[k].from.pc), program_find(p, edge[k].to.pc)};
        *count += jump->from != PROGRAM_NONE && jump->to != PROGRAM_NONE;
    }
    for (size_t k = f->first; jumps && k + 1 < f->first + f->count; k++) {
        if (i[k + 1].block == k + 1 && executed_passed(s->executed, p, i[k].pc))
            jumps[(*count)++] = (struct flow_jump){k, k + 1};
    }
    return jumps;
}

static struct flow *make_flow(const struct flows *s, const struct program *p, size_t function) {
    size_t count;
    if (!executed_known(s->executed)) return flow_create(p, function, NULL, 0);
    struct flow_jump *jumps = executed_jumps(s, p, &program_functions(p, &count)[function], &count);
    struct flow *flow = jumps ? flow_create(p, function, jumps, count) : NULL;
    free(jumps);
    return flow;
}

static struct function_flow *make(struct flows *s, const struct program *p, size_t function) {
    struct function_flow *f = calloc(1, sizeof *f);
    size_t count;
    bool unknown = false;
    if (!f) return NULL;
    f->program = p;
    f->code = program_instructions(p, &count);
    f->function = &program_functions(p, &count)[function];
    if ((f->flow = make_flow(s, p, function))) {
        f->blocks = flow_blocks(f->flow, &f->block_count);
        f->loops = flow_loops(f->flow, &f->loop_count);
        f->block_parts = parts(f, f->block_count);
        f->loop_parts = parts(f, f->loop_count);
    }
    for (size_t i = 0; i < f->block_count; i++)
        unknown = unknown || f->blocks[i].unknown;
    s->unknown += unknown;
    if (f->block_parts && f->loop_parts) return f;
    free_flow(f);
    return NULL;
}

struct function_flow *flows_of(struct flows *s, const struct image_hit *hit) {
    size_t i = 0, count;
    while (i < s->program_count && s->programs[i].program != hit->program)
        i++;
    const size_t function = program_instructions(hit->program, &count)[hit->instruction].function;
    if (i == s->program_count) {
        program_functions(hit->program, &count);
        struct program_flows new = {hit->program, calloc(count + 1, sizeof(void *)), count};
        if (!new.list) return NULL;
        s->programs[s->program_count++] = new;
    }
    struct function_flow **f = &s->programs[i].list[function];
    if (!*f) *f = make(s, hit->program, function);
    return *f;
}

// ---- counts ----
uint64_t flows_executions(const struct flows *s, const struct function_flow *f, size_t block) {
    return executed_count(s->executed, f->program, f->code[f->blocks[block].first].pc);
}

// How often control went from one block to the next one; after a call, as often as it was called.
static uint64_t edge_count(const struct flows *s, const struct function_flow *f, size_t from, size_t to) {
    size_t edges;
    const struct flow_block *left = &f->blocks[from];
    const uint64_t last = f->code[left->first + left->count - 1].pc, target = f->code[f->blocks[to].first].pc;
    const struct code_pair *e = executed_from(s->executed, f->program, last, &edges);
    uint64_t sum = 0;
    for (size_t i = 0; i < edges; i++) {
        if (e[i].to.program == f->program && e[i].to.pc == target) sum += e[i].counts[0];
    }
    if (to != from + 1) return sum;
    return sum + (left->calls ? executed_count(s->executed, f->program, last)
                              : executed_passed(s->executed, f->program, last));
}

bool flow_in_loop(const struct function_flow *f, size_t block, size_t loop) {
    for (size_t i = f->blocks[block].loop; i != PROGRAM_NONE; i = f->loops[i].parent) {
        if (i == loop) return true;
    }
    return false;
}

static bool goes_to(const struct flow_block *b, size_t to) {
    for (size_t i = 0; i < b->next_count; i++) {
        if (b->next[i] == to) return true;
    }
    return false;
}

// How often control came from outside to the header, and, of a loop that has them, to its other entrances.
uint64_t flows_entries(const struct flows *s, const struct function_flow *f, size_t loop) {
    const struct flow_block *blocks = f->blocks;
    const struct flow_loop *l = &f->loops[loop];
    uint64_t to_header = flows_executions(s, f, l->header), to_others = 0;
    for (size_t b = 0; b < f->block_count; b++) {
        if (goes_to(&blocks[b], l->header) && flow_in_loop(f, b, loop)) {
            const uint64_t back = edge_count(s, f, b, l->header);
            to_header -= back < to_header ? back : to_header;
        }
        if (!l->irreducible || flow_in_loop(f, b, loop)) continue;
        for (size_t i = 0; i < blocks[b].next_count; i++) {
            const size_t to = blocks[b].next[i];
            if (to != l->header && flow_in_loop(f, to, loop)) to_others += edge_count(s, f, b, to);
        }
    }
    return to_header + to_others;
}
