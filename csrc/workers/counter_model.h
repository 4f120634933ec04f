// A programmable counter (mhpmcounterN, mhpmeventN) as it must stand, by an event tally. Cycles are those in which its
// registers are written; what they count goes by the registers as they stand in them (docs/reference/pmu.md).
#ifndef TIPOFF_WORKERS_COUNTER_MODEL_H
#define TIPOFF_WORKERS_COUNTER_MODEL_H

#include "workers/event_tally.h"

enum { ALL_MODES = 1 << MODE_USER | 1 << MODE_SUPERVISOR | 1 << MODE_MACHINE };

struct counter_model { // all 0 at reset
    unsigned event;    // number
    unsigned modes;    // that it does not count, as MODE_* bits
    bool stopped;      // by mcountinhibit
    bool overflowed;   // OF
    uint64_t base;     // its value when its event had been counted `from` times
    uint64_t from;
    // Where it goes on from when it overflows: minus this, or 0; `varies`: by a jitter more or less, so that its value
    // is not known from then until it is written (`lost`).
    uint64_t reload;
    bool varies, lost;
};

struct counter_shown {
    uint64_t value;
    bool overflowed;
    bool known;          // the value is
    bool overflow_known; // OF is
};

// Its event as a program may have selected it; whether it counts anything.
bool counter_model_counts(const struct counter_model *c);
// With what all cycles up to this one have counted; as event_tally_up_to.
struct counter_shown counter_model_up_to(const struct counter_model *c, const struct event_tally *t, uint64_t cycle);
// What mhpmevent reads then.
uint64_t counter_model_select(const struct counter_model *c, bool overflowed);
// Writes in the cycle that was tallied last: of the counter, of mhpmevent, of its bit in mcountinhibit.
void counter_model_write(struct counter_model *c, const struct event_tally *t, uint64_t cycle, uint64_t value);
void counter_model_select_event(struct counter_model *c, const struct event_tally *t, uint64_t cycle, uint64_t select);
// The cycles up to this one go by the reload before.
void counter_model_reload(struct counter_model *c, const struct event_tally *t, uint64_t cycle, uint64_t reload,
                          bool varies);
void counter_model_stop(struct counter_model *c, const struct event_tally *t, uint64_t cycle, bool stopped);
// "FLUSHES in SU".
void counter_model_describe(const struct counter_model *c, char *text, size_t size);

#endif
