// Edges by the instruction that they lead to.
#include "methods/profileme/path_graph.h"
#include "base/array.h"
#include "base/bisect.h"
#include "isa/control.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct path_graph {
    const struct program_instruction *list;
    size_t count;
    struct path_edge *edges; // by to
    size_t edge_count, edge_capacity;
    size_t *first;  // of each instruction, in edges; one more at the end
    uint32_t *lead; // of each instruction
    uint8_t *kind;  // enum control_kind
};

// ---- code ----
static bool follows(const struct path_graph *g, size_t i) { // i - 1 lies right before it
    const uint32_t size = (g->list[i - 1].insn & 3) == 3 ? 4 : 2;
    return g->list[i].pc == g->list[i - 1].pc + size;
}

// Control can go on after it as after any instruction.
static bool falls(enum control_kind kind) {
    return kind == CONTROL_NONE || kind == CONTROL_BRANCH || kind == CONTROL_TRAPS;
}

static bool pc_before(const void *entry, const void *pc) {
    const struct program_instruction *code = entry;
    return code->pc < *(const uint64_t *)pc;
}
static uint32_t find(const struct path_graph *g, uint64_t pc) {
    const size_t i = bisect(g->list, g->count, sizeof *g->list, pc_before, &pc);
    return i < g->count && g->list[i].pc == pc ? (uint32_t)i : UINT32_MAX;
}

static uint32_t direct_target(const struct path_graph *g, size_t i) {
    uint64_t target;
    return control_target(g->list[i].pc, g->list[i].insn, &target) ? find(g, target) : UINT32_MAX;
}

static bool behind_call(const struct path_graph *g, uint32_t to) {
    return to > 0 && follows(g, to) && g->kind[to - 1] == CONTROL_CALL;
}

enum path_kind path_graph_kind(const struct path_graph *g, uint32_t from, uint32_t to) {
    switch ((enum control_kind)g->kind[from]) {
    case CONTROL_BRANCH: return PATH_BRANCH;
    case CONTROL_CALL: return PATH_CALL;
    case CONTROL_RETURN: return behind_call(g, to) ? PATH_RETURN : PATH_JUMP;
    case CONTROL_JUMP: return PATH_JUMP;
    default: return PATH_FALL;
    }
}

// ---- edges ----
static bool add(struct path_graph *g, uint32_t from, uint32_t to, bool taken) {
    if (!array_reserve(&g->edges, &g->edge_capacity, g->edge_count, sizeof *g->edges)) return false;
    g->edges[g->edge_count++] =
        (struct path_edge){.from = from, .to = to, .kind = path_graph_kind(g, from, to), .taken = taken};
    return true;
}

static bool add_direct(struct path_graph *g) {
    bool good = true;
    for (uint32_t i = 0; good && i < g->count; i++) {
        const uint32_t to = direct_target(g, i);
        if (to != UINT32_MAX) good = add(g, i, to, true);
        if (good && i + 1 < g->count && follows(g, i + 1) && falls(g->kind[i])) good = add(g, i, i + 1, false);
    }
    return good;
}

static bool add_seen(struct path_graph *g, const struct path_transfer *seen, size_t count) {
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        if (control_is_indirect(g->list[seen[i].from].insn)) good = add(g, seen[i].from, seen[i].to, true);
    return good;
}

// ---- returns: by the functions that end with them ----
struct returns {
    const struct path_graph *g;
    uint32_t functions;
    size_t *first; // of each function: its links, and one more at the end
    uint32_t *links;
    size_t *own;      // of each function: its returns, likewise
    uint32_t *number; // of those instructions
    uint32_t *mark, *waiting;
};

// Between functions without a call: what ends there is done for the first one.
static bool goes_over(const struct path_graph *g, const struct path_edge *e) {
    return e->kind != PATH_CALL && e->kind != PATH_RETURN && g->list[e->from].function != g->list[e->to].function;
}

static bool returns_create(struct returns *r, const struct path_graph *g) {
    *r = (struct returns){.g = g};
    for (size_t i = 0; i < g->count; i++)
        if (g->list[i].function >= r->functions) r->functions = g->list[i].function + 1;
    r->first = calloc((size_t)r->functions + 2, sizeof *r->first);
    r->own = calloc((size_t)r->functions + 2, sizeof *r->own);
    r->links = calloc(g->edge_count + 1, sizeof *r->links);
    r->number = calloc(g->count + 1, sizeof *r->number);
    r->mark = calloc((size_t)r->functions + 1, sizeof *r->mark);
    r->waiting = calloc((size_t)r->functions + 1, sizeof *r->waiting);
    if (!r->first || !r->own || !r->links || !r->number || !r->mark || !r->waiting) return false;
    for (size_t i = 0; i < g->edge_count; i++) // counted two places on, put one place on: they end where they belong
        r->first[g->list[g->edges[i].from].function + 2] += goes_over(g, &g->edges[i]);
    for (size_t i = 0; i < g->count; i++)
        r->own[g->list[i].function + 2] += g->kind[i] == CONTROL_RETURN;
    for (size_t f = 2; f <= (size_t)r->functions + 1; f++) {
        r->first[f] += r->first[f - 1];
        r->own[f] += r->own[f - 1];
    }
    for (size_t i = 0; i < g->edge_count; i++)
        if (goes_over(g, &g->edges[i]))
            r->links[r->first[g->list[g->edges[i].from].function + 1]++] = g->list[g->edges[i].to].function;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->kind[i] == CONTROL_RETURN) r->number[r->own[g->list[i].function + 1]++] = i;
    return true;
}

