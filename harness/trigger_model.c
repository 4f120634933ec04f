// Counter, reload and shift register of the sampling counter, in numbers of cycles.
#include "harness/trigger_model.h"
#include <stdbool.h>

enum { SHORTEST = 16 }; // cycles between two triggers

// Galois shift register for x^32 + x^22 + x^2 + x + 1.
static uint32_t step(uint32_t value) {
    return value & 1 ? value >> 1 ^ 0x80200003u : value >> 1;
}

void trigger_model_start(struct trigger_model *m, uint64_t period, unsigned jitter_bits, uint32_t seed, uint64_t seeded,
                         uint64_t started) {
    *m = (struct trigger_model){.period = period,
                                .jitter_bits = jitter_bits,
                                .random = seed ? seed : 1,
                                .at = seeded + 1,
                                .next = started + period};
}

// The distance that the counter is set to as it overflows in cycle m->next.
static uint64_t distance(struct trigger_model *m) {
    uint64_t plain = m->period < SHORTEST ? SHORTEST : m->period;
    if (!m->jitter_bits) return plain;
    for (; m->at < m->next; m->at++)
        m->random = step(m->random);
    uint64_t span = UINT64_C(1) << m->jitter_bits;
    uint64_t drawn = m->random & (span - 1), below = span / 2; // the jitter is drawn - below
    bool shorter = drawn < below;
    uint64_t size = shorter ? below - drawn : drawn - below;
    if (shorter) return size <= m->period && m->period - size >= SHORTEST ? m->period - size : plain;
    return size <= UINT64_MAX - m->period && m->period + size >= SHORTEST ? m->period + size : plain;
}

void trigger_model_advance(struct trigger_model *m) {
    m->next += distance(m);
}
