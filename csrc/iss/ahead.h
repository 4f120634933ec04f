// A golden ISS that runs ahead of the core: what the program will do next, for parts of the simulated core that are
// ideal (harness/ideal.h).
//
// Instructions are numbered in the order in which they leave the core, from 0 at reset. The simulator runs as far as it
// is asked, takes back what it did when the core does something else (an interrupt, a value that only the core knows),
// and goes on from there. So what it says holds until the core is interrupted; it decides nothing: lockstep compares as
// always.
#ifndef TIPOFF_ISS_AHEAD_H
#define TIPOFF_ISS_AHEAD_H

#include "iss/iss.h"
#include "trace/cycle.h"

struct ahead;

// What there is to know of an instruction.
struct ahead_step {
    uint64_t pc, next_pc;
    uint32_t insn;    // 16-bit forms zero-extended
    bool trap_next;   // what comes behind it is a trap
    bool store;       // of the store queue: no AMO, no SC
    uint8_t bytes;    // that it writes
    uint64_t address; // where to, physical
};

// `iss` becomes its own: loaded as the core's memory is, not autonomous. NULL with err: out of memory; then iss is
// gone.
struct ahead *ahead_create(struct iss *iss, struct error *err);
void ahead_destroy(struct ahead *ahead); // NULL is fine
// What left the core in a cycle.
void ahead_left(struct ahead *ahead, const struct trace_left *left);
// Instruction `number`, or NULL: it has left too long ago, it is further ahead than a core can be, or it comes behind a
// trap. Until the next call of any of these functions.
const struct ahead_step *ahead_at(struct ahead *ahead, uint64_t number);
uint64_t ahead_count(const struct ahead *ahead);      // instructions that have left
uint64_t ahead_taken_back(const struct ahead *ahead); // how often the core did something else

#endif
