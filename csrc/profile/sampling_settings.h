// How samples in time are asked for (tipoff_period, tipoff_jitter in tables/csrs.tsv): one struct from the command line
// to the unit's registers and to the sample file.
#ifndef TIPOFF_PROFILE_SAMPLING_SETTINGS_H
#define TIPOFF_PROFILE_SAMPLING_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct sampling_settings {
    uint64_t period;      // cycles between samples (mean, where there is jitter), at least 16; 0: none are asked for
    bool follow_program;  // sample whenever the program's own sampling counter overflows; period is 0 then
    uint32_t jitter_bits; // 0: periodic; else each period varies by less than 2^jitter_bits cycles
    bool golden;          // ... by the golden ratio, else at random; without bits by one cycle
    uint64_t seed;        // of the jitter
};

static inline bool sampling_settings_any(const struct sampling_settings *s) {
    return s->period || s->follow_program;
}

#endif
