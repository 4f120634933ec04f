// Executed jumps: how often control went from one instruction to another that does not follow it in memory. Together
// with where it began and ended they give the executions of every instruction (those up to it that were arrived at,
// less those before it that were left) and of every edge between basic blocks (report/executed.h). Adds to the
// statistics:
//   edges  [{from_mode, from_space, to_mode, to_space, taken: ["FROM TO COUNT", ...]}, ...], addresses in hex; FROM
//   "-":
//          control began at TO (reset, the first instruction of a handler), TO "-": it ended behind FROM (the return of
//          a handler, the end of the run)
//
// A trap does not change the flow of what it interrupts: the instruction that comes next when the handler has returned
// there follows the one before the trap. So the place where a trap was taken is kept until a trap return goes there. An
// ecall counts as executed, and control goes on behind it; any other exception is that its instruction was not
// executed.
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { INSN_MRET = 0x30200073, INSN_SRET = 0x10200073, INSN_ECALL = 0x73, ECALL_U = 8, ECALL_M = 11 };

struct edge {
    struct place from, to; // PLACE_END's address: nowhere
    uint64_t count;
    bool used; // a slot of the table that is not free
};
struct left { // where a trap was taken
    struct place before, next;
    bool counted; // as an edge from one to the other: else one follows the other
};

struct edges {
    struct edge *table;
    size_t used, size; // size: a power of two
    struct left *traps;
    size_t trap_count, trap_capacity;
    bool going;        // an instruction has been executed, and no trap since then
    struct place last; // it
    uint64_t next;     // address behind it
    uint32_t insn;     // the instruction
    bool ended;        // nothing counts any more
};

static bool is_nowhere(struct place p) {
    return p.pc == PROFILE_PC_END;
}

static size_t slot_of(const struct edges *e, struct place from, struct place to) {
    uint64_t h = from.pc * UINT64_C(0x9e3779b97f4a7c15) ^ to.pc * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                 (from.context * 31 + to.context) * UINT64_C(0x165667b19e3779f9);
    size_t i = (h ^ h >> 29) & (e->size - 1);
    while (e->table[i].used && !(place_equal(e->table[i].from, from) && place_equal(e->table[i].to, to)))
        i = (i + 1) & (e->size - 1);
    return i;
}

WORKER_RARE static bool grow(struct edges *e) {
    struct edges old = *e;
    e->size = 2 * old.size;
    e->table = calloc(e->size, sizeof *e->table);
    if (!e->table) {
        *e = old;
        return false;
    }
    for (size_t i = 0; i < old.size; i++) {
        if (old.table[i].used) e->table[slot_of(e, old.table[i].from, old.table[i].to)] = old.table[i];
    }
    free(old.table);
    return true;
}

static bool add(struct edges *e, struct place from, struct place to) {
    if (2 * e->used >= e->size && !grow(e)) return false;
    struct edge *edge = &e->table[slot_of(e, from, to)];
    if (!edge->used) {
        *edge = (struct edge){from, to, 0, true};
        e->used++;
    }
    edge->count++;
    return true;
}

static inline bool follows(const struct edges *e, uint64_t pc, uint64_t context) {
    return pc == e->next && context == e->last.context && e->going;
}

static inline void executed(struct edges *e, uint64_t pc, uint32_t insn) {
    e->last.pc = pc;
    e->next = pc + ((insn & 3) == 3 ? 4 : 2);
    e->insn = insn;
}

// The last trap that was taken there.
static struct left *find_trap(struct edges *e, struct place next) {
    for (size_t i = e->trap_count; i-- > 0;) {
        if (place_equal(e->traps[i].next, next)) return &e->traps[i];
    }
    return NULL;
}

// Control comes to `to`. What it comes from, in the flow that goes on there, goes to *l.
static bool arrive(struct edges *e, struct place to, struct left *l) {
    *l = (struct left){e->going ? e->last : PLACE_END, to, false};
    if (follows(e, to.pc, to.context)) return true;
    const bool returns = e->going && (e->insn == INSN_MRET || e->insn == INSN_SRET);
    struct left *trap = returns ? find_trap(e, to) : NULL;
    if (trap) {
        *l = *trap;
        *trap = e->traps[--e->trap_count];
        return add(e, e->last, PLACE_END);
    }
    l->counted = true;
    return add(e, l->before, to);
}

// It does not follow the last one.
static bool jumped(struct edges *e, struct place place, uint32_t insn) {
    struct left l;
    if (!arrive(e, place, &l)) return false;
    e->last.context = place.context;
    e->going = true;
    executed(e, place.pc, insn);
    return true;
}

WORKER_RARE static bool take_trap(struct edges *e, const struct trapped *trap, uint64_t context) {
    struct place place = {trap->epc, context};
    struct left l;
    if (!trap->interrupt && trap->cause >= ECALL_U && trap->cause <= ECALL_M) {
        if (follows(e, place.pc, context)) {
            executed(e, place.pc, INSN_ECALL);
        } else if (!jumped(e, place, INSN_ECALL)) {
            return false;
        }
        place.pc += 4;
    }
    if (!e->going) return true; // in front of the first instruction of a handler
    if (!arrive(e, place, &l)) return false;
    if (e->trap_count == e->trap_capacity) {
        size_t capacity = e->trap_capacity ? 2 * e->trap_capacity : 16;
        struct left *traps = realloc(e->traps, capacity * sizeof *traps);
        if (!traps) return false;
        e->traps = traps;
        e->trap_capacity = capacity;
    }
    e->traps[e->trap_count++] = l;
    e->going = false;
    return true;
}

