// Call stacks, by their numbers (profile/stack_table.h), around a cycle in which something committed or trapped.
#ifndef TIPOFF_ORACLE_CALL_STACKS_H
#define TIPOFF_ORACLE_CALL_STACKS_H

#include "profile/stack_table.h"
#include "records.h"

struct call_stacks {
    uint64_t cycle;           // that one, the last
    uint32_t before;          // of the oldest instruction of that cycle
    uint32_t lane[MAX_LANES]; // of each that committed in it
    uint32_t left;            // of the youngest that committed or trapped in it
    uint32_t now;             // after it: of the oldest in the ROB, until something leaves it again
};

#endif
