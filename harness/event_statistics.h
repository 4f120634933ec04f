// What a run's statistics say of events: executions by vector, and the stalls that no event explains.
#ifndef TIPOFF_HARNESS_EVENT_STATISTICS_H
#define TIPOFF_HARNESS_EVENT_STATISTICS_H

#include "oracle/stalls.h"
#include <cjson/cJSON.h>

// Adds to the statistics object:
//   executions   [{psv, count}, ...]                               that left the ROB with that vector
//   base_stalls  {count, cycles, lengths: [[cycles, count], ...],  the distribution, by length
//                 long: [{pc, count, cycles, longest}, ...]}       those of LONG_STALL cycles or more by instruction,
//                                                                  most cycles first, 100 at most
void event_statistics_add(cJSON *object, struct stalls *stalls);

#endif
