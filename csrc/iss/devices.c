// The machine's time, and the way to the devices (machine/clint.h, machine/peripherals.h).
#include "iss/iss_internal.h"
#include "machine/clint.h"

// The CLINT's registers stand in the harts.
struct clint_of {
    struct clint_hart harts[MACHINE_MOST_HARTS];
};
static struct clint clint_of(struct iss *iss, struct clint_of *of) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        of->harts[i] = (struct clint_hart){&iss->harts[i].msip, &iss->harts[i].mtimecmp};
    return (struct clint){of->harts, iss->hart_count};
}

void iss_devices_reset(struct iss *iss) {
    struct clint_of of;
    const struct clint clint = clint_of(iss, &of);
    iss->mtime_offset = iss->idle = 0;
    iss->turn = 0;
    iss->slice = iss->quantum;
    iss->plic_further = (struct plic_further){0};
    clint_reset(&clint);
    peripherals_reset(&iss->peripherals, &iss->console);
}

uint64_t iss_clock(const struct iss *iss) {
    uint64_t steps = iss->idle + iss->harts[0].steps;
    for (unsigned i = 1; i < iss->hart_count; i++)
        steps += iss->harts[i].steps;
    return steps;
}

// Harts run side by side: a tick is this number of instructions of each.
static uint64_t steps_per_tick(const struct iss *iss) {
    return (uint64_t)INSTRUCTIONS_PER_TICK * iss->hart_count;
}

uint64_t iss_mtime(const struct iss *iss) {
    if (iss->held) return iss->mtime_offset;
    return iss_clock(iss) / INSTRUCTIONS_PER_TICK / iss->hart_count + iss->mtime_offset;
}

uint64_t iss_steps_to_timer(const struct hart *h) {
    uint64_t now = iss_mtime(h->machine);
    if (now >= h->mtimecmp) return 0;
    uint64_t ticks = h->mtimecmp - now;
    const uint64_t tick = steps_per_tick(h->machine);
    if (ticks > UINT64_MAX / 2 / tick) return UINT64_MAX;
    return ticks * tick - iss_clock(h->machine) % tick;
}

static bool is_of_plic(uint64_t address) {
    return address - PLIC_BASE < PLIC_BYTES;
}

uint64_t iss_device_load(struct iss *iss, uint64_t address, unsigned bytes) {
    if (is_of_plic(address)) {
        const struct plic_harts plic = iss_plic(iss);
        const uint64_t word = plic_harts_read(&plic, address - PLIC_BASE);
        return bytes < 4 ? word & ((UINT64_C(1) << 8 * bytes) - 1) : word;
    }
    if (address - CLINT_BASE >= CLINT_BYTES) return peripherals_load(&iss->peripherals, address, bytes);
    struct clint_of of;
    const struct clint clint = clint_of(iss, &of);
    return clint_load(&clint, iss_mtime(iss), address - CLINT_BASE, bytes);
}

void iss_device_store(struct iss *iss, uint64_t address, unsigned bytes, uint64_t value) {
    if (is_of_plic(address)) {
        const struct plic_harts plic = iss_plic(iss);
        plic_harts_write(&plic, address - PLIC_BASE, (uint32_t)value);
        return;
    }
    if (address - CLINT_BASE >= CLINT_BYTES) {
        peripherals_store(&iss->peripherals, address, value);
        return;
    }
    struct clint_of of;
    const struct clint clint = clint_of(iss, &of);
    const uint64_t before = iss_mtime(iss);
    uint64_t mtime = before;
    clint_store(&clint, &mtime, address - CLINT_BASE, bytes, value);
    iss->mtime_offset += mtime - before;
}
