// Immediates (unprivileged manual, "Immediate Encoding Variants").
#ifndef TIPOFF_ISA_IMMEDIATE_H
#define TIPOFF_ISA_IMMEDIATE_H

#include "instructions.h"
#include <stdint.h>

// Bits high to low of an instruction.
static inline uint32_t insn_field(uint32_t insn, int high, int low) {
    return (insn >> low) & ((1u << (high - low + 1)) - 1);
}

// Of a 32-bit instruction of that format, sign-extended where the format is; shift amounts and CSR numbers are not.
// Formats without one: 0.
int32_t immediate_of(uint32_t insn, enum insn_format format);

#endif
