// What an instruction does to control: calls and returns by the manual's hints for return-address stacks (unprivileged
// manual, "Unconditional Jumps").
#ifndef TIPOFF_BASE_CONTROL_H
#define TIPOFF_BASE_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

enum control_kind {
    CONTROL_NONE,
    CONTROL_BRANCH,
    CONTROL_JUMP,
    CONTROL_CALL,
    CONTROL_RETURN,
    CONTROL_TRAPS, // ecall, ebreak: never retires
    CONTROL_TRAP_RETURN
};
// insn: as fetched; a 16-bit form zero-extended.
enum control_kind control_kind_of(uint32_t insn);
bool control_is_indirect(uint32_t insn); // jalr
// Of a taken one: enum transfer_type (base/collection.h).
unsigned control_transfer_type(uint32_t insn);

#endif
