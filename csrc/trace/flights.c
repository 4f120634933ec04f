// A ring of instructions in the order of dispatch, and for each place in the ROB which of them it is.
#include "trace/flights.h"
#include <stdlib.h>

enum { FLIGHT = 2048 }; // at least twice the largest ROB

struct flights {
    struct flights_listener listener;
    void *context;
    unsigned width;
    uint64_t first; // number of the oldest, of all that ever dispatched and were not squashed
    unsigned count;
    struct flight ring[FLIGHT];
    uint64_t numbers[FLIGHT]; // by place in the ROB, of the last that took it
    uint64_t now;
    struct gone { // left in the last cycle in which any did, oldest first; or had an exception in it
        uint64_t id[MAX_LANES], cycle;
        unsigned count;
        bool flushes; // the youngest of them: the ROB is empty on its account
    } gone;
    uint64_t drained[8]; // cycles of triggers that wait for the next dispatch
    unsigned drained_count;
};

struct flights *flights_create(unsigned width, const struct flights_listener *listener, void *context) {
    struct flights *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->width = width;
    f->listener = *listener;
    f->context = context;
    return f;
}

void flights_destroy(struct flights *f) {
    free(f);
}

unsigned flights_count(const struct flights *f) {
    return f->count;
}

static struct flight *at(struct flights *f, unsigned i) {
    return &f->ring[(f->first + i) % FLIGHT];
}

const struct flight *flights_at(const struct flights *f, unsigned i) {
    return &f->ring[(f->first + i) % FLIGHT];
}

static struct flight *find(struct flights *f, uint32_t rob) {
    const uint64_t number = f->numbers[rob % FLIGHT];
    struct flight *flight = &f->ring[number % FLIGHT];
    return number - f->first < f->count && flight->rob == rob ? flight : NULL;
}

static void squash(struct flights *f, bool all, uint32_t rob) {
    while (f->count && (all || at(f, f->count - 1)->rob != rob))
        f->listener.squashed(f->context, at(f, --f->count));
}

void flights_squash_all(struct flights *f) {
    squash(f, true, 0);
}

static void dispatch(struct flights *f, const struct stage *s) {
    struct flight flight = {.rob = s->rob};
    f->listener.dispatched(f->context, s, &flight);
    if (f->count < FLIGHT) {
        f->numbers[s->rob % FLIGHT] = f->first + f->count;
        *at(f, f->count++) = flight;
    }
    for (; f->drained_count; f->drained_count--)
        f->listener.sampled(f->context, flight.id, f->now, f->drained[f->drained_count - 1], STATE_DRAINED);
}

static void commit(struct flights *f, const struct commit_bundle *b) {
    unsigned lane = b->oldest;
    if (b->commit) f->gone = (struct gone){.cycle = f->now};
    if (b->exception && f->count)
        f->gone = (struct gone){.id = {at(f, 0)->id}, .cycle = f->now, .count = 1, .flushes = true};
    for (unsigned k = 0; k < f->width; k++, lane = lane + 1 == f->width ? 0 : lane + 1) {
        if (!(b->commit >> lane & 1) || !f->count) continue;
        f->listener.committed(f->context, at(f, 0), b, lane);
        f->gone.id[f->gone.count++] = at(f, 0)->id;
        f->gone.flushes = (b->mispredict | b->flush) >> lane & 1;
        f->first++;
        f->count--;
    }
}

void flights_cycle(struct flights *f, uint64_t cycle, const struct commit_bundle *bundle,
                   const struct trace_stages *stages) {
    f->now = cycle;
    for (unsigned i = 0; i < stages->count; i++) {
        const struct stage *s = &stages->list[i];
        struct flight *flight = s->kind == STAGE_ISSUE || s->kind == STAGE_DONE ? find(f, s->rob) : NULL;
        switch (s->kind) {
        case STAGE_SQUASH_ALL: squash(f, true, 0); break;
        case STAGE_SQUASH_YOUNGER: squash(f, false, s->rob); break;
        case STAGE_DISPATCH: dispatch(f, s); break;
        case STAGE_ISSUE:
            if (flight && !flight->issued) f->listener.issued(f->context, flight);
            if (flight) flight->issued = true;
            break;
        case STAGE_DONE:
            if (flight && !flight->done) f->listener.done(f->context, flight);
            if (flight) flight->done = true;
            break;
        }
    }
    if (bundle->commit || bundle->exception) commit(f, bundle);
}

void flights_sample(struct flights *f, uint64_t cycle, const struct commit_bundle *b) {
    const struct flights_listener *l = &f->listener;
    const struct gone *gone = &f->gone;
    if (b->commit) {
        for (unsigned i = 0; i < gone->count; i++)
            l->sampled(f->context, gone->id[i], cycle, cycle, STATE_COMPUTING);
    } else if (!b->rob_empty) {
        if (b->exception || f->count)
            l->sampled(f->context, b->exception ? gone->id[0] : at(f, 0)->id, cycle, cycle, STATE_STALLED);
    } else if (gone->flushes) {
        l->sampled(f->context, gone->id[gone->count - 1], gone->cycle, cycle, STATE_FLUSHED);
    } else if (b->dispatch_valid & 1) {
        if (f->count) l->sampled(f->context, at(f, 0)->id, cycle, cycle, STATE_DRAINED);
    } else if (f->drained_count < sizeof f->drained / sizeof *f->drained) {
        f->drained[f->drained_count++] = cycle;
    }
}
