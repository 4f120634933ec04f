// What the performance-monitoring unit has to count (tables/pmu_events.tsv), by event and privilege mode, from other
// sources than its own wires: instructions, branches and traps by lockstep, slots of dispatch by workers/slots.h,
// states and the rest by the commit bundle; the mode is the ISS's.
//
// Every event is predicted exactly: none has a bound.
#ifndef TIPOFF_WORKERS_EVENT_TALLY_H
#define TIPOFF_WORKERS_EVENT_TALLY_H

#include "workers/hub_tally.h"
#include "workers/slots.h"
#include "workers/worker.h"

// Numbers of events (those from there on: hub_tally.h), and after those the outputs of triggers; of modes, as MODE_*
// (records.h).
enum { TALLY_EVENTS = PMU_EVENT_KEYED, TALLY_OUTPUTS = 2, TALLY_ALL = TALLY_EVENTS + TALLY_OUTPUTS, TALLY_MODES = 4 };
enum { TALLY_BACK = 3 }; // cycles before the last that can still be asked for

struct event_tally {
    unsigned width;
    struct slots slots;
    bool flushed;                           // what left last flushed the pipeline: an empty ROB is Flushed
    uint64_t total[TALLY_MODES][TALLY_ALL]; // of the cycles that count
    unsigned at;                            // of `last`: the oldest
    struct tally_cycles {                   // the last ones, equal ones together
        uint64_t cycle, count;
        unsigned mode;
        uint8_t of[TALLY_ALL]; // in each of them
    } last[TALLY_BACK];
    struct hub_tally hub; // its owner shows it all cycles
    struct tally_trigger {
        uint64_t control, address; // tdata1, tdata2, before the instructions of the next cycle
    } triggers[ISS_TRIGGERS];
    bool triggered; // one of them may match
};

// Of cycles that nobody counts: what they leave behind.
static inline void event_tally_remember(struct event_tally *t, const struct commit_bundle *b) {
    slots_remember(&t->slots, b);
    if (b->exception) t->flushed = true;
    if (!b->commit) return;
    unsigned youngest = b->oldest + (unsigned)__builtin_popcount(b->commit) - 1;
    if (youngest >= t->width) youngest -= t->width;
    t->flushed = (b->mispredict | b->flush) >> youngest & 1;
}
// The state of a cycle: PMU_EVENT_COMPUTING, _STALLED, _FLUSHED or _DRAINED. Before the cycle is remembered.
static inline enum pmu_event event_tally_state(const struct event_tally *t, const struct commit_bundle *b) {
    if (b->commit) return PMU_EVENT_COMPUTING;
    if (!b->rob_empty) return PMU_EVENT_STALLED;
    return t->flushed ? PMU_EVENT_FLUSHED : PMU_EVENT_DRAINED;
}
// Of cycles that count; `mode`: of the machine in them.
void event_tally_cycle(struct event_tally *t, const struct worker_view *v, unsigned mode);
// After an instruction that may have written a trigger's registers: takes them over.
void event_tally_triggers(struct event_tally *t, const struct hart *hart);
// How often the event has happened in the modes of the mask, up to the end of a cycle that is at most TALLY_BACK before
// the one shown last. number: 0 to 255.
uint64_t event_tally_up_to(const struct event_tally *t, unsigned number, unsigned modes, uint64_t cycle);

#endif
