// Registers of the CLINT, and accesses to parts of them.
#include "machine/clint.h"

enum { MSIP = 0x0, MTIMECMP = 0x4000, MTIME = 0xbff8 };

void clint_reset(const struct clint *c) {
    for (unsigned i = 0; i < c->count; i++) {
        *c->harts[i].msip = false;
        *c->harts[i].mtimecmp = UINT64_MAX;
    }
}

// The bytes of a 64-bit word that an access means.
static uint64_t mask_of(uint64_t offset, unsigned bytes) {
    return (bytes == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * bytes) - 1) << 8 * (offset & 7);
}

static uint64_t part_of(uint64_t word, uint64_t offset, unsigned bytes) {
    return (word & mask_of(offset, bytes)) >> 8 * (offset & 7);
}

static uint64_t with_part(uint64_t word, uint64_t offset, unsigned bytes, uint64_t value) {
    const uint64_t mask = mask_of(offset, bytes);
    return (word & ~mask) | (value << 8 * (offset & 7) & mask);
}

// Two harts' msip share a word of 64 bits.
static uint64_t msips(const struct clint *c, uint64_t first) {
    const uint64_t low = first < c->count && *c->harts[first].msip;
    const uint64_t high = first + 1 < c->count && *c->harts[first + 1].msip;
    return low | high << 32;
}

static void set_msips(const struct clint *c, uint64_t first, uint64_t word) {
    if (first < c->count) *c->harts[first].msip = word & 1;
    if (first + 1 < c->count) *c->harts[first + 1].msip = word >> 32 & 1;
}

uint64_t clint_load(const struct clint *c, uint64_t mtime, uint64_t offset, unsigned bytes) {
    const uint64_t hart = (offset - MTIMECMP) / 8;
    if (offset < MTIMECMP) return part_of(msips(c, offset / 8 * 2), offset, bytes);
    if (hart < c->count) return part_of(*c->harts[hart].mtimecmp, offset, bytes);
    return (offset & ~UINT64_C(7)) == MTIME ? part_of(mtime, offset, bytes) : 0;
}

void clint_store(const struct clint *c, uint64_t *mtime, uint64_t offset, unsigned bytes, uint64_t value) {
    const uint64_t hart = (offset - MTIMECMP) / 8, first = offset / 8 * 2;
    if (offset < MTIMECMP) {
        set_msips(c, first, with_part(msips(c, first), offset, bytes, value));
    } else if (hart < c->count) {
        *c->harts[hart].mtimecmp = with_part(*c->harts[hart].mtimecmp, offset, bytes, value);
    } else if ((offset & ~UINT64_C(7)) == MTIME) {
        *mtime = with_part(*mtime, offset, bytes, value);
    }
}
