// What each slot of dispatch is used for, derived from the commit bundle alone: the rules of the events DISPATCHED to
// RECOVERY_CLEAR (tables/pmu_events.tsv), counted apart from the hardware (rtl/profile/pmu_slots.sv).
#ifndef TIPOFF_WORKERS_SLOTS_H
#define TIPOFF_WORKERS_SLOTS_H

#include "records.h"
#include <stdbool.h>

struct slots {     // what earlier cycles left behind; all 0 at reset
    bool recovers; // since a redirect nothing has dispatched
    bool of_clear; // ... which was a clear's
    bool cleared;  // nothing has committed since the ROB was cleared
};

struct slot_use { // of one cycle, in slots; without those that are none of dispatched, recovery, empty and held
    unsigned dispatched;
    unsigned recovery; // from a redirect to the first instruction that dispatches after it
    unsigned empty;    // of the others
    unsigned held;     // with an instruction that cannot dispatch
    bool idle;         // all slots of the cycle are empty
    bool of_clear;     // the recovery is
    bool stalls;       // the ROB holds instructions, and none commits
    bool memory;       // ... and the oldest is a load, a store or an AMO
    bool branch_redirect, clear;
};

// What a cycle leaves behind, and no more; most leave all as it is.
static inline void slots_remember(struct slots *s, const struct commit_bundle *b) {
    const bool clear = b->exception || (b->commit & b->flush);
    if (b->redirect) {
        s->of_clear = clear || (s->cleared && b->rob_empty);
        s->recovers = true;
    }
    if (b->dispatch_valid) s->recovers = false;
    if (clear | (b->commit != 0)) s->cleared = clear;
}

struct slot_use slots_cycle(struct slots *s, unsigned width, const struct commit_bundle *b);

#endif
