// TEA: TIP with vectors that are complete. A Stalled sample waits until its instruction commits or excepts, a Drained
// one until the first instruction has dispatched and does so; an instruction that the core drops in another way keeps
// the vector that was latched (docs/guide/profiling.md, "Cycle stacks"). Computing and Flushed are complete when they
// are taken.
#include "events.h"
#include "profilers/profiler.h"

struct tea {
    uint64_t stalled, drained; // weight of the samples that wait
    bool named;                // for the instruction at `place`; else for the next to dispatch
    struct place place;
    uint16_t psv; // as latched
};

static void release(struct profiler *p, struct place place, unsigned psv) {
    struct tea *t = p->state;
    profiler_book(p, place, STATE_DRAINED, psv, t->drained);
    profiler_book(p, place, STATE_STALLED, psv, t->stalled);
    *t = (struct tea){0};
    p->open = false;
}

static void name(struct tea *t, struct place place, uint16_t psv) {
    t->named = true;
    t->place = place;
    t->psv = psv;
}

static void step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct tea *t = p->state;
    (void)h;
    if (b->commit) {
        release(p, profiler_place(b, b->pc[b->oldest]), b->psv[b->oldest]);
    } else if (b->exception) {
        release(p, profiler_place(b, b->exception_pc), b->exception_psv);
    } else if (b->rob_empty && t->named) {
        release(p, t->place, t->psv);
    } else if (b->dispatch_valid & 1 && !t->named) {
        name(t, profiler_place(b, b->dispatch_pc[0]), 0);
    }
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct tea *t = p->state;
    const struct commit_bundle *b = s->bundle;
    const struct oir *oir = &h->oir;
    bool flushed = b->rob_empty && (oir->mispredict || oir->flush || oir->exception);
    if (b->commit || b->exception || flushed) {
        tip_sample(p, h, s, true);
        return;
    }
    p->open = true;
    if (!b->rob_empty) {
        t->stalled += s->weight;
        name(t, profiler_place(b, b->pc[b->oldest]), b->psv[b->oldest]);
    } else {
        t->drained += s->weight;
        if (b->dispatch_valid & 1) name(t, profiler_place(b, b->dispatch_pc[0]), 0);
    }
}

static void finish(struct profiler *p) {
    struct tea *t = p->state;
    release(p, t->named ? t->place : PLACE_END, t->psv);
}

const struct profiler_ops profiler_tea = {.name = "TEA",
                                          .state_size = sizeof(struct tea),
                                          .events = EVENT_SET_ALL,
                                          .step = step,
                                          .sample = sample,
                                          .finish = finish};
