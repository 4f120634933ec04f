// Which instructions transfer control, and where to.
#include "analysis/analysis.h"
#include "analysis/program_internal.h"
#include "iss/rvc.h"

enum { OPCODE_BRANCH = 0x63, OPCODE_JALR = 0x67, OPCODE_JAL = 0x6f, OPCODE_SYSTEM = 0x73, OPCODE_MASK = 0x7f };

static uint32_t expanded(uint32_t insn) {
    return (insn & 3) == 3 ? insn : rvc_expand((uint16_t)insn);
}

// Bits high..low of insn, at position `to`.
static uint32_t field(uint32_t insn, unsigned high, unsigned low, unsigned to) {
    return (insn >> low & ((1u << (high - low + 1)) - 1)) << to;
}

static uint64_t sign_extended(uint32_t value, unsigned bits) {
    return (uint64_t)(int64_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

bool program_branch(uint64_t pc, uint32_t insn, uint64_t *target) {
    uint32_t i = expanded(insn);
    switch (i & OPCODE_MASK) {
    case OPCODE_BRANCH:
        *target = pc + sign_extended(
                           field(i, 31, 31, 12) | field(i, 7, 7, 11) | field(i, 30, 25, 5) | field(i, 11, 8, 1), 13);
        return true;
    case OPCODE_JAL:
        *target =
            pc +
            sign_extended(field(i, 31, 31, 20) | field(i, 19, 12, 12) | field(i, 20, 20, 11) | field(i, 30, 21, 1), 21);
        return true;
    default: return false;
    }
}

bool branch_ends_block(uint32_t insn) {
    uint32_t i = expanded(insn);
    switch (i & OPCODE_MASK) {
    case OPCODE_BRANCH:
    case OPCODE_JALR:
    case OPCODE_JAL: return true;
    case OPCODE_SYSTEM: // ecall, ebreak, the returns from traps; not wfi, not the CSR instructions
        return i == 0x00000073 || i == 0x00100073 || i == 0x10200073 || i == 0x30200073;
    default: return false;
    }
}
