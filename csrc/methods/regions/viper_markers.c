// Barriers and loops of tasks, by symbols, debug information and the flow of control: viper_markers.h.
#include "methods/regions/viper_markers.h"
#include "analysis/flow.h"
#include "isa/control.h"
#include <stdlib.h>
#include <string.h>

enum { INLINED = 32 }; // functions around an instruction that are looked at

// Whose end is a barrier: all that they begin with.
static const char *const barriers[] = {"tipoff_barrier_wait", "sync_barrier",  "GOMP_barrier",
                                       "GOMP_parallel",       "GOMP_loop_end", "GOMP_sections_end",
                                       "pthread_barrier_wait"};

static bool is_barrier(const char *name) {
    for (size_t i = 0; name && i < sizeof barriers / sizeof *barriers; i++) {
        const size_t length = strlen(barriers[i]);
        if (strncmp(name, barriers[i], length) == 0 && strcmp(name + length, "_nowait") != 0) return true;
    }
    return false;
}

static bool in_barrier(const struct program *p, uint64_t pc) {
    struct program_inline around[INLINED];
    const struct program_function *f = program_function_at(p, pc);
    if (f && is_barrier(f->symbol)) return true;
    size_t count = program_inlines(p, pc, around, INLINED);
    if (count > INLINED) count = INLINED;
    for (size_t i = 0; i < count; i++)
        if (is_barrier(around[i].function)) return true;
    return false;
}

struct search {
    struct markers *markers;
    const struct program *program;
    const struct own_code *code;
    const struct program_instruction *all;
    const struct program_function *functions;
    size_t count;
    struct error *err;
};

// Where the call goes that this is; 0: it is none, or nobody knows.
static uint64_t callee(const struct program_instruction *i) {
    uint64_t target;
    const bool is = control_kind_of(i->insn) == CONTROL_CALL && control_target(i->pc, i->insn, &target);
    return is ? target : 0;
}

// Whether control that leaves this block comes from a barrier.
static bool leaves_barrier(const struct search *s, const struct flow_block *b) {
    const struct program_instruction *const last = &s->all[b->first + b->count - 1];
    const uint64_t target = callee(last);
    const struct program_function *const f = target ? program_function_at(s->program, target) : NULL;
    return (f && is_barrier(f->symbol)) || in_barrier(s->program, last->pc);
}

static bool add_barrier(const struct search *s, size_t function, uint64_t pc) {
    if (!own_code_has(s->code, pc) || in_barrier(s->program, pc)) return true;
    return markers_add(s->markers, pc, MARKER_BARRIER, s->functions[function].entry, 0, s->err);
}

static bool add_barriers(const struct search *s, size_t function) {
    const struct program_function *const f = &s->functions[function];
    size_t count;
    bool good = !strstr(f->symbol, "._omp_fn.") || add_barrier(s, function, f->entry);
    struct flow *const flow = flow_create(s->program, function, NULL, 0);
    if (!flow) {
        error_nomem(s->err, "barriers of a program");
        return false;
    }
    const struct flow_block *const block = flow_blocks(flow, &count);
    for (size_t i = 0; good && i < count; i++) {
        if (!block[i].count || !leaves_barrier(s, &block[i])) continue;
        for (size_t k = 0; good && k < block[i].next_count; k++)
            good = add_barrier(s, function, s->all[block[block[i].next[k]].first].pc);
    }
    flow_destroy(flow);
    return good;
}

// ---- loops of tasks ----
static bool has_loops(struct markers *m, uint64_t function) {
    bool has = false;
    for (size_t i = 0; i < m->count; i++) {
        if (m->at[i].function != function || m->at[i].depth == 0) continue;
        if (m->at[i].depth == 1 && m->at[i].kind == MARKER_LOOP) m->at[i].kind = MARKER_TASK_LOOP;
        has = true;
    }
    return has;
}

// `list` has room for all functions; `listed`: which are in it.
static void list_callees(const struct search *s, size_t function, bool *listed, size_t *list, size_t *end) {
    const struct program_function *const f = &s->functions[function];
    for (size_t i = f->first; i < f->first + f->count; i++) {
        uint64_t target = callee(&s->all[i]);
        // The last call of a function may be a jump.
        if (!target && control_kind_of(s->all[i].insn) == CONTROL_JUMP)
            control_target(s->all[i].pc, s->all[i].insn, &target);
        const size_t at = target ? program_find(s->program, target) : PROGRAM_NONE;
        const size_t to = at == PROGRAM_NONE ? PROGRAM_NONE : s->all[at].function;
        if (to == PROGRAM_NONE || listed[to]) continue;
        listed[to] = true;
        list[(*end)++] = to;
    }
}

static bool begins_region(const struct search *s, size_t function, bool openmp) {
    const char *const name = s->functions[function].symbol;
    if (openmp) return strstr(name, "._omp_fn.");
    return strcmp(name, "main") == 0 || strcmp(name, "tipoff_hart_main") == 0;
}

// From the regions' functions on, through those without loops.
static bool find_task_loops(const struct search *s) {
    bool *const listed = calloc(s->count + 1, sizeof *listed), openmp = false;
    size_t *const list = calloc(s->count + 1, sizeof *list), end = 0;
    for (size_t i = 0; i < s->count; i++)
        openmp = openmp || strstr(s->functions[i].symbol, "._omp_fn.");
    for (size_t i = 0; listed && list && i < s->count; i++)
        if (begins_region(s, i, openmp)) {
            listed[i] = true;
            list[end++] = i;
        }
    for (size_t i = 0; i < end; i++)
        if (!has_loops(s->markers, s->functions[list[i]].entry)) list_callees(s, list[i], listed, list, &end);
    const bool good = listed && list;
    if (!good) error_nomem(s->err, "loops of a program");
    free(listed);
    free(list);
    return good;
}

bool viper_classify(struct markers *m, const struct program *p, const struct own_code *code, struct error *err) {
    size_t unused;
    struct search s = {.markers = m, .program = p, .code = code, .err = err};
    s.all = program_instructions(p, &unused);
    s.functions = program_functions(p, &s.count);
    bool good = find_task_loops(&s);
    for (size_t i = 0; good && i < s.count; i++)
        good = add_barriers(&s, i);
    markers_sort(m);
    return good;
}
