// The counters that a program has, as every read of them must show them: mcycle, mhpmcounterN with mhpmeventN,
// scountovf, mcountinhibit, and LCOFIP in mip and sip; and whether overflows interrupt in time (workers/overflows.h).
//
// mcycle is 0 in cycle 0, counts every cycle in which mcountinhibit lets it, and takes a written value over in the
// cycle after the write. A CSR instruction reads in the cycle before the one in which it commits: it is alone in the
// ROB, and commits as soon as it is done. An event counter shows then what cycles have counted up to two before that:
// what happens in a cycle is chosen in it, added in the next one, and seen from the one after that on. Of csrrs and
// csrrc the written value is believed, for what they set and clear is what was read.
//
// time is mtime as the machine has it, to within the few cycles that it takes to the core: one of two values where it
// goes on, or is written, meanwhile.
//
// The sampling counter goes on from minus tipoff_period while that is not 0, and its value is predicted without jitter;
// with one, up to the first overflow, and from then on its distance to the next one is at most what period and jitter
// allow (harness/trigger_model.h predicts every cycle of the harness's unit). A write to tipoff_period or tipoff_jitter
// counts from some cycles later on: what overflows within them is not predicted until the counter is written.
#ifndef TIPOFF_WORKERS_PROGRAM_COUNTERS_H
#define TIPOFF_WORKERS_PROGRAM_COUNTERS_H

#include "workers/overflows.h"

enum { COUNTER_FIRST = 3, COUNTER_NUMBERS = 32 }; // mhpmcounter3; mcycle and minstret have numbers, too

struct program_counters {
    uint64_t base, from; // mcycle: value in cycle `from`
    bool stopped;
    unsigned present, sampling; // one above the last existing number; the sampling counter's
    uint64_t period, jitter;    // tipoff_period, tipoff_jitter: that one goes on from there
    uint64_t farthest;          // from its overflow, since it was written
    uint64_t changed;           // the cycle in which they were written last
    bool samples_instructions;  // ProfileMe does
    bool counts;                // some event counter does
    uint32_t inhibit;           // mcountinhibit
    uint64_t time, time_before; // mtime less the ticks that it goes by; what it was ...
    uint64_t time_changed;      // ... up to this tick
    uint32_t time_ticks;        // for one of mtime; 0: not known yet
    struct counter_model own[COUNTER_NUMBERS];
    struct overflows overflows;
    uint64_t reads; // of counters
};

// An instruction that accesses a CSR, in the cycle that was tallied last. -EBADMSG with err: what it read is wrong.
int program_counters_access(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                            const struct iss_retire *step, const struct retired *core, struct error *err);
// A cycle in which something leaves. -EBADMSG with err: an overflow's interrupt is missing, or has no reason.
int program_counters_left(struct program_counters *c, const struct event_tally *t, const struct worker_view *v,
                          struct error *err);
void program_counters_time(struct program_counters *c, const struct memory_event *event); // MEMORY_LINES
// Behind what has left.
void program_counters_allow(struct program_counters *c, const struct hart *hart);

#endif