WORKER_RARE static int no_memory(struct error *err) {
    error_set(err, "edges: out of memory: free some and run again");
    return -ENOMEM;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct edges *e = state;
    const struct trace_left *left = v->left;
    if (e->ended) return 0;
    const uint64_t context = place_context(v->privilege, v->bundle->space);
    for (unsigned k = 0; k < left->count; k++) {
        const struct retired *r = &left->retired[k];
        if (follows(e, r->pc, context)) {
            executed(e, r->pc, r->insn);
        } else if (!jumped(e, (struct place){r->pc, context}, r->insn)) {
            return no_memory(err);
        }
    }
    if (left->trap.valid && !take_trap(e, &left->trap, context)) return no_memory(err);
    return 0;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    struct edges *e = state;
    (void)cycle;
    (void)err;
    for (size_t i = 0; i < e->size; i++)
        e->table[i].used = false;
    e->used = e->trap_count = 0;
    e->going = false;
    return 0;
}

// What a trap interrupted, and nobody went back to, ended with the instruction before it.
static int finish(void *state, uint64_t cycles, struct error *err) {
    struct edges *e = state;
    (void)cycles;
    bool good = !e->going || add(e, e->last, PLACE_END);
    for (size_t i = 0; good && i < e->trap_count; i++) {
        const struct left *l = &e->traps[i];
        if (l->counted) e->table[slot_of(e, l->before, l->next)].count--;
        good = is_nowhere(l->before) || add(e, l->before, PLACE_END);
    }
    e->going = false;
    e->trap_count = 0;
    return good ? 0 : no_memory(err);
}

static int end(void *state, uint64_t cycle, struct error *err) {
    int result = finish(state, cycle, err);
    ((struct edges *)state)->ended = true;
    return result;
}

static uint64_t context_from(const struct edge *e) {
    return is_nowhere(e->from) ? e->to.context : e->from.context;
}
static uint64_t context_to(const struct edge *e) {
    return is_nowhere(e->to) ? e->from.context : e->to.context;
}

static int by_context(const void *x, const void *y) {
    const struct edge *a = x, *b = y;
    const uint64_t keys[4][2] = {{context_from(a), context_from(b)},
                                 {context_to(a), context_to(b)},
                                 {a->from.pc, b->from.pc},
                                 {a->to.pc, b->to.pc}};
    for (int i = 0; i < 4; i++) {
        if (keys[i][0] != keys[i][1]) return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

static void address_text(struct place p, char text[24]) {
    if (is_nowhere(p)) {
        snprintf(text, 24, "-");
    } else {
        snprintf(text, 24, "%" PRIx64, p.pc);
    }
}

static void add_statistics(void *state, cJSON *statistics) {
    const struct edges *e = state;
    struct edge *list = malloc((e->used + 1) * sizeof *list);
    size_t count = 0;
    cJSON *groups = list ? cJSON_AddArrayToObject(statistics, "edges") : NULL, *taken = NULL;
    for (size_t i = 0; list && i < e->size; i++) {
        if (e->table[i].used && e->table[i].count) list[count++] = e->table[i];
    }
    if (count) qsort(list, count, sizeof *list, by_context);
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = context_from(&list[i]), to = context_to(&list[i]);
        char text[80], address[2][24];
        if (i == 0 || from != context_from(&list[i - 1]) || to != context_to(&list[i - 1])) {
            cJSON *group = cJSON_CreateObject();
            cJSON_AddNumberToObject(group, "from_mode", place_mode(from));
            cJSON_AddNumberToObject(group, "from_space", (double)place_space(from));
            cJSON_AddNumberToObject(group, "to_mode", place_mode(to));
            cJSON_AddNumberToObject(group, "to_space", (double)place_space(to));
            taken = cJSON_AddArrayToObject(group, "taken");
            cJSON_AddItemToArray(groups, group);
        }
        address_text(list[i].from, address[0]);
        address_text(list[i].to, address[1]);
        snprintf(text, sizeof text, "%s %s %" PRIu64, address[0], address[1], list[i].count);
        cJSON_AddItemToArray(taken, cJSON_CreateString(text));
    }
    free(list);
}

static void destroy(void *state) {
    struct edges *e = state;
    free(e->table);
    free(e->traps);
    free(e);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    enum { SIZE = 4096 };
    (void)run;
    (void)values;
    struct edges *e = calloc(1, sizeof *e);
    if (e && (e->table = calloc(SIZE, sizeof *e->table))) {
        e->size = SIZE;
        return e;
    }
    free(e);
    no_memory(err);
    return NULL;
}

const struct worker_ops worker_edges = {.name = "edges",
                                        .text = "execution counts of jumps, and from them those of instructions, "
                                                "edges between basic blocks, and loops",
                                        .needs = DPI_BUNDLE | DPI_RETIRE,
                                        .standard = WORKER_WITH_LOCKSTEP,
                                        .leaving_only = true,
                                        .create = create,
                                        .cycle = cycle,
                                        .begin = begin,
                                        .end = end,
                                        .finish = finish,
                                        .add_statistics = add_statistics,
                                        .destroy = destroy};
