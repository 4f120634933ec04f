// What becomes of a counter of the harness's own unit (`tipoff run --count`), for the workers that compare it.
#ifndef TIPOFF_WORKERS_COUNTER_EVENT_H
#define TIPOFF_WORKERS_COUNTER_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct counter_event {
    bool read;       // else it has been set off, from 0
    unsigned number; // mhpmcounterN
    uint64_t cycle;  // the first one that it counts; read: the first one that it has not counted
    uint64_t select; // mhpmevent
    uint64_t value;  // read
};

#endif
