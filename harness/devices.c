// Devices of the simulated machine (machine/clint.h, machine/peripherals.h), each access after a fixed time.
#include "harness/devices.h"
#include "machine/clint.h"
#include "memory_map.h"
#include <string.h>

static struct clint clint_of(struct devices *d, struct clint_hart harts[MACHINE_MOST_HARTS]) {
    for (unsigned i = 0; i < d->hart_count; i++)
        harts[i] = (struct clint_hart){&d->harts[i].msip, &d->harts[i].mtimecmp};
    return (struct clint){harts, d->hart_count};
}

static struct plic_harts plic_of(struct devices *d) {
    return (struct plic_harts){&d->peripherals.plic, &d->further, d->hart_count};
}

void devices_reset(struct devices *d, unsigned harts, const struct console *console) {
    struct clint_hart registers[MACHINE_MOST_HARTS];
    memset(d, 0, sizeof *d);
    d->hart_count = harts;
    const struct clint clint = clint_of(d, registers);
    clint_reset(&clint);
    peripherals_reset(&d->peripherals, console);
}

void devices_restore(struct devices *d, const struct resume_devices *from, const struct console *console) {
    d->mtime_offset = from->mtime;
    for (unsigned i = 0; i < d->hart_count; i++)
        d->harts[i] = (struct devices_hart){from->harts[i].mtimecmp, from->harts[i].msip};
    d->peripherals = from->peripherals;
    d->further = from->further;
    d->peripherals.uart[0].out = console->out;
    d->peripherals.uart[0].in = console->in;
    d->peripherals.uart[1].out = console->out1;
}

struct device_lines devices_lines(struct devices *d, unsigned hart) {
    const struct plic_harts plic = plic_of(d);
    return (struct device_lines){.mtime_offset = d->mtime_offset,
                                 .mtimecmp = d->harts[hart].mtimecmp,
                                 .msip = d->harts[hart].msip,
                                 .meip = plic_harts_ask(&plic, PLIC_CONTEXTS * hart + PLIC_CONTEXT_M),
                                 .seip = plic_harts_ask(&plic, PLIC_CONTEXTS * hart + PLIC_CONTEXT_S)};
}

uint64_t device_lines_mtime(const struct device_lines *l, uint64_t cycle) {
    return cycle / DEVICES_CYCLES_PER_TICK + l->mtime_offset;
}

bool device_lines_mtip(const struct device_lines *l, uint64_t cycle) {
    return device_lines_mtime(l, cycle) >= l->mtimecmp;
}

uint64_t device_lines_timer(const struct device_lines *l, uint64_t cycle) {
    if (device_lines_mtip(l, cycle)) return cycle;
    uint64_t ticks = l->mtimecmp - l->mtime_offset; // of the running counter
    return ticks > UINT64_MAX / DEVICES_CYCLES_PER_TICK ? UINT64_MAX : ticks * DEVICES_CYCLES_PER_TICK;
}

static uint64_t clint_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t offset,
                             uint64_t data) {
    struct clint_hart harts[MACHINE_MOST_HARTS];
    const struct clint clint = clint_of(d, harts);
    uint64_t mtime = cycle / DEVICES_CYCLES_PER_TICK + d->mtime_offset;
    if (!write) return clint_load(&clint, mtime, offset, bytes);
    clint_store(&clint, &mtime, offset, bytes, data);
    d->mtime_offset = mtime - cycle / DEVICES_CYCLES_PER_TICK;
    return 0;
}

// Of the controller of several harts; that of one is among the peripherals.
static uint64_t plic_access(struct devices *d, bool write, unsigned bytes, uint64_t offset, uint64_t data) {
    const struct plic_harts plic = plic_of(d);
    if (write) {
        plic_harts_write(&plic, offset, (uint32_t)data);
        return 0;
    }
    const uint64_t word = plic_harts_read(&plic, offset);
    return bytes < 4 ? word & ((UINT64_C(1) << 8 * bytes) - 1) : word;
}

void devices_access(struct devices *d, uint64_t cycle, bool write, unsigned bytes, uint64_t addr, uint64_t data,
                    struct device_access *access) {
    *access =
        (struct device_access){.busy = true, .due = cycle + DEVICES_ACCESS_CYCLES, .error = bus_errors_answers(addr)};
    if (access->error) return;
    if (addr - CLINT_BASE < CLINT_BYTES) {
        access->data = clint_access(d, cycle, write, bytes, addr - CLINT_BASE, data);
    } else if (addr - PLIC_BASE < PLIC_BYTES) {
        access->data = plic_access(d, write, bytes, addr - PLIC_BASE, data);
    } else if (write) {
        peripherals_store(&d->peripherals, addr, data);
    } else {
        access->data = peripherals_load(&d->peripherals, addr, bytes);
    }
}

bool device_access_responds(struct device_access *a, uint64_t cycle) {
    if (!a->busy || cycle < a->due) return false;
    a->busy = false;
    return true;
}