static void returns_free(struct returns *r) {
    free(r->first);
    free(r->own);
    free(r->links);
    free(r->number);
    free(r->mark);
    free(r->waiting);
}

// Every return of the function, and of those that go on in its place, goes to after the call. call_number: not 0, of
// this call.
static bool return_behind(struct returns *r, struct path_graph *g, uint32_t function, uint32_t to,
                          uint32_t call_number) {
    uint32_t count = 0;
    bool good = true;
    r->waiting[count++] = function;
    r->mark[function] = call_number;
    while (good && count) {
        const uint32_t f = r->waiting[--count];
        for (size_t i = r->own[f]; good && i < r->own[f + 1]; i++)
            good = add(g, r->number[i], to, true);
        for (size_t i = r->first[f]; i < r->first[f + 1]; i++) {
            if (r->mark[r->links[i]] == call_number) continue;
            r->mark[r->links[i]] = call_number;
            r->waiting[count++] = r->links[i];
        }
    }
    return good;
}

static bool add_returns(struct path_graph *g) {
    struct returns r;
    bool good = returns_create(&r, g);
    const size_t before = g->edge_count;
    uint32_t calls = 0;
    for (size_t i = 0; good && i < before; i++) {
        const struct path_edge e = g->edges[i];
        if (e.kind != PATH_CALL || e.from + 1 >= g->count || !follows(g, e.from + 1)) continue;
        good = return_behind(&r, g, g->list[e.to].function, e.from + 1, ++calls);
    }
    returns_free(&r);
    return good;
}

// ---- the whole ----
static int by_place(const void *x, const void *y) {
    const struct path_edge *a = x, *b = y;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (int)a->taken - (int)b->taken;
}

// Sorted, each once.
static void put_in_order(struct path_graph *g) {
    size_t used = 0;
    if (g->edge_count) qsort(g->edges, g->edge_count, sizeof *g->edges, by_place);
    for (size_t i = 0; i < g->edge_count; i++)
        if (!used || by_place(&g->edges[used - 1], &g->edges[i]) != 0) g->edges[used++] = g->edges[i];
    g->edge_count = used;
    for (size_t i = 0, e = 0; i <= g->count; i++) {
        g->first[i] = e;
        while (e < used && g->edges[e].to == i)
            e++;
    }
}

// Whether control comes to it from the instruction before it in memory, of the same function, and from nowhere else.
static bool is_led(const struct path_graph *g, uint32_t i) {
    if (i == 0 || g->first[i + 1] - g->first[i] != 1) return false;
    const struct path_edge *e = &g->edges[g->first[i]];
    return e->kind == PATH_FALL && g->list[e->from].function == g->list[i].function;
}

struct path_graph *path_graph_create(const struct program_instruction *list, size_t count,
                                     const struct path_transfer *seen, size_t seen_count) {
    struct path_graph *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->list = list;
    g->count = count;
    g->first = calloc(count + 2, sizeof *g->first);
    g->lead = calloc(count + 1, sizeof *g->lead);
    g->kind = calloc(count + 1, sizeof *g->kind);
    bool good = g->first && g->lead && g->kind;
    for (size_t i = 0; good && i < count; i++)
        g->kind[i] = (uint8_t)control_kind_of(list[i].insn);
    good = good && add_direct(g) && add_seen(g, seen, seen_count) && add_returns(g);
    if (!good) {
        path_graph_destroy(g);
        return NULL;
    }
    put_in_order(g);
    for (uint32_t i = 0; i < count; i++)
        g->lead[i] = is_led(g, i) ? g->lead[i - 1] : i;
    return g;
}

void path_graph_destroy(struct path_graph *g) {
    if (!g) return;
    free(g->edges);
    free(g->first);
    free(g->lead);
    free(g->kind);
    free(g);
}

static int by_count(const void *x, const void *y) {
    const struct path_edge *a = x, *b = y;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return by_place(x, y);
}

void path_graph_count(struct path_graph *g, path_count *count, void *context) {
    for (size_t i = 0; i < g->edge_count; i++) {
        struct path_edge *e = &g->edges[i];
        e->count = count(context, e->from, e->to, !e->taken);
    }
    if (g->edge_count) qsort(g->edges, g->edge_count, sizeof *g->edges, by_count);
    for (size_t i = 0; i < g->count; i++) {
        double all = 0;
        for (size_t e = g->first[i]; e < g->first[i + 1]; e++)
            all += (double)g->edges[e].count;
        for (size_t e = g->first[i]; e < g->first[i + 1]; e++)
            g->edges[e].weight = g->edges[e].count ? log((double)g->edges[e].count / all) : -INFINITY;
    }
}

uint32_t path_graph_lead(const struct path_graph *g, uint32_t instruction) {
    return g->lead[instruction];
}

uint32_t path_graph_length(const struct path_graph *g, uint32_t lead) {
    uint32_t end = lead + 1;
    while (end < g->count && g->lead[end] == lead)
        end++;
    return end - lead;
}

const struct path_edge *path_graph_into(const struct path_graph *g, uint32_t lead, size_t *count) {
    *count = g->first[lead + 1] - g->first[lead];
    return g->edges + g->first[lead];
}

uint32_t path_graph_function(const struct path_graph *g, uint32_t instruction) {
    return g->list[instruction].function;
}

bool path_graph_enters(const struct path_graph *g, uint32_t from, uint32_t to) {
    const enum path_kind kind = path_graph_kind(g, from, to);
    return kind == PATH_CALL || (kind != PATH_RETURN && g->list[from].function != g->list[to].function);
}

size_t path_graph_size(const struct path_graph *g) {
    return g->count;
}
