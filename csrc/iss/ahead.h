// A golden ISS that runs ahead of the core: what the program will do next, for parts of the simulated core that are
// ideal (harness/ideal.h).
//
// Instructions are numbered in the order in which they leave the core, from 0 at reset. The simulator runs as far as it
// is asked, takes back what it did when the core does something else, and goes on from there. Where the world is why
// (an interrupt, a value that only the core knows, the host), that is what it is for. Else it was wrong, or the core
// is: it decides nothing, lockstep compares as always, but the parts were not ideal, so that the run must not count.
#ifndef TIPOFF_ISS_AHEAD_H
#define TIPOFF_ISS_AHEAD_H

#include "iss/iss.h"
#include "trace/cycle.h"

struct ahead;

// All facts about an instruction.
struct ahead_step {
    uint64_t pc, next_pc;
    uint32_t insn;    // 16-bit forms zero-extended
    bool trap_next;   // a trap follows it
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
// Instruction `number`, or NULL: it has left, or it is further ahead than a core can be. After a predicted trap
// comes its handler. Until the next call of any of these functions.
const struct ahead_step *ahead_at(struct ahead *ahead, uint64_t number);
uint64_t ahead_count(const struct ahead *ahead); // instructions that have left

// How often the core did something else, by reason.
enum ahead_reason {
    AHEAD_INTERRUPT,
    AHEAD_UNKNOWABLE, // a value of a device or of a counter
    AHEAD_HOST,       // memory that the host wrote
    AHEAD_WRONG,      // none of these
    AHEAD_REASONS
};
uint64_t ahead_differed(const struct ahead *ahead, enum ahead_reason reason);
// The first time without a reason: the core's pc, the predicted one, and the number of the instruction. Of use
// where ahead_differed counts one.
struct ahead_wrong {
    uint64_t number, pc, predicted;
};
struct ahead_wrong ahead_first_wrong(const struct ahead *ahead);

#endif
