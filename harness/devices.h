// Devices of the simulated machine: the CLINT, and the way to it and to the others (machine/peripherals.h).
#ifndef TIPOFF_HARNESS_DEVICES_H
#define TIPOFF_HARNESS_DEVICES_H

#include "iss/resume.h"
#include "machine/peripherals.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define DEVICES_CYCLES_PER_TICK 100 // core cycles for one tick of mtime

// What a hart's interrupt lines follow from.
struct device_lines {
    uint64_t mtime_offset, mtimecmp;
    bool msip, meip, seip;
};
struct devices_hart {
    uint64_t mtimecmp;
    bool msip;
};
struct devices {
    uint64_t mtime_offset;
    struct devices_hart harts[MACHINE_MOST_HARTS];
    unsigned hart_count;
    struct peripherals peripherals;
    struct plic_further further; // its contexts of harts from 1 on
};

// A tile has one access at a time.
struct device_access {
    bool busy;    // it waits for its response
    uint64_t due; // cycle of that response
    uint64_t data;
    bool error; // the bus answers with an error
};

void devices_reset(struct devices *d, unsigned harts, const struct console *console);
// As a checkpoint has them, at the ends that console names.
void devices_restore(struct devices *d, const struct resume_devices *from, const struct console *console);
enum { DEVICES_ACCESS_CYCLES = 8 }; // over the peripheral bus
// An access of 1, 2, 4 or 8 bytes in the given cycle: it takes effect at once, and fills in *access: the response comes
// a few cycles later.
void devices_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t addr, uint64_t data,
                    struct device_access *access);
bool device_access_responds(struct device_access *a, uint64_t cycle); // true in the cycle of the response

struct device_lines devices_lines(struct devices *d, unsigned hart);
uint64_t device_lines_mtime(const struct device_lines *l, uint64_t cycle);
bool device_lines_mtip(const struct device_lines *l, uint64_t cycle);
// The first cycle from this one on with MTIP; UINT64_MAX: none.
uint64_t device_lines_timer(const struct device_lines *l, uint64_t cycle);

#endif
