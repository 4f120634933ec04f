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

// ... with what it still holds of the cycles before, when period and jitter change. Fields: as they stand in a cycle.
struct reload_cycle {
    uint64_t period;
    bool golden;
    unsigned bits;
    uint32_t value;
};
enum {
    RELOAD_LATE = 1,     // cycles from an overflow to the one that asks for its distance
    RELOAD_SETTLING = 9, // in which nothing new is taken, after a write or a step of the fraction
    RELOAD_AFTER = RELOAD_SETTLING + 3 - RELOAD_LATE, // a write counts for overflows that many cycles after it or later
    RELOAD_APART = RELOAD_SETTLING + 4,               // golden reloads that far apart have jitters of their own
};
struct reload_pipe {
    bool active() const { return is_active; }
    uint64_t distance() const { return taken; }
    // The cycle ends; `reloads`: the counter has gone on from here in it; `changed`: period or jitter are written;
    // `seeded`: the register is, both a cycle after the CSR's write. Gives the register as it stands in the next one.
    uint32_t step(const struct reload_cycle &now, bool reloads, bool changed, bool seeded, uint32_t seed) {
        uint32_t next = now.golden || !now.bits ? now.value : lfsr_step(now.value);
        if (steps) next = golden_step(now.value);
        if (seeded) next = seed ? seed : 1;
        values[0] = now.value;
        if (settled & 1) {
            taken = now.golden ? golden_distance(now.period, now.bits, now.value)
                               : reload_distance(now.period, now.bits,
                                                 lfsr_step(values[RELOAD_LATE - 1])); // as if the seed stood at once
            is_active = now.period != 0;
        }
        for (unsigned i = RELOAD_LATE; i > 0; i--)
            values[i] = values[i - 1];
        const bool again = changed || seeded || steps;
        steps = reloaded && was_golden && (settled & 7) == 7 && !steps && !seeded;
        settled = settled << 1 | (!again && wait < 2);
        wait = again ? RELOAD_SETTLING : wait ? wait - 1 : 0;
        reloaded = reloads;
        was_golden = now.golden;
        return next;
    }

  private:
    uint64_t taken = 0;
    uint32_t values[RELOAD_LATE + 1] = {}; // of this cycle, and of those before it
    unsigned wait = RELOAD_SETTLING;
    unsigned settled =
        0; // bit 0: what comes has one setting and one fraction; the bits above: of the cycles before
    bool is_active = false, reloaded = false, steps = false, was_golden = false;
};

#endif
