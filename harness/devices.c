// CLINT of the simulated machine, and the way to the other devices, each access after a fixed time.
#include "harness/devices.h"
#include "memory_map.h"
#include <string.h>

enum { ACCESS_CYCLES = 8 }; // a device access over the peripheral bus
enum { CLINT_MSIP = 0x0, CLINT_MTIMECMP = 0x4000, CLINT_MTIME = 0xbff8 };

void devices_reset(struct devices *d, const struct console *console) {
    memset(d, 0, sizeof *d);
    d->mtimecmp = UINT64_MAX; // no timer interrupt before software asks for one
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

// An access to part of a 64-bit register: shift and mask of the bytes that are meant.
static uint64_t part_read(uint64_t value, uint64_t addr, unsigned bytes) {
    value >>= 8 * (addr & 7);
    return bytes == 8 ? value : value & ((1ull << (8 * bytes)) - 1);
}

static uint64_t part_write(uint64_t old, uint64_t addr, unsigned bytes, uint64_t data) {
    uint64_t mask = bytes == 8 ? ~0ull : ((1ull << (8 * bytes)) - 1) << (8 * (addr & 7));
    return (old & ~mask) | (data << (8 * (addr & 7)) & mask);
}

static uint64_t clint_read(const struct devices *d, uint64_t cycle, uint64_t offset, unsigned bytes) {
    switch (offset & ~7ull) {
    case CLINT_MSIP: return part_read(d->msip, offset, bytes);
    case CLINT_MTIMECMP: return part_read(d->mtimecmp, offset, bytes);
    case CLINT_MTIME: return part_read(devices_mtime(d, cycle), offset, bytes);
    default: return 0;
    }
}

static void clint_write(struct devices *d, uint64_t cycle, uint64_t offset, unsigned bytes, uint64_t data) {
    switch (offset & ~7ull) {
    case CLINT_MSIP: d->msip = (uint32_t)part_write(d->msip, offset, bytes, data) & 1; break;
    case CLINT_MTIMECMP: d->mtimecmp = part_write(d->mtimecmp, offset, bytes, data); break;
    case CLINT_MTIME:
        d->mtime_offset = part_write(devices_mtime(d, cycle), offset, bytes, data) - cycle / DEVICES_CYCLES_PER_TICK;
        break;
    default: break;
    }
}

void devices_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t addr, uint64_t data) {
    d->busy = true;
    d->due = cycle + ACCESS_CYCLES;
    d->read_data = 0;
    d->error = bus_errors_answers(addr);
    if (d->error) return;
    if (addr - CLINT_BASE < CLINT_BYTES) {
        if (write) {
            clint_write(d, cycle, addr - CLINT_BASE, bytes, data);
        } else {
            d->read_data = clint_read(d, cycle, addr - CLINT_BASE, bytes);
        }
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
