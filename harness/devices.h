// Devices of the simulated machine: the CLINT, and the way to it and to the others (machine/peripherals.h).
#ifndef TIPOFF_HARNESS_DEVICES_H
#define TIPOFF_HARNESS_DEVICES_H

#include "machine/peripherals.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define DEVICES_CYCLES_PER_TICK 100 // core cycles for one tick of mtime

struct devices {
    uint64_t mtime_offset, mtimecmp;
    bool msip;
    bool busy;    // an access waits for its response
    uint64_t due; // cycle of that response
    uint64_t read_data;
    bool error; // the bus answers with an error
    struct peripherals peripherals;
};

void devices_reset(struct devices *d, const struct console *console);
// An access of 1, 2, 4 or 8 bytes in the given cycle. It takes effect at once, the response comes a few cycles later.
void devices_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t addr, uint64_t data);
bool devices_respond(struct devices *d, uint64_t cycle); // true in the cycle of the response; read_data holds it
uint64_t devices_mtime(const struct devices *d, uint64_t cycle);
bool devices_mtip(const struct devices *d, uint64_t cycle);
uint64_t devices_timer(const struct devices *d, uint64_t cycle); // first cycle from this on with MTIP; UINT64_MAX: none

#endif
