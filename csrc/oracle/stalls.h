// How long instructions stall the core, and which events they meet: what shows whether the events explain the time.
//
// A stall is a run of Stalled cycles of one execution of an instruction, up to the cycle in which it leaves the ROB. It
// is a Base stall if the vector it leaves with is empty: nothing explains it. (TEA, ISCA 2023, section 6: 99 % of Base
// stalls are shorter than 5.8 cycles, 30.0 % of the executions that meet an event meet several: tables/published.tsv.)
#ifndef TIPOFF_ORACLE_STALLS_H
#define TIPOFF_ORACLE_STALLS_H

#include "base/error.h"
#include "events.h"
#include "profile/place.h"
#include "published.h"
#include "records.h"

enum {
    STALL_LONGEST_KNOWN = UINT16_MAX,                                        // longer ones are counted as that long
    STALL_LONG = (int)PUBLISHED_BASE_STALL_TEA_INSTRUCTION_PERCENTILE_99 + 1 // cycles: not below the published bound
};

struct base_stall { // `count` of that length, in cycles
    struct place place;
    uint16_t length;
    uint64_t count;
};

struct stalls;
struct stalls *stalls_create(struct error *err);
void stalls_destroy(struct stalls *s); // NULL is fine
// Every cycle, in order; `cycles` > 1 only for equal cycles in which nothing commits, excepts or dispatches. 0, or
// -ENOMEM with err.
int stalls_step(struct stalls *s, const struct commit_bundle *bundle, uint64_t cycles, struct error *err);

// Forgets what has been so far.
void stalls_begin(struct stalls *s);
void stalls_end(struct stalls *s); // what follows does not count; a stall that is open is left out
// Executions that left the ROB (committed or excepted) with that vector.
uint64_t stalls_executions(const struct stalls *s, unsigned psv);
// Base stalls, by address, address space and mode, then by length. They live until the next step.
const struct base_stall *stalls_base(struct stalls *s, size_t *count);

#endif
