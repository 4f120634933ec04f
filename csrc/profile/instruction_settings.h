// How ProfileMe is set (mpdisctl, spdiscounter; docs/reference/profileme.md).
#ifndef TIPOFF_PROFILE_INSTRUCTION_SETTINGS_H
#define TIPOFF_PROFILE_INSTRUCTION_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct instruction_settings {
    uint64_t interval; // spdiscounter.initval: instructions, or fetch opportunities
    uint8_t jitter;    // low bits of it that are drawn each time, 31 at most
    uint8_t window;    // of pairs: the second is 1 to 2^window after the first
    bool pairs;
    bool opportunities; // are counted, and not instructions
};

// The shortest and the longest distance of two samples, or of two pairs: low bits are drawn, and 16 is the least.
static inline uint64_t instruction_interval_least(const struct instruction_settings *s) {
    const uint64_t base = s->interval & ~((UINT64_C(1) << s->jitter) - 1);
    return base < 16 ? 16 : base;
}
static inline uint64_t instruction_interval_most(const struct instruction_settings *s) {
    const uint64_t most = s->interval | ((UINT64_C(1) << s->jitter) - 1);
    return most < 16 ? 16 : most;
}
// The mean one, S of the paper (section 5.1); drawn numbers are uniform.
static inline double instruction_interval(const struct instruction_settings *s) {
    return ((double)instruction_interval_least(s) + (double)instruction_interval_most(s)) / 2;
}

#endif
