// The program's code:
//
//   entry: which thread is this hart's? none: wait forever
//   thread: base = its first row
//   again:  caches; barrier; delay; registers; THE TEST'S CODE; registers that the condition names; base = next row, if
//           there is one
//   done:   the last one ends the run
//
// Nothing but `base`, a register that the thread does not use, lives across the test's code.
#include "litmus/encode.h"
#include "litmus/program_internal.h"
#include "machine/finisher.h"
#include "memory_map.h"

struct assembler {
    uint32_t *code;
    unsigned count;
    uint8_t base, a, b, c; // registers; three that are free outside of the test's code
};

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

// The caches hold locations as the row says.
static void emit_primes(struct assembler *s) {
    for (unsigned i = 0; i < ROW_PRIMES; i++) {
        emit_row_load(s, s->a, ROW_READS + i);
        emit_rri(s, INSN_LD, s->b, s->a, 0);
        emit_row_load(s, s->a, ROW_OWNS + i);
        emit_rrr(s, INSN_AMOADD_D, 0, s->a, 0);
    }
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
    emit_primes(s);
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

void litmus_program_code(const struct litmus_program *p, const struct litmus_test *t,
                         const unsigned hart[LITMUS_THREADS]) {
    struct assembler s = {.code = (uint32_t *)p->memory};
    emit(&s, (struct litmus_instruction){.op = INSN_CSRRS, .rd = 1, .imm = 0xf14}); // mhartid
    for (unsigned i = 0; i < t->thread_count; i++) {
        emit_rri(&s, INSN_ADDI, 2, 0, (int32_t)hart[i]);
        const unsigned other = emit_branch(&s, INSN_BNE, 1, 2, s.count);
        emit_thread(&s, t, i, litmus_program_base + litmus_row_offset(p, i, 0));
        const unsigned next = s.count;
        s.count = other;
        emit_branch(&s, INSN_BNE, 1, 2, next);
        s.count = next;
    }
    emit_rri(&s, INSN_WFI, 0, 0, 0);
    emit_branch(&s, INSN_BEQ, 0, 0, s.count - 1);
}

bool litmus_program_full(const struct litmus_test *t, unsigned thread) {
    uint32_t shown;
    return used_registers(t, thread, &shown) == UINT32_MAX;
}
