// The sampling counter's hardware reload a second time, in numbers of more than 64 bits: generator of the jitter
// (rtl/prim/lfsr.sv) from its polynomial, the golden ratio's offsets, and the distance to the next overflow.
#ifndef TIPOFF_RTL_RELOAD_H
#define TIPOFF_RTL_RELOAD_H

#include <stdint.h>

// x^32 + x^22 + x^2 + x + 1, Galois form.
static inline uint32_t lfsr_step(uint32_t value) {
    return value >> 1 ^ (value & 1 ? 0x80200003u : 0);
}
static inline uint32_t golden_step(uint32_t fraction) {
    const uint32_t next = fraction + 0x9e3779b9u;
    return next ? next : 1; // the register is never zero
}

static inline __int128 random_jitter(unsigned bits, uint32_t value) {
    if (bits > 32) bits = 32;
    return bits ? (__int128)(value & ((UINT64_C(1) << bits) - 1)) - ((__int128)1 << (bits - 1)) : 0;
}
// From an offset of 2^bits times the fraction to that of the next one; without bits the whole turns themselves count.
static inline __int128 golden_jitter(unsigned bits, uint32_t fraction) {
    if (bits > 32) bits = 32;
    const uint64_t next = (uint64_t)fraction + 0x9e3779b9u;
    return bits ? (__int128)((next & 0xffffffffu) >> (32 - bits)) - (fraction >> (32 - bits)) : (__int128)(next >> 32);
}

// In cycles or events. A distance that is not from 16 to 2^64 - 1 is the period without jitter, or 16.
static inline uint64_t reload_replaced(__int128 distance, uint64_t period) {
    if (distance < 16 || distance >= (__int128)1 << 64) distance = period;
    return distance < 16 ? 16 : (uint64_t)distance;
}
static inline uint64_t reload_distance(uint64_t period, unsigned bits, uint32_t value) {
    return reload_replaced(period + random_jitter(bits, value), period);
}
static inline uint64_t golden_distance(uint64_t period, unsigned bits, uint32_t fraction) {
    return reload_replaced(period + golden_jitter(bits, fraction), period);
}

// ... with what its registers still hold of the cycles before, when period and jitter change. Fields: as they stand in a cycle.
struct reload_cycle {
    uint64_t period;
    bool golden;
    unsigned bits;
    uint32_t value;
};
struct reload_pipe {
    struct reload_cycle before[3]; // the last one first

    bool active() const {
        return before[2].period != 0;
    }
    uint64_t distance() const {
        const struct reload_cycle &b = before[2];
        const uint64_t period = (before[0].period & ~UINT64_C(0xffffffff)) | (before[1].period & 0xffffffff);
        const __int128 jitter = b.golden ? golden_jitter(b.bits, b.value) : random_jitter(b.bits, lfsr_step(lfsr_step(lfsr_step(b.value))));
        return reload_replaced(period + jitter, before[0].period);
    }
    // The cycle ends; `reloads`: its counter has gone on from here. Gives the register as it stands in the next one.
    uint32_t step(const struct reload_cycle &now, bool reloads) {
        before[2] = before[1];
        before[1] = before[0];
        before[0] = now;
        if (now.golden) return reloads ? golden_step(now.value) : now.value;
        return now.bits ? lfsr_step(now.value) : now.value;
    }
};

#endif
