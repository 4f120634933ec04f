// What instructions compute: integer arithmetic, branches, AMOs (unprivileged manual).
#include "litmus/thread.h"

static uint64_t word(uint64_t value) {
    return (uint64_t)(int64_t)(int32_t)(uint32_t)value;
}

uint64_t thread_compute(const struct litmus_instruction *insn, uint64_t a, uint64_t b) {
    const uint64_t i = (uint64_t)(int64_t)insn->imm;
    switch ((enum insn_op)insn->op) {
    case INSN_LUI: return i;
    case INSN_ADDI: return a + i;
    case INSN_SLTI: return (int64_t)a < (int64_t)i;
    case INSN_SLTIU: return a < i;
    case INSN_XORI: return a ^ i;
    case INSN_ORI: return a | i;
    case INSN_ANDI: return a & i;
    case INSN_SLLI: return a << i;
    case INSN_SRLI: return a >> i;
    case INSN_SRAI: return (uint64_t)((int64_t)a >> i);
    case INSN_ADD: return a + b;
    case INSN_SUB: return a - b;
    case INSN_SLL: return a << (b & 63);
    case INSN_SLT: return (int64_t)a < (int64_t)b;
    case INSN_SLTU: return a < b;
    case INSN_XOR: return a ^ b;
    case INSN_SRL: return a >> (b & 63);
    case INSN_SRA: return (uint64_t)((int64_t)a >> (b & 63));
    case INSN_OR: return a | b;
    case INSN_AND: return a & b;
    case INSN_ADDIW: return word(a + i);
    case INSN_SLLIW: return word(a << i);
    case INSN_SRLIW: return word((uint32_t)a >> i);
    case INSN_SRAIW: return (uint64_t)(int64_t)((int32_t)(uint32_t)a >> i);
    case INSN_ADDW: return word(a + b);
    case INSN_SUBW: return word(a - b);
    case INSN_SLLW: return word(a << (b & 31));
    case INSN_SRLW: return word((uint32_t)a >> (b & 31));
    default: return (uint64_t)(int64_t)((int32_t)(uint32_t)a >> (b & 31)); // sraw
    }
}

bool thread_computes(const struct litmus_instruction *insn, bool a, bool b) {
    const bool zero = insn->op == INSN_XOR || insn->op == INSN_SUB;
    return (a && (b || litmus_instructions[insn->op].format != FORMAT_R)) || (zero && insn->rs1 == insn->rs2);
}

bool thread_branches(const struct litmus_instruction *insn, uint64_t a, uint64_t b) {
    switch ((enum insn_op)insn->op) {
    case INSN_BEQ: return a == b;
    case INSN_BNE: return a != b;
    case INSN_BLT: return (int64_t)a < (int64_t)b;
    case INSN_BGE: return (int64_t)a >= (int64_t)b;
    case INSN_BLTU: return a < b;
    case INSN_BGEU: return a >= b;
    default: return true; // jal
    }
}

// The .w and .d forms have these bits in common.
uint64_t thread_amo(const struct litmus_instruction *insn, uint64_t memory, uint64_t x) {
    const bool wide = thread_bytes(insn) == 8;
    const int64_t a = wide ? (int64_t)memory : (int32_t)(uint32_t)memory, b = wide ? (int64_t)x : (int32_t)(uint32_t)x;
    const uint64_t u = wide ? memory : (uint32_t)memory, v = wide ? x : (uint32_t)x;
    switch (litmus_instructions[insn->op].match >> 27) {
    case 0x00: return u + v;
    case 0x01: return v;
    case 0x04: return u ^ v;
    case 0x08: return u | v;
    case 0x0c: return u & v;
    case 0x10: return (uint64_t)(a < b ? a : b);
    case 0x14: return (uint64_t)(a > b ? a : b);
    case 0x18: return u < v ? u : v;
    case 0x1c: return u > v ? u : v;
    default: return v; // sc
    }
}

unsigned thread_bytes(const struct litmus_instruction *insn) {
    return 1u << (litmus_instructions[insn->op].match >> 12 & 3);
}

uint64_t thread_extend(const struct litmus_instruction *insn, uint64_t value) {
    const unsigned bits = 64 - 8 * thread_bytes(insn);
    const bool is_unsigned = litmus_instructions[insn->op].match >> 14 & 1; // lbu, lhu, lwu
    return is_unsigned ? value << bits >> bits : (uint64_t)((int64_t)(value << bits) >> bits);
}
