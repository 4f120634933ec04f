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
// The distance that an overflow of one cycle takes is asked for in the next one.
struct reload_pipe {
    struct reload_cycle before[3]; // the last one first
    __int128 jitter[3];            // of this cycle, and of those before it
    unsigned fresh;                // bit i: the register was set anew i + 1 cycles ago
    bool reloaded;                 // an overflow of the cycle before the last is to step the fraction

    bool active() const {
        return before[2].period != 0;
    }
    uint64_t distance(const struct reload_cycle &now) const {
        const struct reload_cycle &of = before[0];
        const uint64_t whole = (of.period & ~UINT64_C(0xffffffff)) | (before[1].period & 0xffffffff);
        const __int128 d = whole + jitter[2];
        if (d >= 16 && d < (__int128)1 << 64) return (uint64_t)d;
        const uint64_t upper = now.period & ~UINT64_C(15);
        return (upper ? upper : 16) + (of.period < 16 ? 0 : of.period & 15);
    }
    // The cycle ends; `reloads`: the counter has gone on from here in it; `seeded`: the register is written.
    // Gives the register as it stands in the next one.
    uint32_t step(const struct reload_cycle &now, bool reloads, bool seeded, uint32_t seed) {
        uint32_t next = now.golden || !now.bits ? now.value : lfsr_step(now.value);
        const bool steps = reloaded && now.golden && !fresh;
        if (steps) next = golden_step(now.value);
        if (seeded) next = seed ? seed : 1;
        __int128 drawn = jitter[0];
        if (now.golden) {
            if (!fresh) drawn = golden_jitter(before[0].bits, now.value);
        } else if (!(fresh & 1)) {
            drawn = random_jitter(before[0].bits, lfsr_step(lfsr_step(lfsr_step(before[0].value))), before[1].bits);
        }
        jitter[2] = jitter[1];
        jitter[1] = jitter[0];
        jitter[0] = drawn;
        fresh = (fresh << 1 | (seeded || steps)) & 3;
        reloaded = reloads;
        before[2] = before[1];
        before[1] = before[0];
        before[0] = now;
        return next;
    }

  private:
    // The width may change between the look at the uppermost bit and that at the others.
    static __int128 random_jitter(unsigned bits, uint32_t value, unsigned bits_before) {
        if (bits > 32) bits = 32;
        if (bits_before > 32) bits_before = 32;
        if (!bits) return 0;
        const __int128 half = (__int128)1 << (bits - 1);
        return (value & (half - 1)) - (value >> ((bits_before - 1) & 31) & 1 ? 0 : half);
    }
};

#endif
