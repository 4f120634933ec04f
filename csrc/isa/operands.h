// Which registers an instruction reads and writes, by tables/instructions.tsv.
#ifndef TIPOFF_ISA_OPERANDS_H
#define TIPOFF_ISA_OPERANDS_H

#include <stdint.h>

enum { OPERAND_NONE = 0, OPERAND_F0 = 32, OPERAND_REGISTERS = 64 }; // x1..x31 are 1..31, f0..f31 are 32..63

struct operands {
    uint8_t rd;    // OPERAND_NONE: writes none (x0 is none)
    uint8_t rs[3]; // read ones in the order rs1, rs2, rs3; OPERAND_NONE where there is none
};

// insn: as fetched; a 16-bit form zero-extended. An illegal one has none.
struct operands operands_of(uint32_t insn);

#endif
