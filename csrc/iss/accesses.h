// The data that a machine accesses in DRAM, as a stream: loads, stores and AMOs that were done, in their order; not
// fetches, not what walks of page tables read, no device. A store-conditional that fails accesses nothing. Aligned
// accesses alone exist: none crosses a line.
#ifndef TIPOFF_ISS_ACCESSES_H
#define TIPOFF_ISS_ACCESSES_H

#include "iss/iss.h"

// One access is a number: what it was is taken out of it by the three functions below.
typedef uint64_t iss_data_access;
static inline uint64_t iss_access_address(iss_data_access access) { // physical
    return access >> 3;
}
static inline unsigned iss_access_bytes(iss_data_access access) { // 1, 2, 4 or 8
    return 1u << (access >> 1 & 3);
}
static inline bool iss_access_stores(iss_data_access access) { // an AMO does
    return access & 1;
}
static inline iss_data_access iss_access_of(uint64_t address, unsigned bytes, bool store) {
    return address << 3 | (uint64_t)(unsigned)__builtin_ctz(bytes) << 1 | store;
}

// Some thousand accesses of a hart, or fewer: the rest is handed over when iss_run or iss_step returns, before another
// hart's turn, and by iss_accesses_hand_over. The machine is within a run then: the callback does not ask it for
// anything.
typedef void iss_accessed(void *context, unsigned hart, const iss_data_access *accesses, size_t count);
// From now on (NULL: no longer); one observer, the last one. Slows iss_run. Not beside iss_count. False with err: no
// memory.
bool iss_watch_accesses(struct iss *iss, iss_accessed *accessed, void *context, struct error *err);
// At a mark (iss/flow.h): what its hart has accessed until then. Where accesses are watched.
void iss_accesses_hand_over(struct hart *h);

#endif
