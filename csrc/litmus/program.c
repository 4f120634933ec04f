// Code, rows and locations of the program, laid out one after the other:
//
//   entry: which thread is this hart's? none: wait forever
//   thread: base = its first row
//   again:  barrier; delay; registers; THE TEST'S CODE; registers that the condition names; base = next row, if any
//   done:   the last one ends the run
//
// Nothing but `base`, a register that the thread does not use, lives across the test's code.
#include "litmus/program.h"
#include "litmus/encode.h"
#include "machine/finisher.h"
#include "machine/harts.h"
#include "memory_map.h"
#include <stdlib.h>
#include <string.h>

// Of a row: words 0 to 31 are registers before, 32 to 63 after.
enum { ROW_AFTER = 32, ROW_NEXT = 64, ROW_BARRIER, ROW_DELAY, ROW_WORDS = 72 };
enum { CODE_BYTES = 32768, ARRIVED = CODE_BYTES, ENDED = CODE_BYTES + 64, ROWS = CODE_BYTES + 4096 };
enum { LINE = 64, SET = 4096, LONGEST_DELAY = 128 };

const uint64_t litmus_program_base = DRAM_BASE;

struct assembler {
    uint32_t *code;
    unsigned count;
    uint8_t base, a, b, c; // registers; three that are free outside of the test's code
};

// ---- code ----
static unsigned emit(struct assembler *s, struct litmus_instruction insn) {
    s->code[s->count] = litmus_encode(&insn);
    return s->count++;
}

static void emit_rrr(struct assembler *s, enum insn_op op, unsigned rd, unsigned rs1, unsigned rs2) {
    emit(s, (struct litmus_instruction){.op = (uint8_t)op,
                                        .rd = (uint8_t)rd,
                                        .rs1 = (uint8_t)rs1,
                                        .rs2 = (uint8_t)rs2,
                                        .acquire = true,
                                        .release = true});
}

static unsigned emit_rri(struct assembler *s, enum insn_op op, unsigned rd, unsigned rs1, int32_t imm) {
    return emit(s, (struct litmus_instruction){.op = (uint8_t)op, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .imm = imm});
}

static unsigned emit_branch(struct assembler *s, enum insn_op op, unsigned rs1, unsigned rs2, unsigned to) {
    return emit(s, (struct litmus_instruction){.op = (uint8_t)op,
                                               .rs1 = (uint8_t)rs1,
                                               .rs2 = (uint8_t)rs2,
                                               .imm = 4 * ((int32_t)to - (int32_t)s->count)});
}

static void emit_store(struct assembler *s, enum insn_op op, unsigned rs2, unsigned rs1, int32_t imm) {
    emit(s, (struct litmus_instruction){.op = (uint8_t)op, .rs1 = (uint8_t)rs1, .rs2 = (uint8_t)rs2, .imm = imm});
}

// A multiple of 8 below 2^43: 12 bits at the end, the others before them.
static void emit_number(struct assembler *s, unsigned rd, uint64_t number) {
    const int32_t high = (int32_t)(number >> 12);
    emit_rri(s, INSN_LUI, rd, 0, (int32_t)(((uint32_t)high + 0x800) & 0xfffff000));
    emit_rri(s, INSN_ADDIW, rd, rd, (int32_t)((uint32_t)high << 20) >> 20);
    emit_rri(s, INSN_SLLI, rd, rd, 12);
    const unsigned low = number & 0xfff; // in two halves: no sign
    emit_rri(s, INSN_ADDI, rd, rd, (int32_t)(low / 2));
    emit_rri(s, INSN_ADDI, rd, rd, (int32_t)(low - low / 2));
}

static void emit_row_load(struct assembler *s, unsigned rd, unsigned word) {
    emit_rri(s, INSN_LD, rd, s->base, 8 * (int32_t)word);
}

