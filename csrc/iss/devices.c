// CLINT, and the way to the other devices (base/peripherals.h).
#include "iss/iss_internal.h"

enum { CLINT_MSIP = 0x0, CLINT_MTIMECMP = 0x4000, CLINT_MTIME = 0xbff8 };

void iss_devices_reset(struct iss *s) {
    s->msip = false;
    s->mtime_offset = 0;
    s->mtimecmp = UINT64_MAX; // no timer interrupt before software asks for one
    peripherals_reset(&s->peripherals, &s->console);
}

uint64_t iss_mtime(const struct iss *s) {
    return s->steps / INSTRUCTIONS_PER_TICK + s->mtime_offset;
}

uint64_t iss_steps_to_timer(const struct iss *s) {
    uint64_t now = iss_mtime(s);
    if (now >= s->mtimecmp) return 0;
    uint64_t ticks = s->mtimecmp - now;
    if (ticks > UINT64_MAX / 2 / INSTRUCTIONS_PER_TICK) return UINT64_MAX;
    return ticks * INSTRUCTIONS_PER_TICK - s->steps % INSTRUCTIONS_PER_TICK;
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

uint64_t iss_device_load(struct iss *s, uint64_t address, unsigned bytes) {
    if (address - CLINT_BASE >= CLINT_BYTES) return peripherals_load(&s->peripherals, address, bytes);
    uint64_t offset = address - CLINT_BASE;
    switch (offset & ~UINT64_C(7)) {
    case CLINT_MSIP: return part_read(s->msip, offset, bytes);
    case CLINT_MTIMECMP: return part_read(s->mtimecmp, offset, bytes);
    case CLINT_MTIME: return part_read(iss_mtime(s), offset, bytes);
    default: return 0;
    }
}

void iss_device_store(struct iss *s, uint64_t address, unsigned bytes, uint64_t value) {
    if (address - CLINT_BASE >= CLINT_BYTES) {
        peripherals_store(&s->peripherals, address, value);
        return;
    }
    uint64_t offset = address - CLINT_BASE;
    switch (offset & ~UINT64_C(7)) {
    case CLINT_MSIP: s->msip = part_write(s->msip, offset, bytes, value) & 1; break;
    case CLINT_MTIMECMP: s->mtimecmp = part_write(s->mtimecmp, offset, bytes, value); break;
    case CLINT_MTIME: s->mtime_offset += part_write(iss_mtime(s), offset, bytes, value) - iss_mtime(s); break;
    default: break;
    }
}
