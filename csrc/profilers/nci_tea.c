// NCI-TEA: the next-committing instruction with all its events: what vectors alone, without time-proportional
// attribution, are worth.
#include "events.h"
#include "profilers/profiler.h"

static void step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    (void)h;
    if (b->commit) profiler_release(p, profiler_place(b, b->pc[b->oldest]), STATE_COUNT, b->psv[b->oldest]);
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    profiler_hold(p, s->weight);
    step(p, h, s->bundle);
}

const struct profiler_ops profiler_nci_tea = {
    .name = "NCI-TEA", .events = EVENT_SET_ALL, .step = step, .sample = sample};
