// Kinds of transfers, from the table of instructions and the link registers.
#include "isa/control.h"
#include "instructions.h"
#include "isa/immediate.h"
#include "isa/rvc.h"

enum { REGISTER_RA = 1, REGISTER_T0 = 5 };

static const struct insn_info rows[] = {INSN_INFO_ROWS};

struct jump {
    enum insn_op op;
    unsigned unit, rd, rs1;
    bool links, from_link; // rd, rs1 are link registers
};

static struct jump decoded(uint32_t insn) {
    const uint32_t i = insn_word(insn);
    struct jump j = {.op = insn_decode(i), .rd = i >> 7 & 31, .rs1 = i >> 15 & 31};
    j.unit = rows[j.op].unit;
    j.links = j.rd == REGISTER_RA || j.rd == REGISTER_T0;
    j.from_link = j.rs1 == REGISTER_RA || j.rs1 == REGISTER_T0;
    return j;
}

enum control_kind control_kind_of(uint32_t insn) {
    const struct jump j = decoded(insn);
    switch (j.unit) {
    case UNIT_BRANCH: return CONTROL_BRANCH;
    case UNIT_JAL: return j.links ? CONTROL_CALL : CONTROL_JUMP;
    case UNIT_JALR: return j.links ? CONTROL_CALL : j.from_link ? CONTROL_RETURN : CONTROL_JUMP;
    case UNIT_SYS:
        if (j.op == INSN_ECALL || j.op == INSN_EBREAK) return CONTROL_TRAPS;
        return j.op == INSN_MRET || j.op == INSN_SRET ? CONTROL_TRAP_RETURN : CONTROL_NONE;
    default: return CONTROL_NONE;
    }
}

bool control_target(uint64_t pc, uint32_t insn, uint64_t *target) {
    const uint32_t i = insn_word(insn);
    const struct insn_info *row = &rows[insn_decode(i)];
    if (row->unit != UNIT_BRANCH && row->unit != UNIT_JAL) return false;
    *target = pc + (uint64_t)(int64_t)immediate_of(i, row->format);
    return true;
}

bool control_ends_block(uint32_t insn) {
    return control_kind_of(insn) != CONTROL_NONE;
}

bool control_is_indirect(uint32_t insn) {
    return decoded(insn).unit == UNIT_JALR;
}

enum transfer_type control_transfer_type(uint32_t insn) {
    const struct jump j = decoded(insn);
    if (j.unit == UNIT_JAL)
        return j.links ? TRANSFER_DIRECT_CALL : j.rd == 0 ? TRANSFER_DIRECT_JUMP : TRANSFER_OTHER_DIRECT_JUMP;
    if (j.unit == UNIT_SYS) return TRANSFER_TRAP_RETURN;
    if (j.unit != UNIT_JALR) return TRANSFER_BRANCH;
    if (j.links && j.from_link && j.rd != j.rs1) return TRANSFER_COROUTINE_SWAP;
    if (j.links) return TRANSFER_INDIRECT_CALL;
    if (j.from_link) return TRANSFER_RETURN;
    return j.rd == 0 ? TRANSFER_INDIRECT_JUMP : TRANSFER_OTHER_INDIRECT_JUMP;
}
