// Operands by format: bits 11:7 rd, 19:15 rs1, 24:20 rs2, 31:27 rs3 (unprivileged manual, "Base Instruction Formats").
#include "isa/operands.h"
#include "instructions.h"
#include "isa/rvc.h"

enum { RD = 1, RS1 = 2, RS2 = 4, RS3 = 8 };

static unsigned fields(enum insn_format format) {
    switch (format) {
    case FORMAT_R:
    case FORMAT_AMO:
    case FORMAT_FR:
    case FORMAT_FRX: return RD | RS1 | RS2;
    case FORMAT_FR4: return RD | RS1 | RS2 | RS3;
    case FORMAT_I:
    case FORMAT_FI:
    case FORMAT_SH5:
    case FORMAT_SH6:
    case FORMAT_CSR:
    case FORMAT_LR:
    case FORMAT_F1:
    case FORMAT_F1X:
    case FORMAT_X1F: return RD | RS1;
    case FORMAT_S:
    case FORMAT_FS:
    case FORMAT_B:
    case FORMAT_RR: return RS1 | RS2;
    case FORMAT_U:
    case FORMAT_J:
    case FORMAT_CSRI: return RD;
    case FORMAT_P: return RS1;
    case FORMAT_FENCE:
    case FORMAT_N: return 0;
    }
    return 0;
}

struct operands operands_of(uint32_t insn) {
    static const struct insn_info rows[] = {INSN_INFO_ROWS};
    static const uint8_t low[] = {7, 15, 20, 27};
    const uint32_t word = insn_word(insn);
    const enum insn_op op = insn_decode(word);
    const unsigned has = fields(rows[op].format);
    uint8_t registers[4] = {0};
    for (unsigned i = 0; i < 4; i++) {
        if (!(has >> i & 1)) continue;
        const unsigned fp = rows[op].fp_operands >> i & 1;
        registers[i] = (uint8_t)((word >> low[i] & 31) + (fp ? OPERAND_F0 : 0));
    }
    return (struct operands){registers[0], {registers[1], registers[2], registers[3]}};
}
