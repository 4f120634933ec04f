// Counter, reload and shift register of the sampling counter, in numbers of cycles.
#include "harness/trigger_model.h"

enum { SHORTEST = 16 };                     // cycles between two triggers
static const uint32_t golden = 0x9e3779b9u; // 2^32 times the golden ratio

// Galois shift register for x^32 + x^22 + x^2 + x + 1.
static uint32_t step(uint32_t value) {
    return value & 1 ? value >> 1 ^ 0x80200003u : value >> 1;
}

void trigger_model_start(struct trigger_model *m, const struct sampling_settings *settings, uint64_t seeded,
                         uint64_t started) {
    const uint32_t seed = (uint32_t)settings->seed;
    *m = (struct trigger_model){
        .settings = *settings, .random = seed ? seed : 1, .at = seeded + 1, .next = started + settings->period};
}

// Fraction times 2^bits, without the digits after the point.
static uint64_t offset(uint32_t fraction, unsigned bits) {
    return bits ? fraction >> (32 - bits) : 0;
}

static uint64_t longer(uint64_t period, uint64_t by, uint64_t plain) {
    return by <= UINT64_MAX - period && period + by >= SHORTEST ? period + by : plain;
}

static uint64_t shorter(uint64_t period, uint64_t by, uint64_t plain) {
    return by <= period && period - by >= SHORTEST ? period - by : plain;
}

// From one offset to the next; without bits, a cycle for each whole turn.
static uint64_t golden_distance(struct trigger_model *m, uint64_t plain) {
    uint32_t before = m->random;
    bool turn = before > UINT32_MAX - golden;
    m->random = before + golden ? before + golden : 1; // the register is never zero
    if (!m->settings.jitter_bits) return longer(m->settings.period, turn, plain);
    uint64_t from = offset(before, m->settings.jitter_bits), to = offset(before + golden, m->settings.jitter_bits);
    return to < from ? shorter(m->settings.period, from - to, plain) : longer(m->settings.period, to - from, plain);
}

// The distance that the counter is set to as it overflows in cycle m->next.
static uint64_t distance(struct trigger_model *m) {
    uint64_t plain = m->settings.period < SHORTEST ? SHORTEST : m->settings.period;
    if (m->settings.golden) return golden_distance(m, plain);
    if (!m->settings.jitter_bits) return plain;
    for (; m->at < m->next; m->at++)
        m->random = step(m->random);
    uint64_t span = UINT64_C(1) << m->settings.jitter_bits;
    uint64_t drawn = m->random & (span - 1), below = span / 2; // the jitter is drawn - below
    return drawn < below ? shorter(m->settings.period, below - drawn, plain)
                         : longer(m->settings.period, drawn - below, plain);
}

void trigger_model_advance(struct trigger_model *m) {
    m->next += distance(m);
}
