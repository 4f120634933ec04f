// The control-flow graph of a run of the simulator: where each of its blocks ended, by the program's instructions:
// dcfg.h.
#include "base/array.h"
#include "isa/control.h"
#include "methods/regions/dcfg.h"
#include <stdlib.h>

enum { PAGE = 4096, LONGEST = 4096 }; // LONGEST: instructions of a block that are looked at

struct reading {
    const struct iss *iss;
    const struct program_instruction *all;
    const struct program *program;
    size_t count;
    struct dcfg_transition *list;
    size_t transitions, capacity;
    uint64_t traps;
    bool memory;
};

bool dcfg_watch(struct iss *iss, struct error *err) {
    return iss_watch_flow(iss, err) && iss_flow_watch_edges(iss, err);
}

// Whether this instruction, which is executed last, leads to `to`, and how.
static bool leads(const struct program_instruction *i, uint64_t to, enum dcfg_kind *kind) {
    uint64_t target = 0;
    const bool direct = control_target(i->pc, i->insn, &target);
    switch (control_kind_of(i->insn)) {
    case CONTROL_BRANCH: *kind = to == target ? DCFG_JUMPS : DCFG_FALLS; return to == target || to == i->pc + i->bytes;
    case CONTROL_JUMP: *kind = DCFG_JUMPS; return !direct || to == target;
    case CONTROL_CALL: *kind = DCFG_CALLS; return !direct || to == target;
    case CONTROL_RETURN: *kind = DCFG_RETURNS; return true;
    default: *kind = DCFG_FALLS; return to == i->pc + i->bytes;
    }
}

static bool moves_control(uint32_t insn) {
    const enum control_kind kind = control_kind_of(insn);
    return kind == CONTROL_BRANCH || kind == CONTROL_JUMP || kind == CONTROL_CALL || kind == CONTROL_RETURN;
}

// A block must end after it: with its page, after an instruction across two, and before one.
static bool is_last_of_page(const struct program_instruction *i, const struct program_instruction *next) {
    const uint64_t after = i->pc + i->bytes;
    return after / PAGE != i->pc / PAGE || (next && (after + next->bytes - 1) / PAGE != after / PAGE);
}

static bool is_csr(uint32_t insn) { // its write ends a block
    return (insn & 0x7f) == 0x73;
}

// Where the block that begins at `first` and goes on to `to` ends: with a jump or a branch that leads there; with a
// page; with a write of a CSR; where it is an event, before `to`.
static bool find_end(const struct reading *r, uint64_t first, uint64_t to, bool event, struct dcfg_transition *t) {
    const size_t begin = program_find(r->program, first);
    if (begin == PROGRAM_NONE) return false;
    for (size_t i = begin; i < r->count && i - begin < LONGEST; i++) {
        const struct program_instruction *at = &r->all[i];
        const uint64_t after = at->pc + at->bytes;
        const bool moves = moves_control(at->insn);
        const bool last = is_last_of_page(at, i + 1 < r->count ? at + 1 : NULL);
        if (at->data || (i > begin && at->pc != r->all[i - 1].pc + r->all[i - 1].bytes)) return false;
        *t = (struct dcfg_transition){first, after, to, 0, DCFG_FALLS};
        if (moves) return leads(at, to, &t->kind);
        if (after == to && (event || is_csr(at->insn) || last)) return true;
        if (last) return false;
    }
    return false;
}

static void take(void *context, size_t from, size_t to, bool event, uint64_t times) {
    struct reading *r = context;
    struct dcfg_transition t;
    if (!find_end(r, iss_flow_place(r->iss, from).pc, iss_flow_place(r->iss, to).pc, event, &t)) {
        r->traps += times;
        return;
    }
    t.times = times;
    if (array_reserve(&r->list, &r->capacity, r->transitions, sizeof *r->list))
        r->list[r->transitions++] = t;
    else
        r->memory = false;
}

struct dcfg *dcfg_of_run(const struct iss *iss, const struct program *p, struct error *err) {
    struct reading r = {.iss = iss, .program = p, .memory = true};
    size_t count;
    r.all = program_instructions(p, &r.count);
    const struct program_function *functions = program_functions(p, &count);
    uint64_t *const entries = malloc((count + 1) * sizeof *entries);
    iss_flow_each_edge(iss, take, &r);
    struct dcfg *d = NULL;
    if (entries && r.memory && iss_flow_whole(iss)) {
        for (size_t i = 0; i < count; i++)
            entries[i] = functions[i].entry;
        d = dcfg_create(r.list, r.transitions, entries, count);
    }
    if (d)
        d->traps = r.traps;
    else
        error_nomem(err, "control-flow graph");
    free(entries);
    free(r.list);
    return d;
}
