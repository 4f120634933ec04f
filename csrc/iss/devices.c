// CLINT, and the way to the other devices (base/peripherals.h).
#include "iss/iss_internal.h"

enum { CLINT_MSIP = 0x0, CLINT_MTIMECMP = 0x4000, CLINT_MTIME = 0xbff8 };

void iss_devices_reset(struct iss *iss) {
    iss->mtime_offset = 0;
    for (unsigned i = 0; i < ISS_HARTS; i++) {
        iss->harts[i].msip = false;
        iss->harts[i].mtimecmp = UINT64_MAX; // no timer interrupt before software asks for one
    }
    peripherals_reset(&iss->peripherals, &iss->console);
}

uint64_t iss_mtime(const struct iss *iss) {
    return iss_first_of(iss)->steps / INSTRUCTIONS_PER_TICK + iss->mtime_offset;
}

uint64_t iss_steps_to_timer(const struct hart *h) {
    uint64_t now = iss_mtime(h->machine);
    if (now >= h->mtimecmp) return 0;
    uint64_t ticks = h->mtimecmp - now;
    if (ticks > UINT64_MAX / 2 / INSTRUCTIONS_PER_TICK) return UINT64_MAX;
    return ticks * INSTRUCTIONS_PER_TICK - iss_first_of(h->machine)->steps % INSTRUCTIONS_PER_TICK;
}

// Accesses to part of a 64-bit register.
static uint64_t mask_of(uint64_t address, unsigned bytes) {
    return (bytes == 8 ? ~UINT64_C(0) : (UINT64_C(1) << (8 * bytes)) - 1) << (8 * (address & 7));
}

static uint64_t part_read(uint64_t value, uint64_t address, unsigned bytes) {
    return (value & mask_of(address, bytes)) >> (8 * (address & 7));
}

static uint64_t part_write(uint64_t old, uint64_t address, unsigned bytes, uint64_t value) {
    uint64_t mask = mask_of(address, bytes);
    return (old & ~mask) | (value << (8 * (address & 7)) & mask);
}

// msip is a word of 32 bits a hart, mtimecmp one of 64.
static uint64_t msips(const struct iss *iss, uint64_t first) {
    uint64_t low = first < ISS_HARTS && iss->harts[first].msip;
    uint64_t high = first + 1 < ISS_HARTS && iss->harts[first + 1].msip;
    return low | high << 32;
}

static void set_msips(struct iss *iss, uint64_t first, uint64_t value) {
    if (first < ISS_HARTS) iss->harts[first].msip = value & 1;
    if (first + 1 < ISS_HARTS) iss->harts[first + 1].msip = value >> 32 & 1;
}

uint64_t iss_device_load(struct iss *iss, uint64_t address, unsigned bytes) {
    if (address - CLINT_BASE >= CLINT_BYTES) return peripherals_load(&iss->peripherals, address, bytes);
    uint64_t offset = address - CLINT_BASE, hart = (offset - CLINT_MTIMECMP) / 8;
    if (offset < CLINT_MTIMECMP) return part_read(msips(iss, offset / 8 * 2), offset, bytes);
    if (hart < ISS_HARTS) return part_read(iss->harts[hart].mtimecmp, offset, bytes);
    return (offset & ~UINT64_C(7)) == CLINT_MTIME ? part_read(iss_mtime(iss), offset, bytes) : 0;
}

void iss_device_store(struct iss *iss, uint64_t address, unsigned bytes, uint64_t value) {
    if (address - CLINT_BASE >= CLINT_BYTES) {
        peripherals_store(&iss->peripherals, address, value);
        return;
    }
    uint64_t offset = address - CLINT_BASE, hart = (offset - CLINT_MTIMECMP) / 8, first = offset / 8 * 2;
    if (offset < CLINT_MTIMECMP) {
        set_msips(iss, first, part_write(msips(iss, first), offset, bytes, value));
    } else if (hart < ISS_HARTS) {
        iss->harts[hart].mtimecmp = part_write(iss->harts[hart].mtimecmp, offset, bytes, value);
    } else if ((offset & ~UINT64_C(7)) == CLINT_MTIME) {
        iss->mtime_offset += part_write(iss_mtime(iss), offset, bytes, value) - iss_mtime(iss);
    }
}
