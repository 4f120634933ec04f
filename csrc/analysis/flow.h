// The flow of control in a function: its basic blocks, the edges between them, and its loops.
//
// Blocks are those of the program (analysis.h), cut further where an executed jump is known to arrive. A call comes
// back behind itself. Where an indirect jump goes to is not in the code. It is taken to go where it was seen to go;
// where nothing was counted, to all blocks of the function that nothing else goes to (the cases of a switch).
//
// Loops are nested as P. Havlak has it (Nesting of reducible and irreducible loops, TOPLAS 19(4), 1997): a loop is the
// greatest set of blocks that a depth-first search enters at one of them, the header, and can come back to it from. A
// natural loop (its header dominates all of it) is reducible; one that can be entered at other blocks than its header
// is not. Loops with one header are one loop.
#ifndef TIPOFF_ANALYSIS_FLOW_H
#define TIPOFF_ANALYSIS_FLOW_H

#include "analysis/analysis.h"

struct flow_jump { // executed: numbers of instructions
    size_t from, to;
};
struct flow_block {
    size_t first, count;  // its instructions
    size_t loop;          // the innermost around it, or PROGRAM_NONE
    const uint32_t *next; // blocks that follow it
    size_t next_count;
    bool calls;   // its last instruction is a call: what follows it follows the call's return
    bool unknown; // its last instruction is an indirect jump that was not seen to go anywhere
};
struct flow_loop {
    size_t header;  // block
    size_t parent;  // the loop around it, or PROGRAM_NONE
    unsigned depth; // 1: in no other
    bool irreducible;
};
struct flow;
// Of the function of that number. jumps: those that were executed, of any function: the indirect ones count;
// NULL: nothing is known of what was executed. NULL: no memory.
struct flow *flow_create(const struct program *p, size_t function, const struct flow_jump *jumps, size_t jump_count);
void flow_destroy(struct flow *f);                                         // NULL is fine
const struct flow_block *flow_blocks(const struct flow *f, size_t *count); // by address
const struct flow_loop *flow_loops(const struct flow *f, size_t *count);   // by address of the header
size_t flow_block_of(const struct flow *f, size_t instruction);            // of this function

#endif
