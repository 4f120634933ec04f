// Dispatch, as AMD IBS and Arm SPE do it: tags the instruction at dispatch in the sampled cycle, or the next one to
// dispatch, and reports it when it commits. A tag that is squashed gives no sample: its cycles go to the next one.
#include "profilers/profiler.h"
#include "profilers/rob_order.h"
#include <string.h>

enum { TAGS = 512 }; // in flight; a sample that finds no room is lost as if it were squashed

struct tag {
    uint64_t pc, weight;
    uint32_t position; // in the ROB
};

struct dispatch {
    struct rob_order order;
    uint64_t waiting; // weight of samples that wait for the next dispatch
    uint64_t lost;    // weight that goes to the next sample
    unsigned count;
    struct tag tags[TAGS]; // oldest first
};

static void tag(struct dispatch *d, const struct commit_bundle *b) {
    if (!d->waiting || !(b->dispatch_valid & 1)) return;
    // What dispatches in the cycle of an exception or of a flush never gets into the ROB.
    if (rob_order_clears(b) || d->count == TAGS)
        d->lost += d->waiting;
    else
        d->tags[d->count++] = (struct tag){b->dispatch_pc[0], d->waiting, d->order.tail};
    d->waiting = 0;
}

static void drop(struct dispatch *d, unsigned keep) {
    while (d->count > keep)
        d->lost += d->tags[--d->count].weight;
}

static void step(struct profiler *p, const struct profiler_history *h, const struct commit_bundle *b) {
    struct dispatch *d = p->state;
    (void)h;
    rob_order_begin(&d->order, b);
    while (d->count && rob_order_squashed(&d->order, d->tags[d->count - 1].position))
        drop(d, d->count - 1);
    unsigned reported = 0;
    for (; reported < d->count && rob_order_commits(&d->order, b, d->tags[reported].position); reported++)
        profiler_book(p, d->tags[reported].pc, STATE_COUNT, 0, d->tags[reported].weight);
    if (reported) {
        d->count -= reported;
        memmove(d->tags, d->tags + reported, d->count * sizeof *d->tags);
    }
    if (rob_order_clears(b)) drop(d, 0);
    tag(d, b);
    rob_order_end(&d->order, b);
}

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    struct dispatch *d = p->state;
    (void)h;
    d->waiting += s->weight + d->lost;
    d->lost = 0;
    tag(d, s->bundle);
}

static void finish(struct profiler *p) {
    struct dispatch *d = p->state;
    drop(d, 0);
    profiler_book(p, PROFILE_PC_END, STATE_COUNT, 0, d->waiting + d->lost);
    d->waiting = d->lost = 0;
}

const struct profiler_ops profiler_dispatch = {.name = "Dispatch",
                                               .state_size = sizeof(struct dispatch),
                                               .always = true,
                                               .step = step,
                                               .sample = sample,
                                               .finish = finish};
