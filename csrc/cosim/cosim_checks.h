// The checkers of lockstep: one property each. Not for other libraries.
#ifndef TIPOFF_COSIM_CHECKS_H
#define TIPOFF_COSIM_CHECKS_H

#include "iss/iss.h"
#include "trace/cycle.h"

// One instruction (or trap) as both sides saw it.
struct cosim_step {
    const struct retired *core; // NULL: a trap
    const struct trapped *trap; // NULL: an instruction
    uint8_t core_privilege;
    const struct iss_retire *iss;
    bool rd_taken_over, csr_taken_over;
};

struct cosim_difference {
    const char *what; // "destination value", ...
    uint64_t expected, got;
};

// The first property in which they differ, or false.
bool cosim_compare(const struct cosim_step *s, struct cosim_difference *d);

// Whether the CSR that was written holds what only the core can know. cosim_takeover.c.
bool cosim_takes_over_csr(uint16_t csr);

#endif