// All harts have come here, as often as this row says.
static void emit_barrier(struct assembler *s) {
    emit_number(s, s->a, litmus_program_base + ARRIVED);
    emit_rri(s, INSN_ADDI, s->b, 0, 1);
    emit_row_load(s, s->c, ROW_BARRIER);
    emit_rrr(s, INSN_AMOADD_D, 0, s->a, s->b);
    const unsigned spin = emit_rri(s, INSN_LD, s->b, s->a, 0);
    emit_branch(s, INSN_BLTU, s->b, s->c, spin);
    emit_rri(s, INSN_FENCE, 0, 0, 0x33);
}

// As many instructions as the row says, and some: a loop of two, and one more where the number is odd.
static void emit_delay(struct assembler *s) {
    emit_row_load(s, s->a, ROW_DELAY);
    emit_rri(s, INSN_ANDI, s->b, s->a, 1);
    emit_rri(s, INSN_SRLI, s->a, s->a, 1);
    emit_branch(s, INSN_BEQ, s->b, 0, s->count + 2);
    emit_rri(s, INSN_ADDI, 0, 0, 0);
    emit_branch(s, INSN_BEQ, s->a, 0, s->count + 3);
    emit_rri(s, INSN_ADDI, s->a, s->a, -1);
    emit_branch(s, INSN_BNE, s->a, 0, s->count - 1);
}

static void emit_end(struct assembler *s, unsigned threads) {
    emit_number(s, s->a, litmus_program_base + ENDED);
    emit_rri(s, INSN_ADDI, s->b, 0, 1);
    emit_rrr(s, INSN_AMOADD_D, s->c, s->a, s->b);
    emit_rri(s, INSN_ADDI, s->b, 0, (int32_t)threads - 1);
    emit_branch(s, INSN_BNE, s->b, s->c, s->count + 9);
    emit_number(s, s->a, FINISHER_BASE);
    emit_rri(s, INSN_LUI, s->b, 0, FINISHER_PASS & 0xf000);
    emit_rri(s, INSN_ADDI, s->b, s->b, FINISHER_PASS & 0xfff);
    emit_store(s, INSN_SW, s->b, s->a, 0);
    emit_rri(s, INSN_WFI, 0, 0, 0);
    emit_branch(s, INSN_BEQ, 0, 0, s->count - 1);
}

static void emit_test(struct assembler *s, const struct litmus_thread *thread) {
    const unsigned start = s->count;
    for (unsigned i = 0; i < thread->count; i++) {
        struct litmus_instruction insn = thread->code[i];
        const uint8_t unit = litmus_instructions[insn.op].unit;
        if (unit == UNIT_BRANCH || unit == UNIT_JAL)
            insn.imm = 4 * ((int32_t)(start + (unsigned)insn.imm) - (int32_t)s->count);
        emit(s, insn);
    }
}

// Registers that the thread uses, as bits: all fields, as those that an instruction has not are 0.
static uint32_t used_registers(const struct litmus_test *t, unsigned number, uint32_t *shown) {
    const struct litmus_thread *thread = &t->threads[number];
    uint32_t used = 1;
    *shown = 0;
    for (unsigned i = 0; i < thread->count; i++)
        used |= 1u << thread->code[i].rd | 1u << thread->code[i].rs1 | 1u << thread->code[i].rs2;
    for (unsigned i = 0; i < t->item_count; i++)
        if (t->items[i].is_register && t->items[i].thread == number) *shown |= 1u << t->items[i].x;
    return used | *shown;
}

