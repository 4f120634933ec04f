// What the worker call-stacks has for others: stacks for the Oracle, those of samples, and what the numbers mean.
#ifndef TIPOFF_WORKERS_CALL_STACKS_H
#define TIPOFF_WORKERS_CALL_STACKS_H

#include "callstack/callstack.h"
#include "oracle/call_stacks.h"

// Of a cycle that was sampled, in which a trigger came.
struct sample_stacks {
    uint64_t cycle;
    uint32_t lane[MAX_LANES]; // of each that committed in it
    uint32_t oldest;          // of the oldest in the ROB, or, where that is empty, of the next to enter it
    uint32_t offending;       // of the youngest that left before it: the OIR's
};

// The worker's. The samples come in the order of their cycles; who takes them sets sample_count to 0.
struct worker_stacks {
    const struct call_stacks *now;
    const struct stack_table *table;
    struct sample_stacks *samples;
    size_t sample_count;
};

#endif
