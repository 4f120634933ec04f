// The sampling counter's hardware reload a second time, in numbers of more than 64 bits: generator of the jitter
// (rtl/prim/lfsr.sv) from its polynomial, and the distance to the next overflow.
#ifndef TIPOFF_RTL_RELOAD_H
#define TIPOFF_RTL_RELOAD_H

#include <stdint.h>

// x^32 + x^22 + x^2 + x + 1, Galois form.
static inline uint32_t lfsr_step(uint32_t value) {
    return value >> 1 ^ (value & 1 ? 0x80200003u : 0);
}

// In cycles or events. A distance that is not from 16 to 2^64 - 1 is the period without jitter, or 16.
static inline uint64_t reload_distance(uint64_t period, unsigned bits, uint32_t value) {
    __int128 jitter = bits ? (__int128)(value & ((UINT64_C(1) << bits) - 1)) - ((__int128)1 << (bits - 1)) : 0;
    __int128 distance = (__int128)period + jitter;
    if (distance < 16 || distance >= (__int128)1 << 64) distance = period;
    return distance < 16 ? 16 : (uint64_t)distance;
}

#endif
