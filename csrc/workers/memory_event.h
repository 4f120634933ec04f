// What passes between the core and the machine around it: the one source of knowledge about misses and pending
// interrupts that is not the core's own.
#ifndef TIPOFF_WORKERS_MEMORY_EVENT_H
#define TIPOFF_WORKERS_MEMORY_EVENT_H

#include "trace/dpi.h"
#include <stdbool.h>
#include <stdint.h>

enum memory_event_kind {
    MEMORY_READ,        // a port asks for a line
    MEMORY_RESPONSE,    // and gets it
    MEMORY_WRITE,       // the data port writes a line back
    MEMORY_DIRTY,       // at the end of the run: a line in the L1, or on its way out of it, that memory does not have
    MEMORY_DEVICE_READ, // an access to a device takes effect
    MEMORY_DEVICE_WRITE,
    MEMORY_SETTLED, // at the end of the run: stores that had committed before its end are done, or it was cut off
    MEMORY_SNOOP,   // of a coherent core: the hub asks for a line that its L1 may have
    MEMORY_SNOOPED, // ... and has the answer
    MEMORY_LINES,   // the interrupt lines changed, or when the timer will ask, or mtime may have; and in the first tick
};

struct memory_event {
    enum memory_event_kind kind;
    uint64_t tick;    // a response or snoop of tick t is seen by the core in cycle t, all else it did in cycle t - 1
    int port;         // DPI_PORT_*
    unsigned id;      // of READ and RESPONSE
    bool prefetch;    // of READ of a coherent core: the hub may refuse it
    bool refused;     // of RESPONSE: it has; there is no line
    bool found;       // of SNOOPED: the core had something of the line
    bool llc_miss;    // of RESPONSE: the line came from DRAM
    bool cut;         // of DIRTY and SETTLED: the program has not ended, so an AMO may be between its write and its
                      // commit, and stores may wait behind theirs
    bool failed;      // of DEVICE_*: the bus answers with an error
    unsigned bytes;   // of DEVICE_*
    uint64_t address; // of READ, WRITE and DIRTY: of the line; of DEVICE_*
    uint64_t value;   // of DEVICE_*: its low bytes, what is stored, or what the device gives
    const uint64_t *data; // of WRITE and DIRTY: 8 words
    uint32_t lines; // of LINES: TICK_MSIP, TICK_MTIP, TICK_MEIP, TICK_SEIP (trace/dpi.h), as the core sees them from
                    // cycle `tick` on
    uint64_t timer; // of LINES: tick in which MTIP will rise if nothing changes; UINT64_MAX: never
    uint64_t time;  // of LINES: mtime as it now is, less the ticks of the machine that it goes by ...
    uint32_t time_ticks; // ... this many for one of its own
};

// The lines of a LINES event as bits of mip: MSIP, MTIP, SEIP, MEIP.
static inline uint64_t memory_event_pending(const struct memory_event *event) {
    return (event->lines & TICK_MSIP ? 1u << 3 : 0) | (event->lines & TICK_MTIP ? 1u << 7 : 0) |
           (event->lines & TICK_SEIP ? 1u << 9 : 0) | (event->lines & TICK_MEIP ? 1u << 11 : 0);
}

#endif
