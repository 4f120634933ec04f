// A thread's values along a path, as far as its loads' values are known.
#include "litmus/thread.h"

bool litmus_initial(const struct litmus_test *t, uint64_t address, unsigned bytes, uint64_t *value) {
    for (unsigned i = 0; i < t->location_count; i++) {
        const struct litmus_location *l = &t->locations[i];
        const uint64_t offset = address - litmus_address(i);
        if (offset >= litmus_extent(l) || litmus_extent(l) - offset < bytes) continue;
        *value = 0;
        for (unsigned b = 0; b < bytes; b++) {
            const uint64_t element = (offset + b) / l->bytes, byte = (offset + b) % l->bytes;
            if (element >= l->elements) continue;
            *value |= (litmus_number(&t->elements[l->first + element]) >> 8 * byte & 0xff) << 8 * b;
        }
        return true;
    }
    return false;
}

struct walk {
    const struct litmus_thread *thread;
    const struct shape *shape;
    struct values *values;
    struct tracked x[LITMUS_REGISTERS]; // `from` is not used
    unsigned event;
};

static void set(struct walk *w, unsigned rd, uint64_t value, bool known) {
    if (rd) w->x[rd] = (struct tracked){.value = value, .known = known};
}

// False: the event's address is another one.
static bool access_memory(struct walk *w, const struct litmus_instruction *insn, bool sc_succeeds) {
    const uint8_t op = insn->op;
    const bool sc = op == INSN_SC_W || op == INSN_SC_D;
    if (sc && !sc_succeeds) {
        set(w, insn->rd, 1, true);
        return true;
    }
    const unsigned number = w->event++;
    const struct event *e = &w->shape->events[number];
    const struct tracked address = w->x[insn->rs1], data = w->x[insn->rs2];
    struct values *v = w->values;
    const bool read = e->reads && v->read_known >> number & 1;
    if (address.known && address.value + (uint64_t)(int64_t)insn->imm != e->address) return false;
    if (e->writes && data.known && (read || !e->reads)) {
        v->written[number] =
            thread_low(e->reads ? thread_amo(insn, v->read[number], data.value) : data.value, e->bytes);
        v->written_known |= 1u << number;
    }
    if (sc)
        set(w, insn->rd, 0, true);
    else if (e->reads)
        set(w, insn->rd, read ? thread_extend(insn, v->read[number]) : 0, read);
    return true;
}

// False: it branches to where the path does not go.
static bool step(struct walk *w, unsigned i) {
    const struct litmus_instruction *insn = &w->thread->code[w->shape->path[i] & ~SHAPE_SC];
    const struct insn_info *row = &litmus_instructions[insn->op];
    const struct tracked a = w->x[insn->rs1], b = w->x[insn->rs2];
    switch (row->unit) {
    case UNIT_ALU:
        set(w, insn->rd, thread_compute(insn, a.value, b.value), thread_computes(insn, a.known, b.known));
        return true;
    case UNIT_BRANCH: {
        const unsigned next = i + 1 < w->shape->steps ? w->shape->path[i + 1] & ~SHAPE_SC : w->thread->count;
        const unsigned goes =
            thread_branches(insn, a.value, b.value) ? (unsigned)insn->imm : (w->shape->path[i] & ~SHAPE_SC) + 1u;
        return !a.known || !b.known || goes == next;
    }
    case UNIT_LOAD:
    case UNIT_STORE:
    case UNIT_AMO: return access_memory(w, insn, w->shape->path[i] & SHAPE_SC);
    default: return true;
    }
}

bool thread_follow(const struct litmus_test *t, unsigned thread, const struct shape *shape, struct values *values,
                   uint64_t x[LITMUS_REGISTERS]) {
    struct walk w = {.thread = &t->threads[thread], .shape = shape, .values = values};
    for (unsigned i = 0; i < LITMUS_REGISTERS; i++)
        w.x[i] = (struct tracked){.value = litmus_number(&w.thread->x[i]), .known = true};
    for (unsigned i = 0; i < shape->steps; i++)
        if (!step(&w, i)) return false;
    for (unsigned i = 0; x && i < LITMUS_REGISTERS; i++)
        x[i] = w.x[i].value;
    return true;
}
