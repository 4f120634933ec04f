// What an instruction does to control: calls and returns by the manual's hints for return-address stacks (unprivileged
// manual, "Unconditional Jumps").
#ifndef TIPOFF_ISA_CONTROL_H
#define TIPOFF_ISA_CONTROL_H

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
// Where a branch or a jal at pc goes when it is taken. False: it is none of these.
bool control_target(uint64_t pc, uint32_t insn, uint64_t *target);
bool control_ends_block(uint32_t insn); // may transfer control, traps on purpose included

// What a transfer was, as the manual numbers them (Smctr, ctrdata.TYPE).
enum transfer_type {
    TRANSFER_EXCEPTION = 1,
    TRANSFER_INTERRUPT = 2,
    TRANSFER_TRAP_RETURN = 3,
    TRANSFER_NOT_TAKEN = 4, // a branch that is not: only where it is asked for
    TRANSFER_BRANCH = 5,
    TRANSFER_INDIRECT_CALL = 8,
    TRANSFER_DIRECT_CALL = 9,
    TRANSFER_INDIRECT_JUMP = 10,
    TRANSFER_DIRECT_JUMP = 11,
    TRANSFER_COROUTINE_SWAP = 12,
    TRANSFER_RETURN = 13,
    TRANSFER_OTHER_INDIRECT_JUMP = 14,
    TRANSFER_OTHER_DIRECT_JUMP = 15,
    TRANSFER_TYPE = 15 // mask of the type in ctrdata
};
// Of a branch that is taken, a jump or a return from a trap.
enum transfer_type control_transfer_type(uint32_t insn);

#endif
