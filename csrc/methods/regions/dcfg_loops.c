// Routines, dominators and natural loops of a control-flow graph: dcfg.h. Dominators by K. Cooper, T. Harvey and K.
// Kennedy (A simple, fast dominance algorithm, 2001): iterated over the blocks in reverse postorder.
#include "base/array.h"
#include "methods/regions/dcfg_internal.h"
#include <stdlib.h>
#include <string.h>

// What a routine's search needs; arrays of one entry a block.
struct search {
    struct dcfg *d;
    bool *entry;     // a routine begins there
    uint32_t *order; // blocks of the routine, in postorder
    uint32_t *rank;  // of a block in it; DCFG_NONE: not of the routine
    uint32_t *above; // immediate dominator, as a rank
    uint32_t (*stack)[2];
    uint32_t *before, *before_at; // predecessors of each block: edges' numbers, and where they begin
    bool *inside;                 // of the loop that is looked at
    uint32_t *body;
    size_t count; // of the routine's blocks
    size_t loop_capacity;
};

// An edge that stays in the routine whose entry is `own`.
static bool stays(const struct search *s, const struct dcfg_edge *e, uint32_t own) {
    if (e->kind == DCFG_CALLS || e->kind == DCFG_RETURNS) return false;
    return e->to == own || !s->entry[e->to];
}

static void walk(struct search *s, uint32_t entry) {
    uint32_t depth = 0;
    memset(s->rank, 0xff, s->d->block_count * sizeof *s->rank);
    s->count = 0;
    s->rank[entry] = 0; // is on the stack
    s->stack[depth][0] = entry;
    s->stack[depth++][1] = 0;
    while (depth) {
        const uint32_t b = s->stack[depth - 1][0];
        const struct dcfg_block *block = &s->d->blocks[b];
        if (s->stack[depth - 1][1] == block->edges) {
            s->order[s->count] = b;
            s->rank[b] = (uint32_t)s->count++;
            depth--;
            continue;
        }
        const struct dcfg_edge *e = &s->d->edges[block->edge + s->stack[depth - 1][1]++];
        if (!stays(s, e, entry) || s->rank[e->to] != DCFG_NONE) continue;
        s->rank[e->to] = 0;
        s->stack[depth][0] = e->to;
        s->stack[depth++][1] = 0;
    }
}

static uint32_t meet(const struct search *s, uint32_t a, uint32_t b) { // ranks: a dominator's is greater
    while (a != b) {
        while (a < b)
            a = s->above[a];
        while (b < a)
            b = s->above[b];
    }
    return a;
}

static void dominate(struct search *s, uint32_t entry) {
    const uint32_t top = (uint32_t)s->count - 1; // the entry's rank
    for (uint32_t r = 0; r < top; r++)
        s->above[r] = DCFG_NONE;
    s->above[top] = top;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = top; r-- > 0;) {
            uint32_t above = DCFG_NONE;
            const uint32_t b = s->order[r];
            for (uint32_t i = s->before_at[b]; i < s->before_at[b + 1]; i++) {
                const struct dcfg_edge *e = &s->d->edges[s->before[i]];
                const uint32_t from = s->rank[e->from];
                if (from == DCFG_NONE || s->above[from] == DCFG_NONE || !stays(s, e, entry)) continue;
                above = above == DCFG_NONE ? from : meet(s, above, from);
            }
            changed |= s->above[r] != above;
            s->above[r] = above;
        }
    }
}

static bool dominates(const struct search *s, uint32_t a, uint32_t b) { // ranks; or the same
    while (b < a)
        b = s->above[b];
    return a == b;
}

// The body of the loop whose header this is, into s->body; its size, 0: it is none. Edges that go back to it and make
// no loop are added to *irreducible.
static size_t find_body(struct search *s, uint32_t entry, uint32_t header, uint64_t *irreducible) {
    size_t count = 0;
    const uint32_t rank = s->rank[header];
    for (uint32_t i = s->before_at[header]; i < s->before_at[header + 1]; i++) {
        const struct dcfg_edge *e = &s->d->edges[s->before[i]];
        const uint32_t from = s->rank[e->from];
        if (from == DCFG_NONE || from > rank || !stays(s, e, entry)) continue;
        if (!dominates(s, rank, from)) {
            ++*irreducible;
            continue;
        }
        if (count == 0) s->body[count++] = header;
        if (e->from != header && !s->inside[e->from]) s->body[count++] = e->from;
        s->inside[header] = s->inside[e->from] = true;
    }
    for (size_t k = 1; k < count; k++) {
        const uint32_t b = s->body[k];
        for (uint32_t i = s->before_at[b]; i < s->before_at[b + 1]; i++) {
            const struct dcfg_edge *e = &s->d->edges[s->before[i]];
            if (s->rank[e->from] == DCFG_NONE || s->inside[e->from] || !stays(s, e, entry)) continue;
            s->inside[e->from] = true;
            s->body[count++] = e->from;
        }
    }
    return count;
}

