// Devices of the simulated machine (machine/clint.h, machine/peripherals.h), each access after a fixed time.
#include "harness/devices.h"
#include "machine/clint.h"
#include "memory_map.h"
#include <string.h>

enum { ACCESS_CYCLES = 8 }; // a device access over the peripheral bus

void devices_reset(struct devices *d, const struct console *console) {
    memset(d, 0, sizeof *d);
    clint_reset(&(struct clint){&(struct clint_hart){&d->msip, &d->mtimecmp}, 1});
    peripherals_reset(&d->peripherals, console);
}

uint64_t devices_mtime(const struct devices *d, uint64_t cycle) {
    return cycle / DEVICES_CYCLES_PER_TICK + d->mtime_offset;
}

bool devices_mtip(const struct devices *d, uint64_t cycle) {
    return devices_mtime(d, cycle) >= d->mtimecmp;
}

uint64_t devices_timer(const struct devices *d, uint64_t cycle) {
    if (devices_mtip(d, cycle)) return cycle;
    uint64_t ticks = d->mtimecmp - d->mtime_offset; // of the running counter
    return ticks > UINT64_MAX / DEVICES_CYCLES_PER_TICK ? UINT64_MAX : ticks * DEVICES_CYCLES_PER_TICK;
}

static uint64_t clint_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t offset,
                             uint64_t data) {
    const struct clint_hart hart = {&d->msip, &d->mtimecmp};
    const struct clint clint = {&hart, 1};
    uint64_t mtime = devices_mtime(d, cycle);
    if (!write) return clint_load(&clint, mtime, offset, bytes);
    clint_store(&clint, &mtime, offset, bytes, data);
    d->mtime_offset = mtime - cycle / DEVICES_CYCLES_PER_TICK;
    return 0;
}

void devices_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    d->busy = true;
    d->due = cycle + ACCESS_CYCLES;
    d->read_data = 0;
    d->error = bus_errors_answers(addr);
    if (d->error) return;
    if (addr - CLINT_BASE < CLINT_BYTES) {
        d->read_data = clint_access(d, cycle, write, bytes, addr - CLINT_BASE, data);
    } else if (write) {
        peripherals_store(&d->peripherals, addr, data);
    } else {
        d->read_data = peripherals_load(&d->peripherals, addr, bytes);
    }
}

bool devices_respond(struct devices *d, uint64_t cycle) {
    if (!d->busy || cycle < d->due) return false;
    d->busy = false;
    return true;
}
