// All paths of a thread: its code is executed with each outcome of each SC. Most tests go no other way and to no other
// address for what their loads return: then that need not be known. Else each value that each load may have is tried.
// Which values those are follows from what all threads write, which follows from those values: both grow until nothing
// is new. In an execution a value passes each write once at most on its way, so more rounds than there are writes find
// nothing that can be.
#include "base/array.h"
#include "litmus/domains.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 1 << 18, MOST_SHAPES = 4096, CHOICES = 2 * LITMUS_CODE };

struct finder {
    const struct litmus_test *t;
    const char *path;
    struct error *err;
    unsigned thread;
    struct domains *domains;
    unsigned choice[CHOICES], options[CHOICES], depth, used;
    bool failed;
    bool values, wanted; // values: loads have some; wanted: a branch or an address depends on them
    // of the run
    struct shape shape;
    struct tracked x[LITMUS_REGISTERS];
    uint32_t control, addresses;
    int lr; // the event of an LR that an SC may be paired with; -1
};

__attribute__((format(printf, 3, 4))) static void fail(struct finder *f, unsigned line, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!f->failed) error_set(f->err, "%s:%u: %s", f->path, line, text);
    f->failed = true;
}

static unsigned choose(struct finder *f, unsigned options) {
    if (f->used == f->depth) {
        f->choice[f->depth] = 0;
        f->options[f->depth++] = options;
    }
    return f->choice[f->used++];
}

static bool next_choices(struct finder *f) {
    while (f->depth && f->choice[f->depth - 1] + 1 == f->options[f->depth - 1])
        f->depth--;
    if (f->depth) f->choice[f->depth - 1]++;
    return f->depth > 0;
}

// ---- one run ----
static void set(struct finder *f, unsigned rd, uint64_t value, bool known, uint32_t from) {
    if (rd) f->x[rd] = (struct tracked){value, known, from};
}

static bool is_lr(uint8_t op) {
    return op == INSN_LR_W || op == INSN_LR_D;
}

static bool is_sc(uint8_t op) {
    return op == INSN_SC_W || op == INSN_SC_D;
}

// RCsc are those of LR, SC and AMO alone. lr.rl is lr, sc.aq is sc: an LR or SC has a release or acquire of the other
// kind only where it has both (manual, "Memory Model Primitives").
static void annotate(struct event *e, const struct litmus_instruction *insn) {
    const bool both = insn->acquire && insn->release;
    e->acquire = insn->acquire && (!is_sc(insn->op) || both);
    e->release = insn->release && (!is_lr(insn->op) || both);
    e->rcsc = litmus_instructions[insn->op].unit == UNIT_AMO && (e->acquire || e->release);
}

static bool in_order(struct finder *f, const struct event *e, const struct litmus_instruction *insn) {
    uint64_t unused;
    if (e->address % e->bytes)
        fail(f, insn->line, "a misaligned access of thread %u: use an address that is a multiple of %u", f->thread,
             e->bytes);
    else if (!litmus_initial(f->t, e->address, e->bytes, &unused))
        fail(f, insn->line, "thread %u accesses what is no location: give its address register one", f->thread);
    return !f->failed;
}

static void too_many(struct finder *f, const struct litmus_instruction *insn) {
    fail(f, insn->line, "too many values that may be loaded or stored: use fewer accesses");
}

static bool choose_value(struct finder *f, const struct event *e, const struct litmus_instruction *insn,
                         uint64_t *value) {
    unsigned count;
    const uint64_t *const may = domains_of(f->domains, f->t, e->address, e->bytes, &count);
    if (may)
        *value = may[choose(f, count)];
    else
        too_many(f, insn);
    return may != NULL;
}

static void access_memory(struct finder *f, const struct litmus_instruction *insn) {
    const struct insn_info *row = &litmus_instructions[insn->op];
    const bool sc = is_sc(insn->op), lr = is_lr(insn->op), amo = row->unit == UNIT_AMO && !sc && !lr;
    struct shape *s = &f->shape;
    struct event e = {.address = f->x[insn->rs1].value + (uint64_t)(int64_t)insn->imm,
                      .step = s->steps - 1,
                      .bytes = (uint8_t)thread_bytes(insn),
                      .reads = row->unit == UNIT_LOAD || lr || amo,
                      .writes = row->unit == UNIT_STORE || sc || amo,
                      .amo_or_sc = amo || sc,
                      .pair = sc ? f->lr : -1,
                      .address_from = f->x[insn->rs1].from,
                      .control_from = f->control,
                      .addresses_before = f->addresses};
    if (!f->x[insn->rs1].known) f->wanted = true;
    if (f->wanted || !in_order(f, &e, insn)) return;
    if (sc) {
        const bool succeeds = f->lr >= 0 && choose(f, 2);
        f->lr = -1;
        if (!succeeds) {
            set(f, insn->rd, 1, true, 0);
            return;
        }
        s->path[s->steps - 1] |= SHAPE_SC;
    }
    if (s->count == THREAD_EVENTS) {
        fail(f, insn->line, "more than %d memory operations in thread %u: use fewer", THREAD_EVENTS, f->thread);
        return;
    }
    const uint32_t bit = 1u << s->count;
    annotate(&e, insn);
    if (lr) f->lr = (int)s->count;
    const struct tracked data = f->x[insn->rs2];
    uint64_t read = 0;
    if (e.writes) e.data_from = data.from;
    if (e.reads) {
        if (f->values && !choose_value(f, &e, insn, &read)) return;
        set(f, insn->rd, thread_extend(insn, read), f->values, bit);
    }
    if (sc) set(f, insn->rd, 0, true, bit);
    if (e.writes && f->values) {
        const uint64_t value = amo ? thread_amo(insn, read, data.value) : data.value;
        if (!domains_add(f->domains, e.address, e.bytes, thread_low(value, e.bytes))) too_many(f, insn);
    }
    f->addresses |= e.address_from;
    s->events[s->count++] = e;
}

