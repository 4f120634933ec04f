// What flow.c and loops.c share; not for other libraries.
#ifndef TIPOFF_ANALYSIS_FLOW_INTERNAL_H
#define TIPOFF_ANALYSIS_FLOW_INTERNAL_H

#include "analysis/flow.h"

struct flow {
    size_t first, count; // instructions of the function
    struct flow_block *blocks;
    uint32_t *block_of; // of each instruction
    uint32_t *edges;    // of all blocks
    struct flow_loop *loops;
    size_t block_count, edge_count, loop_count;
};

bool flow_nest(struct flow *f); // finds the loops of the blocks, which are one at least. False: no memory (loops.c)

#endif
