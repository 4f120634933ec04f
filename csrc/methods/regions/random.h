// Random numbers that are functions of their seeds: the same on every machine and at every run.
#ifndef TIPOFF_METHODS_REGIONS_RANDOM_H
#define TIPOFF_METHODS_REGIONS_RANDOM_H

#include <stdint.h>

// splitmix64's finalizer (Steele, Lea and Flood, OOPSLA 2014): numbers in sequence give numbers without one.
static inline uint64_t random_mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

// From 0 to below 1, of the upper 53 bits.
static inline double random_unit(uint64_t x) {
    return (double)(x >> 11) * 0x1p-53;
}

// A sequence: each call gives the next one. From 0 to below limit, which is not 0.
static inline uint64_t random_below(uint64_t *state, uint64_t limit) {
    *state += 1;
    return (uint64_t)((unsigned __int128)random_mix(*state) * limit >> 64);
}

#endif
