// How samples in time are asked for (tipoff_period, tipoff_jitter in tables/csrs.tsv): one struct from the command line
// to the unit's registers and to the sample file.
#ifndef TIPOFF_PROFILE_SAMPLING_SETTINGS_H
#define TIPOFF_PROFILE_SAMPLING_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLING_SHORTEST = 16, // cycles from one sample to the next
    SAMPLING_DEFAULT = 97   // period of a run that is to be sampled, where nobody says otherwise
};

struct sampling_settings {
    uint64_t period;      // cycles between samples (mean, where there is jitter), SAMPLING_SHORTEST at least; 0: none
    bool follow_program;  // sample whenever the program's own sampling counter overflows; period is 0 then
    uint32_t jitter_bits; // 0: periodic; else each period varies by less than 2^jitter_bits cycles
    bool golden;          // ... by the golden ratio, else at random; without bits by one cycle
    uint64_t seed;        // of the jitter
};

static inline bool sampling_settings_any(const struct sampling_settings *s) {
    return s->period || s->follow_program;
}

// Bits of jitter: 2^bits is at most the period (1 or more).
static inline unsigned sampling_settings_most_jitter(uint64_t period) {
    const unsigned bits = (unsigned)(63 - __builtin_clzll(period));
    return bits < 32 ? bits : 32;
}
// ... and no distance, which at random is 2^(bits - 1) below the period at least, is one that the unit replaces by the
// period (tables/csrs.tsv, tipoff_jitter): the mean stays what was asked for.
static inline unsigned sampling_settings_jitter(uint64_t period) {
    unsigned bits = sampling_settings_most_jitter(period);
    while (bits && period - (UINT64_C(1) << (bits - 1)) < SAMPLING_SHORTEST)
        bits--;
    return bits;
}

#endif
