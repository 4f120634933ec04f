// Call stacks, kept from the instructions that a hart executes, one after the other: exact, without frame pointers and
// without debug information.
//
// Calls and returns are what the unprivileged manual says they are (JAL and JALR, table of return-address stack hints:
// rd and rs1 among x1 and x5). A frame keeps where its function returns to and the stack pointer at the call. A return
// ends the frame where both agree, with all frames above it. Where none agrees:
//
//   longjmp, an exception that unwinds    the stack pointer lies in the same stack: the frames below it end
//   another thread's stack                one of its frames agrees: it goes on where it was
//   neither                               a stack that was not seen before begins
//
// A jump (rd x0) changes nothing: what it jumped to is known by the address of the call or sample that follows, so that
// a tail call replaces its caller, as a debugger sees it. What a trap runs hangs below the instruction that trapped or
// was interrupted, as perf shows it; mret and sret end it by the stack pointer, the mode and the address space they
// return to.
//
// A new process has its parent's stack as it was at the call that began it: its first return from a trap goes behind
// that call, with its registers and with 0 in a0. Where calls of several stacks wait that agree, it begins a stack
// of its own: no register identifies the right one.
//
// User code of two address spaces never meets; in supervisor and machine mode the address space may change on the way.
#ifndef TIPOFF_CALLSTACK_CALLSTACK_H
#define TIPOFF_CALLSTACK_CALLSTACK_H

#include "profile/stack_table.h"

#define CALLSTACK_NO_SP UINT64_MAX // the stack pointer is not known: return addresses alone decide

// Environment calls of user mode that may begin a process with a copy of their caller's stack.
enum callstack_fork {
    CALLSTACK_NO_FORK,
    CALLSTACK_FORK,  // in an address space of its own
    CALLSTACK_VFORK, // in the caller's
};

struct callstack_step {
    uint64_t pc, next_pc;
    uint64_t context;      // of pc (profile/place.h)
    uint64_t next_context; // of next_pc; differs in traps and their returns alone
    uint64_t sp;           // x2, or CALLSTACK_NO_SP
    uint32_t insn;         // as fetched, 16-bit forms zero-extended; of a trap it does not matter
    bool trap, interrupt;  // the instruction trapped; before it an interrupt was taken
    uint8_t fork;          // of a trap: enum callstack_fork
    uint64_t registers;    // of such a trap, and of a return to user mode: digest of all integer registers but a0
    uint64_t result;       // of a return from a trap: a0. Behind such a call: 0 in the new process, -errno if it failed
};

struct callstack_counts {
    uint64_t unmatched; // returns that no frame agreed with, though there were some: longjmp and threads seen first
    uint64_t switches;  // returns into another thread's stack
    uint64_t roots;     // stacks that began
    uint64_t forks;     // processes that went on from the stack of the call that began them
    uint64_t lost;      // calls whose stack was too deep, or one more than the table may hold
};

enum {
    CALLSTACK_THREADS = 256,   // stacks that are remembered; of more, those that ran last
    CALLSTACK_DEPTH = 1 << 16, // frames of one of them
};

struct callstack;
// limit: of stack_table_create. NULL: no memory.
struct callstack *callstack_create(uint32_t limit);
void callstack_destroy(struct callstack *c); // NULL is fine
const struct stack_table *callstack_table(const struct callstack *c);
struct callstack_counts callstack_counts(const struct callstack *c);

// The outermost function begins here: before the first step.
void callstack_begin(struct callstack *c, uint64_t pc, uint64_t context, uint64_t sp);
// An instruction that callstack_turns, or a trap; of others nothing need be said. Returns the stack of what comes next.
uint32_t callstack_step(struct callstack *c, const struct callstack_step *step);

// Whether an instruction may change the stack: JAL, JALR, C.JR, C.JALR, MRET, SRET.
static inline bool callstack_turns(uint32_t insn) {
    return (insn & 0x77) == 0x67 || (insn & 0xe07f) == 0x8002 || (insn & 0xdfffffff) == 0x10200073;
}

#endif