static void fence(struct finder *f, const struct litmus_instruction *insn) {
    struct shape *s = &f->shape;
    if (insn->op == INSN_FENCE_I) return; // orders no data
    s->fences[s->fence_count++] = (struct ordering){
        .before = s->count, .from = insn->imm >> 4 & 3, .to = insn->imm & 3, .tso = (insn->imm >> 8 & 15) == 8};
}

static bool reads_rs2(const struct litmus_instruction *insn) {
    return litmus_instructions[insn->op].format == FORMAT_R;
}

// The number of the next instruction.
static unsigned execute(struct finder *f, unsigned pc) {
    const struct litmus_instruction *insn = &f->t->threads[f->thread].code[pc];
    const struct tracked a = f->x[insn->rs1], b = f->x[insn->rs2];
    switch (litmus_instructions[insn->op].unit) {
    case UNIT_ALU:
        set(f, insn->rd, thread_compute(insn, a.value, b.value), thread_computes(insn, a.known, b.known),
            a.from | (reads_rs2(insn) ? b.from : 0));
        break;
    case UNIT_BRANCH:
        f->control |= a.from | b.from;
        if ((!a.known || !b.known) && insn->imm != (int32_t)pc + 1) f->wanted = true;
        __attribute__((fallthrough));
    case UNIT_JAL: return thread_branches(insn, a.value, b.value) ? (unsigned)insn->imm : pc + 1;
    case UNIT_FENCE: fence(f, insn); break;
    default: access_memory(f, insn);
    }
    return pc + 1;
}

// False: it has failed.
static bool run(struct finder *f) {
    const struct litmus_thread *thread = &f->t->threads[f->thread];
    f->used = 0;
    f->shape.steps = f->shape.count = f->shape.fence_count = 0;
    f->control = f->addresses = 0;
    f->lr = -1;
    for (unsigned i = 0; i < LITMUS_REGISTERS; i++)
        f->x[i] = (struct tracked){litmus_number(&thread->x[i]), true, 0};
    for (unsigned pc = 0; pc < thread->count && !f->failed && !f->wanted;) {
        f->shape.path[f->shape.steps++] = (uint8_t)pc;
        const unsigned next = execute(f, pc);
        if (next <= pc)
            fail(f, thread->code[pc].line, "a branch back: write the loop's turns out, one after the other");
        pc = next;
    }
    return !f->failed && !f->wanted;
}

// ---- all runs ----
static bool same(const struct shape *a, const struct shape *b) {
    if (a->steps != b->steps || a->count != b->count || memcmp(a->path, b->path, a->steps) != 0) return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->events[i].address != b->events[i].address) return false;
    return true; // all else follows from the path
}

static void keep(struct finder *f, struct shapes *shapes) {
    for (size_t i = 0; i < shapes->count; i++)
        if (same(&shapes->list[i], &f->shape)) return;
    if (shapes->count == MOST_SHAPES ||
        !array_reserve(&shapes->list, &shapes->capacity, shapes->count, sizeof f->shape)) {
        fail(f, 1, "thread %u has more than %d paths: use fewer branches and addresses that are loaded", f->thread,
             MOST_SHAPES);
        return;
    }
    shapes->list[shapes->count++] = f->shape;
}

// shapes NULL: only what is written is wanted.
static void run_all(struct finder *f, unsigned thread, struct shapes *shapes) {
    unsigned runs = 0;
    f->thread = thread;
    f->depth = 0;
    do {
        if (++runs > MOST_RUNS)
            fail(f, 1, "thread %u: loads may have too many values in all: use fewer accesses", thread);
        if (!f->failed && run(f) && shapes) keep(f, shapes);
    } while (!f->failed && !f->wanted && next_choices(f));
}

// Rounds after which no new value can be in an execution: one more than there are writes.
static unsigned most_rounds(const struct litmus_test *t) {
    unsigned most = 1;
    for (unsigned i = 0; i < t->thread_count; i++)
        for (unsigned k = 0; k < t->threads[i].count; k++)
            most += litmus_instructions[t->threads[i].code[k].op].unit != UNIT_LOAD;
    return most;
}

static void find_values(struct finder *f) {
    const unsigned most = most_rounds(f->t);
    for (unsigned round = 0; round < most && !f->failed && domains_renew(f->domains); round++)
        for (unsigned i = 0; i < f->t->thread_count && !f->failed; i++)
            run_all(f, i, NULL);
}

static void collect(struct finder *f, struct shapes shapes[LITMUS_THREADS]) {
    for (unsigned i = 0; i < f->t->thread_count && !f->failed && !f->wanted; i++) {
        shapes[i].count = 0;
        run_all(f, i, &shapes[i]);
    }
}

bool shapes_find(const struct litmus_test *t, const char *path, struct shapes shapes[LITMUS_THREADS],
                 struct error *err) {
    struct finder *f = calloc(1, sizeof *f);
    memset(shapes, 0, LITMUS_THREADS * sizeof *shapes);
    if (f) *f = (struct finder){.t = t, .path = path, .err = err, .domains = domains_create()};
    if (!f || !f->domains) {
        free(f);
        error_nomem(err, path);
        return false;
    }
    collect(f, shapes);
    if (f->wanted) {
        f->wanted = false;
        f->values = true;
        find_values(f);
        collect(f, shapes);
    }
    const bool good = !f->failed;
    domains_destroy(f->domains);
    free(f);
    return good;
}

void shapes_free(struct shapes shapes[LITMUS_THREADS]) {
    for (unsigned i = 0; i < LITMUS_THREADS; i++)
        free(shapes[i].list);
}
