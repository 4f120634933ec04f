// NCI, next-committing instruction: the oldest that commits in the sampled cycle, else the next that does.
#include "profilers/profiler.h"

static void step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    (void)h;
    if (b->commit) profiler_release(p, profiler_place(b, b->pc[b->oldest]), STATE_COUNT, 0);
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    profiler_hold(p, s->weight);
    step(p, h, s->bundle);
}

const struct profiler_ops profiler_nci = {.name = "NCI", .step = step, .sample = sample};
