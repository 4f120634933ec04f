// Two collections of one run, for hybrid basic block profiling (docs/guide/mix.md): samples of retired instructions,
// and stacks of the last taken transfers of control.
#ifndef TIPOFF_PROFILE_COLLECTION_H
#define TIPOFF_PROFILE_COLLECTION_H

#include "isa/control.h"
#include "profile/place.h"
#include <stddef.h>

struct retired_sample { // one every ebs_period retired instructions
    uint64_t cycle;     // in which the instruction retired that filled the period
    struct place place; // of that instruction: precise
    struct place
        skid; // where execution resumes behind the interrupt that asks for the sample: mepc; PLACE_END: none came
};
struct transfer {
    uint64_t source, target; // of a trap: the address that it returns to, and the handler's
    uint64_t data;           // as ctrdata: enum transfer_type in bits 3:0; no cycles
};
struct transfer_stack { // one every lbr_period taken transfers
    uint64_t cycle;
    uint64_t context;    // of the youngest transfer's target
    size_t first, count; // in the collection's transfers, oldest first
};

enum collection_source {
    COLLECTION_MODEL,
    COLLECTION_UNIT
}; // the retired stream, by the worker; the core's own records
struct collection {
    uint64_t ebs_period, lbr_period;
    uint32_t depth; // of the stacks
    enum collection_source source;
    uint64_t retired, transfers_taken; // of the run, or of what of it was measured
    const struct retired_sample *samples;
    size_t sample_count;
    const struct transfer_stack *stacks;
    size_t stack_count;
    const struct transfer *transfers;
    size_t transfer_count;
};

#endif
