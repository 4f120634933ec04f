// Remembers the mispredicted branch, or the instruction that flushes, that left last, until the next instruction
// leaves.
#include "oracle/refills.h"
#include <errno.h>
#include <stdlib.h>

struct refills {
    bool ended;                 // time counts no more
    struct pair_table *pending; // `pairs`, or `flushes`: a mispredicted branch, or what flushes, left last; else NULL
    struct place branch;
    uint64_t dispatched, behind; // of it: cycle in which it entered the ROB; first cycle that counts behind its leaving
    struct pair_table *pairs, *flushes;
};

struct refills *refills_create(struct error *err) {
    struct refills *r = calloc(1, sizeof *r);
    if (r && (r->pairs = pair_table_create()) && (r->flushes = pair_table_create())) return r;
    refills_destroy(r);
    error_nomem(err, "mispredict-cost");
    return NULL;
}

void refills_destroy(struct refills *r) {
    if (!r) return;
    pair_table_destroy(r->pairs);
    pair_table_destroy(r->flushes);
    free(r);
}

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static bool close(struct refills *r, uint64_t cycle, const struct refill_leaves *first) {
    const uint64_t headed = later(first->headed, r->behind);
    const uint64_t flushed = headed - r->behind, waited = cycle - headed + first->exception;
    const uint64_t entered_later = first->dispatched - r->dispatched;
    const uint64_t caused = flushed + waited < entered_later ? flushed + waited : entered_later;
    const uint64_t counts[PAIR_COUNTS] = {[REFILL_TIMES] = 1,
                                          [REFILL_FLUSHED] = flushed,
                                          [REFILL_SHADOW] = caused > flushed ? caused - flushed : 0,
                                          [REFILL_LATE] = entered_later};
    struct pair_table *pairs = r->pending;
    r->pending = NULL;
    return pair_table_add(pairs, r->branch, first->place, counts);
}

int refills_step(struct refills *r, uint64_t cycle, const struct refill_leaves *list, unsigned count,
                 struct error *err) {
    if (!count || r->ended) return 0;
    if (r->pending && !close(r, cycle, &list[0])) {
        return error_nomem(err, "mispredict-cost");
    }
    const struct refill_leaves *last = &list[count - 1]; // what empties the pipeline is the youngest of its group
    r->pending = last->mispredict ? r->pairs : last->flush ? r->flushes : NULL;
    r->branch = last->place;
    r->dispatched = last->dispatched;
    r->behind = cycle + 1;
    return 0;
}

void refills_begin(struct refills *r, uint64_t cycle) {
    pair_table_empty(r->pairs);
    pair_table_empty(r->flushes);
    r->behind = later(r->behind, cycle);
}

void refills_end(struct refills *r) {
    r->ended = true;
}

const struct pair_table *refills_pairs(const struct refills *r) {
    return r->pairs;
}

const struct pair_table *refills_flushes(const struct refills *r) {
    return r->flushes;
}
