// Hybrid basic block profiling: executions of basic blocks from two collections of one run (Nowak, Yasin, Szostek,
// Zwaenepoel, "Low-overhead dynamic instruction mix generation using hybrid basic block profiling").
//
//   EBS  samples of retired instructions, one every `period` of them: each counts for all instructions of its block, so
//        that a block of L instructions was executed period * samples / L times (III.A)
//   LBR  stacks of the last N taken transfers, one every `period` of them: nothing jumps between a target and the next
//        source, so that each block on the way was executed; each of these N - 1 streams stands for period / (N - 1)
//        transfers (III.B)
//   HBBP for each block one of the two, as a rule says (rule.h)
//
// Over plain arrays: instructions are numbers of struct code.
#ifndef TIPOFF_METHODS_HBBP_HBBP_H
#define TIPOFF_METHODS_HBBP_HBBP_H

#include "methods/hbbp/code.h"

struct hbbp_transfer {
    uint32_t source, target; // instructions; CODE_NONE: in no image
    bool executed;           // the source was; false: an interrupt or an exception came before it
};
struct hbbp_stack {
    const struct hbbp_transfer *entries; // entry 0 is the oldest: nothing says where its stream began
    unsigned count;
};
struct hbbp_block { // what the two collections say of a block
    double ebs, lbr;
    uint64_t samples;    // EBS
    uint64_t streams;    // LBR: that went through it
    uint64_t first, all; // its last instruction was the source of entry 0; of any entry
    bool biased;         // entry 0 has it more often than the others do: see hbbp_is_biased
};
struct hbbp_quality {
    uint64_t streams; // all
    uint64_t broken;  // that are none: the source is not after the target, or a jump lies between them
    uint64_t outside; // that begin or end in no image
};

// What a sample of an instruction says: adds it to its block. Instructions that are CODE_NONE are left out.
void hbbp_add_ebs(const struct code *c, const uint32_t *samples, size_t count, uint64_t period,
                  struct hbbp_block *blocks);
void hbbp_add_lbr(const struct code *c, const struct hbbp_stack *stacks, size_t count, uint64_t period,
                  struct hbbp_block *blocks, struct hbbp_quality *quality);
// A branch is in entry 0 at least twice as often as in the average entry of `depth`, and by more than four standard
// deviations of that many draws.
bool hbbp_is_biased(uint64_t first, uint64_t all, unsigned depth);

// The paper's figure of merit (VI.B): the sum over kinds of |reference - measured| over the sum of the reference.
double hbbp_error(const double *reference, const double *measured, size_t count);

#endif
