// Cycle stacks: the time of a unit split by combination of events, and by state below that. Not for other libraries.
#ifndef TIPOFF_REPORT_STACKS_H
#define TIPOFF_REPORT_STACKS_H

#include "oracle/stalls.h"
#include "report/run.h"

struct stack_component {
    uint16_t psv; // the combination; 0: Base
    uint64_t weight;
    uint64_t states[STATE_COUNT + 1];
};
struct stack {
    struct place place; // unit_of
    uint64_t weight;    // its height
    size_t count;
    struct stack_component *components; // heaviest first
};
struct stacks {
    size_t count;
    struct stack *stacks; // highest first
    struct stack_component *components;
};
// False: no memory. A profile without time has no stacks.
bool stacks_create(struct stacks *s, const struct run *d, enum granularity g);
bool stacks_create_whole(struct stacks *s, const struct run *d); // one stack, the end of the run included
void stacks_destroy(struct stacks *s);
// "ST_L1+ST_LLC", or "Base".
void stacks_events(const struct run *d, unsigned psv, char *text, size_t size);

// ---- what the run's statistics say of events (workers/stalls.c) ----
struct events_met {
    bool known;                         // the statistics have them
    uint64_t executions, any, combined; // that left the ROB; with an event; with several
    uint64_t stalls, stall_cycles;      // Base stalls
    size_t length_count;
    const struct stall_length *lengths; // shortest first
    size_t long_count;
    const struct long_stall *longs; // by instruction, most cycles first
};
struct events_met events_met_of(const struct run *d); // lives as long as its samples
// The length that at least `share` of all Base stalls do not exceed; 0 where there are none.
uint64_t events_met_quantile(const struct events_met *e, double share);
uint64_t events_met_longest(const struct events_met *e);
// Base stalls of at least `length` cycles.
uint64_t events_met_from(const struct events_met *e, uint64_t length);
// What the instruction there waits for when it stalls without an event, by its kind.
const char *stalls_kind(const struct run *d, struct place place);

#define PUBLISHED_COMBINED (100 * PUBLISHED_COMBINED_TEA_INSTRUCTION_MEAN) // % of the executions that met an event
#define PUBLISHED_BASE_STALL                                                                                           \
    PUBLISHED_BASE_STALL_TEA_INSTRUCTION_PERCENTILE_99 // cycles: 99 % of Base stalls are shorter
enum { LONG_STALL = STALL_LONG };

#endif
