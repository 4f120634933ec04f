// Where each format keeps the bits of its immediate.
#include "isa/immediate.h"

int32_t immediate_of(uint32_t insn, enum insn_format format) {
    int32_t sign = (int32_t)insn >> 31;
    switch (format) {
    case FORMAT_I:
    case FORMAT_FI: return (int32_t)insn >> 20;
    case FORMAT_S:
    case FORMAT_FS: return (int32_t)((uint32_t)((int32_t)insn >> 25) << 5 | insn_field(insn, 11, 7));
    case FORMAT_B:
        return (int32_t)((uint32_t)sign << 12 | insn_field(insn, 7, 7) << 11 | insn_field(insn, 30, 25) << 5 |
                         insn_field(insn, 11, 8) << 1);
    case FORMAT_U: return (int32_t)(insn & 0xfffff000);
    case FORMAT_J:
        return (int32_t)((uint32_t)sign << 20 | insn_field(insn, 19, 12) << 12 | insn_field(insn, 20, 20) << 11 |
                         insn_field(insn, 30, 21) << 1);
    case FORMAT_SH5: return (int32_t)insn_field(insn, 24, 20);
    case FORMAT_SH6: return (int32_t)insn_field(insn, 25, 20);
    case FORMAT_CSR:
    case FORMAT_CSRI: return (int32_t)insn_field(insn, 31, 20);
    default: return 0;
    }
}
