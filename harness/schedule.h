// Whose turn it is among the cores of a run, and up to which cycle it may run without another having to be asked.
//
// Cores hear of each other over links of a fixed latency L. What core j does in cycle t reaches another one in t + L at
// the earliest, so core i may run up to the least of these over all others:
//
//   q(j) + L     q: until then it does nothing by itself (core_quiet_until)
//   e(j) + 2 L   e: the earliest cycle of a core that can still send it something, which it may answer
//
// Cores without links never wait. The order depends on these numbers alone.
#ifndef TIPOFF_HARNESS_SCHEDULE_H
#define TIPOFF_HARNESS_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHEDULE_NO_LINKS UINT64_MAX // as a latency

struct schedule_core {
    uint64_t now;         // the cycle that it runs next
    uint64_t quiet_until; // at least `now`
    bool over;            // it runs no more, and sends nothing
};

// The core that is furthest behind, of several the first, and the cycle before which it has to stop, later than where
// it is. latency: in cycles, at least 1. False: all are over.
bool schedule_next(const struct schedule_core *cores, size_t count, uint64_t latency, size_t *which, uint64_t *until);

#endif
