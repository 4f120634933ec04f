// Software: the address at which execution resumes after the sampling interrupt.
//
// An interrupt that an overflow requests is taken by the oldest instruction in the ROB, at the earliest SKID cycles
// after the sampled one; while the ROB is empty it waits. Execution resumes at that instruction. One interrupt serves
// all overflows that came before it. (A core also waits while its oldest one does what cannot be undone, which a bundle
// does not show.)
#include "profilers/profiler.h"

// Cycles from the overflow to the interrupt: a pulse (rtl/profile/pmu.sv), mip.LCOFIP. What a handler on the core reads
// from mepc, tests/profile/test_interrupted.py compares.
enum { SKID = 2 };

struct software {
    uint64_t due; // first cycle in which the interrupt can be taken that serves what is held
};

static void resume(struct profiler *p, const struct commit_bundle *b) {
    if (!b->rob_empty) profiler_release(p, profiler_place(b, b->pc[b->oldest]), STATE_COUNT, 0);
}

static void step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    const struct software *software = p->state;
    if (h->now > software->due) resume(p, b); // `now` is the cycle after the last of those stepped
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct software *software = p->state;
    (void)h;
    // An older interrupt can be taken in this very cycle, where its step is yet to come.
    if (p->open && software->due <= s->cycle) resume(p, s->bundle);
    if (!p->open) software->due = s->cycle + SKID;
    profiler_hold(p, s->weight);
}

const struct profiler_ops profiler_software = {
    .name = "Software", .state_size = sizeof(struct software), .step = step, .sample = sample};
