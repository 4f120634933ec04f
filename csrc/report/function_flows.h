// The flow of control in the functions that have time, and how often the run went which way in it. Not for other
// libraries.
#ifndef TIPOFF_REPORT_FUNCTION_FLOWS_H
#define TIPOFF_REPORT_FUNCTION_FLOWS_H

#include "analysis/flow.h"
#include "report/executed.h"
#include "report/units.h"

struct function_flow;
struct flow_part { // a block or a loop: the part of a unit
    struct function_flow *of;
    size_t number, unit; // unit: UNIT_NONE: it has no time
};
struct function_flow {
    const struct program *program;
    const struct program_function *function;
    struct flow *flow;
    const struct program_instruction *code; // of the whole program
    const struct flow_block *blocks;        // of the flow, as its loops
    const struct flow_loop *loops;
    size_t block_count, loop_count;
    struct flow_part *block_parts, *loop_parts;
    uint64_t *nest_times; // of loops, with those inside; NULL: not yet
};
struct program_flows { // of a program, by function; NULL: not yet
    const struct program *program;
    struct function_flow **list;
    size_t count;
};
struct flows {
    const struct run *d;
    struct executed *executed;
    struct program_flows *programs;
    size_t program_count;
    size_t unknown; // functions with unknown indirect jumps
};

struct flows *flows_create(const struct run *d); // NULL: no memory
void flows_destroy(struct flows *s);
// Of the function that the instruction is in. NULL: no memory.
struct function_flow *flows_of(struct flows *s, const struct image_hit *hit);

// ---- counts of the run, where it has them (executed_known) ----
bool flow_in_loop(const struct function_flow *f, size_t block, size_t loop); // or in one inside it
uint64_t flows_executions(const struct flows *s, const struct function_flow *f, size_t block);
// How often control came from outside to the header of a loop, and, of one that has them, to its other entrances.
uint64_t flows_entries(const struct flows *s, const struct function_flow *f, size_t loop);

#endif
