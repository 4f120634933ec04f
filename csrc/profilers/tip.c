// TIP: time-proportional attribution of the sampled cycle (docs/guide/profiling.md). Vectors are those that the sample
// shows, as the hardware's are: a Stalled one is not complete yet.
#include "profilers/profiler.h"

static void close_drained(struct profiler *p, const struct commit_bundle *b) {
    if (b->dispatch_valid & 1) profiler_release(p, profiler_place(b, b->dispatch_pc[0]), STATE_DRAINED, 0);
}

static void book_computing(struct profiler *p, const struct profiler_sample *s, bool all) {
    const struct commit_bundle *b = s->bundle;
    unsigned lanes = all ? profiler_committing(b) : 1u << b->oldest;
    uint64_t share = s->weight / (unsigned)__builtin_popcount(lanes);
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        profiler_book(p, profiler_place(b, b->pc[lane]), STATE_COMPUTING, b->psv[lane], share);
    }
}

void tip_sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s, bool all) {
    const struct commit_bundle *b = s->bundle;
    const struct oir *oir = &h->oir; // in an empty ROB nothing leaves: this cycle has not changed it
    if (b->commit) {
        book_computing(p, s, all);
    } else if (!b->rob_empty) {
        unsigned psv = b->exception ? b->exception_psv : b->psv[b->oldest];
        profiler_book(p, profiler_place(b, b->pc[b->oldest]), STATE_STALLED, psv, s->weight);
    } else if (oir->mispredict || oir->flush || oir->exception) {
        profiler_book(p, profiler_oir_place(oir), STATE_FLUSHED, oir->psv, s->weight);
    } else {
        profiler_hold(p, s->weight);
        close_drained(p, b);
    }
}

void tip_step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    (void)h;
    close_drained(p, b);
}

void tip_finish(struct profiler *p) {
    profiler_release(p, PLACE_END, STATE_DRAINED, 0);
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    tip_sample(p, h, s, true);
}

const struct profiler_ops profiler_tip = {.name = "TIP", .step = tip_step, .sample = sample, .finish = tip_finish};
