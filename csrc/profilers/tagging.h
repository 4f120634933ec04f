// Tags on instructions in flight: what the profilers have in common that mark an instruction early and report it when
// it commits. Inside csrc/profilers only.
//
// A sample tags the instruction at the profiler's stage in the sampled cycle, or the next one there. A tag that is
// squashed gives no sample: its weight goes to the next one. What is booked is the vector at commit, cut to the events
// that the profiler knows.
#ifndef TIPOFF_PROFILERS_TAGGING_H
#define TIPOFF_PROFILERS_TAGGING_H

#include "profilers/profiler.h"

enum { TAGGING_TAGS = PROFILERS_TAGS }; // in the ROB, at most

struct tag {
    uint64_t pc, weight;
    uint32_t position; // in the ROB
};

struct packet { // a tagged one
    uint64_t number, weight;
};

struct tagging {
    uint64_t waiting; // weight of samples that wait for the next instruction at the stage
    uint64_t lost;    // weight that goes to the next sample
    unsigned count;
    struct tag tags[TAGGING_TAGS]; // in the ROB, oldest first
    // tagging at fetch only: tagged and not dispatched yet, a ring
    unsigned first, packets;
    struct packet ring[FETCH_ORDER_PACKETS];
};

// Operations of a profiler whose state is a struct tagging.
void tagging_dispatch_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b);
void tagging_dispatch_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s);
void tagging_fetch_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b);
void tagging_fetch_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s);
void tagging_finish(struct profiler *p);

#endif
