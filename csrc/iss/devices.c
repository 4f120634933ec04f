// The machine's time, and the way to the devices (machine/clint.h, machine/peripherals.h).
#include "iss/iss_internal.h"
#include "machine/clint.h"

// The CLINT's registers stand in the harts.
struct clint_of {
    struct clint_hart harts[ISS_MOST_HARTS];
};
static struct clint clint_of(struct iss *iss, struct clint_of *of) {
    for (unsigned i = 0; i < iss->hart_count; i++)
        of->harts[i] = (struct clint_hart){&iss->harts[i].msip, &iss->harts[i].mtimecmp};
    return (struct clint){of->harts, iss->hart_count};
}

void iss_devices_reset(struct iss *iss) {
    struct clint_of of;
    const struct clint clint = clint_of(iss, &of);
    iss->mtime_offset = 0;
    clint_reset(&clint);
    peripherals_reset(&iss->peripherals, &iss->console);
}

uint64_t iss_steps(const struct iss *iss) {
    uint64_t steps = 0;
    for (unsigned i = 0; i < iss->hart_count; i++)
        steps += iss->harts[i].steps;
    return steps;
}

uint64_t iss_mtime(const struct iss *iss) {
    return iss_steps(iss) / INSTRUCTIONS_PER_TICK + iss->mtime_offset;
}

uint64_t iss_steps_to_timer(const struct hart *h) {
    uint64_t now = iss_mtime(h->machine);
    if (now >= h->mtimecmp) return 0;
    uint64_t ticks = h->mtimecmp - now;
    if (ticks > UINT64_MAX / 2 / INSTRUCTIONS_PER_TICK) return UINT64_MAX;
    return ticks * INSTRUCTIONS_PER_TICK - iss_steps(h->machine) % INSTRUCTIONS_PER_TICK;
}

uint64_t iss_device_load(struct iss *iss, uint64_t address, unsigned bytes) {
    if (address - CLINT_BASE >= CLINT_BYTES) return peripherals_load(&iss->peripherals, address, bytes);
    struct clint_of of;
    const struct clint clint = clint_of(iss, &of);
    return clint_load(&clint, iss_mtime(iss), address - CLINT_BASE, bytes);
}

void iss_device_store(struct iss *iss, uint64_t address, unsigned bytes, uint64_t value) {
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
