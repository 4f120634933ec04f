// How long a division or a root takes by its operands, beyond or less than what its kind's latency says.
#ifndef TIPOFF_METHODS_GUS_DIVISION_H
#define TIPOFF_METHODS_GUS_DIVISION_H

#include "instructions.h"
#include <stdbool.h>
#include <stdint.h>

// Cycles of an integer division or remainder a / b: two bits of the quotient a cycle, from the operands' leading zeros
// (rtl/execute/div.sv). early: false: as long as the longest. op: of unit UNIT_DIV.
int16_t gus_division_steps(enum insn_op op, uint64_t a, uint64_t b, bool early);

// Cycles, 0 or less: two bits of the result a cycle, until the remainder is zero (rtl/execute/fp_divsqrt.sv). a, b,
// result: registers as they are, single ones boxed; early: false: 0. Of other instructions: 0.
int16_t gus_fp_steps_less(enum insn_op op, uint64_t a, uint64_t b, uint64_t result, bool early);

#endif