static void emit_thread(struct assembler *s, const struct litmus_test *t, unsigned number, uint64_t first_row) {
    uint32_t shown;
    const uint32_t used = used_registers(t, number, &shown);
    s->base = (uint8_t)(31 - __builtin_clz(~used));
    uint8_t *const free[] = {&s->a, &s->b, &s->c};
    for (unsigned i = 0, x = 1; i < 3; x++)
        if (x != s->base) *free[i++] = (uint8_t)x;
    emit_number(s, s->base, first_row);
    const unsigned again = s->count;
    emit_barrier(s);
    emit_delay(s);
    for (unsigned x = 1; x < LITMUS_REGISTERS; x++)
        if (used >> x & 1) emit_row_load(s, x, x);
    emit_test(s, &t->threads[number]);
    for (unsigned x = 1; x < LITMUS_REGISTERS; x++)
        if (shown >> x & 1) emit_store(s, INSN_SD, x, s->base, 8 * (int32_t)(ROW_AFTER + x));
    emit_row_load(s, s->base, ROW_NEXT);
    emit_branch(s, INSN_BNE, s->base, 0, again);
    emit_end(s, t->thread_count);
}

static uint64_t row_offset(const struct litmus_program *p, unsigned thread, unsigned iteration) {
    return ROWS + ((uint64_t)thread * p->iterations + iteration) * ROW_WORDS * 8;
}

// hart: of each thread.
static void emit_code(const struct litmus_program *p, const struct litmus_test *t,
                      const unsigned hart[LITMUS_THREADS]) {
    struct assembler s = {.code = (uint32_t *)p->memory};
    emit(&s, (struct litmus_instruction){.op = INSN_CSRRS, .rd = 1, .imm = 0xf14}); // mhartid
    for (unsigned i = 0; i < t->thread_count; i++) {
        emit_rri(&s, INSN_ADDI, 2, 0, (int32_t)hart[i]);
        const unsigned other = emit_branch(&s, INSN_BNE, 1, 2, s.count);
        emit_thread(&s, t, i, litmus_program_base + row_offset(p, i, 0));
        const unsigned next = s.count;
        s.count = other;
        emit_branch(&s, INSN_BNE, 1, 2, next);
        s.count = next;
    }
    emit_rri(&s, INSN_WFI, 0, 0, 0);
    emit_branch(&s, INSN_BEQ, 0, 0, s.count - 1);
}

// ---- locations ----
// Each one a line of its own, or all in one where they fit, or all in one set of a cache; in any order.
static uint64_t place(const struct litmus_test *t, const uint64_t extents[LITMUS_LOCATIONS],
                      struct litmus_random *random, uint64_t from, uint64_t *places) {
    const unsigned kind = (unsigned)litmus_below(random, 3), first = (unsigned)litmus_below(random, t->location_count);
    uint64_t together = 0;
    for (unsigned i = 0; i < t->location_count; i++)
        together += (extents[i] + 7) & ~UINT64_C(7);
    for (unsigned i = 0; i < t->location_count; i++) {
        const unsigned location = (first + i) % t->location_count;
        const uint64_t bytes = (extents[location] + 7) & ~UINT64_C(7);
        places[location] = from;
        from += bytes;
        if (kind == 0 || together > LINE) from = (from + LINE - 1) & ~(uint64_t)(LINE - 1);
        if (kind == 2) from = places[location] + ((bytes + SET - 1) & ~(uint64_t)(SET - 1));
    }
    return (from + LINE - 1) & ~(uint64_t)(LINE - 1);
}

static uint64_t actual(const struct litmus_value *v, const uint64_t *places) {
    return v->location < 0 ? v->number : places[v->location] + v->number;
}

static void put(const struct litmus_program *p, uint64_t address, uint64_t value, unsigned bytes) {
    memcpy(p->memory + (address - litmus_program_base), &value, bytes);
}

static uint64_t get(const struct litmus_program *p, uint64_t address, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, p->memory + (address - litmus_program_base), bytes);
    return value;
}

