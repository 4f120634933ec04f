// Opcode and function bits are the table's (tables/instructions.tsv); what is left is where operands stand.
#include "litmus/encode.h"

static uint32_t bits(int32_t value, unsigned high, unsigned low) {
    return (uint32_t)value >> low & (UINT32_MAX >> (31 - high + low));
}

static uint32_t immediate(const struct litmus_instruction *insn, enum insn_format format) {
    const int32_t i = insn->imm;
    switch (format) {
    case FORMAT_I:
    case FORMAT_FENCE:
    case FORMAT_CSR:
    case FORMAT_SH5:
    case FORMAT_SH6: return bits(i, 11, 0) << 20;
    case FORMAT_S: return bits(i, 11, 5) << 25 | bits(i, 4, 0) << 7;
    case FORMAT_B: return bits(i, 12, 12) << 31 | bits(i, 10, 5) << 25 | bits(i, 4, 1) << 8 | bits(i, 11, 11) << 7;
    case FORMAT_U: return (uint32_t)i & 0xfffff000;
    case FORMAT_J: return bits(i, 20, 20) << 31 | bits(i, 10, 1) << 21 | bits(i, 11, 11) << 20 | bits(i, 19, 12) << 12;
    default: return 0;
    }
}

uint32_t litmus_encode(const struct litmus_instruction *insn) {
    const struct insn_info *row = &litmus_instructions[insn->op];
    const uint32_t order = row->unit == UNIT_AMO ? (uint32_t)insn->acquire << 26 | (uint32_t)insn->release << 25 : 0;
    return row->match | (uint32_t)insn->rd << 7 | (uint32_t)insn->rs1 << 15 | (uint32_t)insn->rs2 << 20 | order |
           immediate(insn, (enum insn_format)row->format);
}
