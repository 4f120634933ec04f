// The samples that are expected: taken, completed, forgotten.
#include "harness/expected_samples.h"

void expected_samples_init(struct expected_samples *e, bool tea, unsigned address_bits) {
    *e = (struct expected_samples){.tea = tea, .address_bits = address_bits, .ended = UINT64_MAX};
}

// An address as samples keep it: the lower bits, the uppermost of them repeated above.
static uint64_t kept(const struct expected_samples *e, uint64_t addr) {
    const unsigned above = 64 - e->address_bits;
    return (uint64_t)((int64_t)(addr << above) >> above);
}

static struct expected_sample *youngest(struct expected_samples *e) {
    return &e->list[(e->first + e->count - 1) % EXPECTED_SAMPLES];
}

bool expected_samples_wait(const struct expected_samples *e) {
    return e->count && e->list[(e->first + e->count - 1) % EXPECTED_SAMPLES].wants != SAMPLE_COMPLETE;
}

// What a cycle does for a sample that waits.
static void advance(struct expected_samples *e, struct expected_sample *s, uint64_t cycle,
                    const struct commit_bundle *b) {
    if (s->wants == SAMPLE_UNNAMED && b->dispatch_valid & 1) {
        s->sample.valid = 1;
        s->sample.addr[0] = kept(e, b->dispatch_pc[0]);
        s->wants = e->tea ? SAMPLE_UNFINISHED : SAMPLE_COMPLETE;
        e->ended_with_its = true;
    } else if (s->wants == SAMPLE_UNFINISHED && (b->commit || b->exception || b->rob_empty)) {
        if (b->commit || b->exception)
            s->sample.psv[s->sample.oldest] = b->exception ? b->exception_psv : b->psv[b->oldest];
        s->wants = SAMPLE_COMPLETE;
        e->ended_with_its = b->exception;
    }
    if (s->wants == SAMPLE_COMPLETE) e->ended = cycle;
}

void expected_samples_cycle(struct expected_samples *e, uint64_t cycle, const struct commit_bundle *bundle) {
    if (expected_samples_wait(e)) advance(e, youngest(e), cycle, bundle);
}

// The trigger finds the sample's own instruction: Stalled behind Drained from the cycle after its dispatch on.
static void count_further(struct expected_sample *s, uint64_t cycle, const struct sample *select) {
    if (s->sample.state == STATE_DRAINED && select->state == STATE_STALLED) {
        s->stalled++;
        s->stalled_cycles += cycle - s->last;
    } else {
        s->repeats++;
    }
    s->last = cycle;
}

bool expected_samples_trigger(struct expected_samples *e, uint64_t cycle, const struct sample *select,
                              const struct commit_bundle *bundle, bool *taken) {
    *taken = false;
    if (e->count) {
        struct expected_sample *s = youngest(e);
        if (s->wants != SAMPLE_COMPLETE || (e->ended == cycle && e->ended_with_its)) {
            count_further(s, cycle, select);
            return true;
        }
    }
    if (e->count == EXPECTED_SAMPLES) return false;
    *taken = true;
    e->count++;
    struct expected_sample *s = youngest(e);
    *s = (struct expected_sample){.sample = *select, .cycle = cycle, .last = cycle};
    for (unsigned i = 0; i < sizeof s->sample.addr / sizeof *s->sample.addr; i++)
        s->sample.addr[i] = kept(e, s->sample.addr[i]);
    e->ended = UINT64_MAX; // what completes at once completes for itself: a later trigger has another cycle
    if (select->state == STATE_DRAINED) s->wants = SAMPLE_UNNAMED;
    if (select->state == STATE_STALLED && e->tea && !bundle->exception) s->wants = SAMPLE_UNFINISHED;
    if (s->wants == SAMPLE_UNNAMED) advance(e, s, cycle, bundle);
    return true;
}

const struct expected_sample *expected_samples_oldest(const struct expected_samples *e) {
    const struct expected_sample *s = &e->list[e->first];
    return e->count && s->wants == SAMPLE_COMPLETE ? s : NULL;
}

void expected_samples_forget(struct expected_samples *e) {
    e->first = (e->first + 1) % EXPECTED_SAMPLES;
    e->count--;
}