static void fill(const struct litmus_program *p, const struct litmus_test *t, unsigned iteration,
                 struct litmus_random *random) {
    const uint64_t *places = &p->places[(size_t)iteration * t->location_count];
    for (unsigned i = 0; i < t->location_count; i++) {
        const struct litmus_location *l = &t->locations[i];
        for (unsigned e = 0; e < l->elements; e++)
            put(p, places[i] + (uint64_t)e * l->bytes, actual(&t->elements[l->first + e], places), l->bytes);
    }
    for (unsigned i = 0; i < t->thread_count; i++) {
        const uint64_t row = litmus_program_base + row_offset(p, i, iteration);
        for (unsigned x = 0; x < LITMUS_REGISTERS; x++)
            put(p, row + 8 * x, actual(&t->threads[i].x[x], places), 8);
        if (iteration + 1 < p->iterations) put(p, row + 8 * ROW_NEXT, row + 8 * ROW_WORDS, 8);
        put(p, row + 8 * ROW_BARRIER, (uint64_t)t->thread_count * (iteration + 1), 8);
        put(p, row + 8 * ROW_DELAY, litmus_below(random, LONGEST_DELAY), 8);
    }
}

bool litmus_program_make(struct litmus_program *p, const struct litmus_test *t, unsigned harts, unsigned iterations,
                         const uint64_t extents[LITMUS_LOCATIONS], struct litmus_random *random, const char *path,
                         struct error *err) {
    unsigned hart[MACHINE_MOST_HARTS] = {0};
    *p = (struct litmus_program){.iterations = iterations};
    p->places = error_calloc(((size_t)iterations * t->location_count + 1) * sizeof *p->places, path, err);
    if (!p->places) return false;
    uint64_t end = litmus_program_base + row_offset(p, t->thread_count, 0);
    for (unsigned i = 0; i < iterations && t->location_count; i++)
        end = place(t, extents, random, end, &p->places[(size_t)i * t->location_count]);
    p->bytes = (size_t)(end - litmus_program_base);
    p->memory = error_calloc(p->bytes, path, err);
    if (!p->memory) return false;
    for (unsigned i = 0; i < t->thread_count; i++) {
        uint32_t shown;
        if (used_registers(t, i, &shown) != UINT32_MAX) continue;
        error_set(err, "%s: thread %u uses all registers: leave one of them for the program around it", path, i);
        return false;
    }
    for (unsigned i = 0; i < harts; i++) { // a random order (Fisher and Yates)
        const unsigned k = (unsigned)litmus_below(random, i + 1);
        hart[i] = hart[k];
        hart[k] = i;
    }
    emit_code(p, t, hart);
    for (unsigned i = 0; i < iterations; i++)
        fill(p, t, i, random);
    p->most = (uint64_t)iterations * harts * 4096 + 100000;
    return true;
}

void litmus_program_free(struct litmus_program *p) {
    free(p->places);
    free(p->memory);
    *p = (struct litmus_program){0};
}

// ---- what came of it ----
// The address of a location, as the enumerator has it.
static uint64_t canonical(const struct litmus_test *t, const uint64_t *places, uint64_t value) {
    for (unsigned i = 0; i < t->location_count; i++) {
        const uint64_t bytes = (uint64_t)t->locations[i].bytes * t->locations[i].elements;
        if (value - places[i] < bytes) return litmus_address(i) + (value - places[i]);
    }
    return value;
}

void litmus_program_state(const struct litmus_program *p, const struct litmus_test *t, unsigned iteration,
                          uint64_t values[LITMUS_ITEMS]) {
    const uint64_t *places = &p->places[(size_t)iteration * t->location_count];
    for (unsigned i = 0; i < t->item_count; i++) {
        const struct litmus_item *item = &t->items[i];
        const uint64_t row = litmus_program_base + row_offset(p, item->thread, iteration);
        const struct litmus_location *l = item->is_register ? NULL : &t->locations[item->location];
        const unsigned bytes = l ? l->bytes : 8;
        const uint64_t address =
            l ? places[item->location] + (uint64_t)l->bytes * item->element : row + 8 * (ROW_AFTER + item->x);
        uint64_t value = get(p, address, bytes);
        if (l && l->is_signed && bytes < 8)
            value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
        values[i] = bytes == 8 ? canonical(t, places, value) : value;
    }
}