// Loops of one routine, those around others first: a header's rank is greater than those of what it dominates.
static bool find_loops(struct search *s, uint32_t routine) {
    struct dcfg *d = s->d;
    const uint32_t entry = d->routines[routine].entry;
    for (size_t r = s->count; r-- > 0;) {
        const uint32_t header = s->order[r];
        const size_t count = find_body(s, entry, header, &d->routines[routine].irreducible);
        for (size_t k = 0; k < count; k++)
            s->inside[s->body[k]] = false;
        if (count == 0 || d->blocks[header].routine != routine) continue; // another routine's has it
        if (!array_reserve(&d->loops, &s->loop_capacity, d->loop_count, sizeof *d->loops)) return false;
        struct dcfg_loop loop = {
            .header = header, .parent = d->blocks[header].loop, .routine = routine, .blocks = count};
        loop.depth = loop.parent == DCFG_NONE ? 1 : d->loops[loop.parent].depth + 1;
        loop.iterations = loop.entries = d->blocks[header].executions;
        for (size_t k = 0; k < count; k++) {
            struct dcfg_block *b = &d->blocks[s->body[k]];
            if (b->routine == routine) b->loop = (uint32_t)d->loop_count;
            for (uint32_t i = b->edge; i < b->edge + b->edges; i++)
                if (d->edges[i].to == header && stays(s, &d->edges[i], entry)) loop.entries -= d->edges[i].times;
        }
        d->loops[d->loop_count++] = loop;
    }
    return true;
}

static bool find_routine(struct search *s, uint32_t routine) {
    struct dcfg *d = s->d;
    walk(s, d->routines[routine].entry);
    dominate(s, d->routines[routine].entry);
    for (size_t r = 0; r < s->count; r++) {
        struct dcfg_block *b = &d->blocks[s->order[r]];
        if (b->routine != DCFG_NONE) continue;
        b->routine = routine;
        if (r + 1 < s->count) b->dominator = s->order[s->above[r]];
    }
    return find_loops(s, routine);
}

static void find_entries(struct search *s, const uint64_t *entries, size_t count) {
    struct dcfg *d = s->d;
    bool *const reached = s->inside;
    for (size_t i = 0; i < d->edge_count; i++) {
        if (d->edges[i].kind != DCFG_COMES_BACK) reached[d->edges[i].to] = true;
        if (d->edges[i].kind == DCFG_CALLS) s->entry[d->edges[i].to] = true;
    }
    for (size_t b = 0; b < d->block_count; b++)
        if (!reached[b]) s->entry[b] = true;
    for (size_t i = 0; i < count; i++) {
        const uint32_t b = dcfg_block_at(d, entries[i]);
        if (b != DCFG_NONE) s->entry[b] = true;
    }
    memset(reached, 0, d->block_count * sizeof *reached);
}

static void find_before(struct search *s) {
    const struct dcfg *d = s->d;
    for (size_t i = 0; i < d->edge_count; i++)
        s->before_at[d->edges[i].to + 1]++;
    for (size_t b = 0; b < d->block_count; b++)
        s->before_at[b + 1] += s->before_at[b];
    uint32_t *const next = s->body; // for now
    memcpy(next, s->before_at, d->block_count * sizeof *next);
    for (size_t i = 0; i < d->edge_count; i++)
        s->before[next[d->edges[i].to]++] = (uint32_t)i;
}

bool dcfg_nest(struct dcfg *d, const uint64_t *entries, size_t entry_count) {
    const size_t n = d->block_count + 1;
    struct search s = {.d = d,
                       .entry = calloc(n, sizeof *s.entry),
                       .order = calloc(n, sizeof *s.order),
                       .rank = calloc(n, sizeof *s.rank),
                       .above = calloc(n, sizeof *s.above),
                       .stack = calloc(n, sizeof *s.stack),
                       .before = calloc(d->edge_count + 1, sizeof *s.before),
                       .before_at = calloc(n + 1, sizeof *s.before_at),
                       .inside = calloc(n, sizeof *s.inside),
                       .body = calloc(n, sizeof *s.body)};
    d->routines = calloc(n, sizeof *d->routines);
    bool good = s.entry && s.order && s.rank && s.above && s.stack && s.before && s.before_at && s.inside && s.body &&
                d->routines;
    if (good) {
        find_entries(&s, entries, entry_count);
        find_before(&s);
        for (uint32_t b = 0; b < d->block_count; b++)
            if (s.entry[b]) d->routines[d->routine_count++].entry = b;
    }
    for (uint32_t r = 0; good && r < d->routine_count; r++)
        good = find_routine(&s, r);
    void *const all[] = {s.entry, s.order, s.rank, s.above, s.stack, s.before, s.before_at, s.inside, s.body};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return good;
}
