// NCI+ILP: all n that commit in the next committing cycle, the sampled one included, 1/n each.
#include "profilers/profiler.h"

static void step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    (void)h;
    if (!b->commit) return;
    unsigned lanes = profiler_committing(b);
    uint64_t share = p->held / (unsigned)__builtin_popcount(lanes);
    for (; lanes; lanes &= lanes - 1)
        profiler_book(p, profiler_place(b, b->pc[__builtin_ctz(lanes)]), STATE_COUNT, 0, share);
    p->held = 0;
    p->open = false;
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    profiler_hold(p, s->weight);
    step(p, h, s->bundle);
}

const struct profiler_ops profiler_nci_ilp = {.name = "NCI+ILP", .step = step, .sample = sample};
