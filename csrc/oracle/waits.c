// Follows instructions in flight by their stages; those that have left stay known for as long as a consumer can be in
// flight. Positions count up forever, a squash takes the tail back.
#include "oracle/waits.h"
#include "events.h"
#include "instructions.h"
#include "isa/operands.h"
#include "isa/rvc.h"
#include <errno.h>
#include <stdlib.h>

enum {
    RING = 4096, // at least twice the largest ROB and the producers of those in it
    STORES = 64, // that are remembered
    MISSES = 1 << EVENT_ST_L1 | 1 << EVENT_ST_TLB | 1 << EVENT_ST_LLC | 1 << EVENT_ST_COH
};
#define NEVER UINT64_MAX

struct flight {
    struct place place;
    uint32_t rob;
    uint8_t rd;                // operands.h
    bool simple;               // an operation of one cycle
    uint64_t producers[3];     // positions, or NEVER
    uint64_t dispatched, done; // cycles; done NEVER: not yet
    bool waited;               // it had a last producer, whose origin is:
    struct place origin;
    bool chained; // ... not the last producer itself
};

struct stored {
    struct place place;
    uint64_t address, left; // cycle of the commit
    uint8_t bytes;
};

struct waits {
    unsigned width;
    uint64_t head, tail; // positions of those in the ROB
    uint64_t headed;     // first cycle in which the head is the oldest
    uint64_t begun;
    bool ended; // nothing counts any more
    struct flight ring[RING];
    struct stored stores[STORES];
    uint64_t stored; // how many ever
    struct pair_table *pairs;
};

struct waits *waits_create(unsigned width, struct error *err) {
    struct waits *w = calloc(1, sizeof *w);
    if (w && (w->pairs = pair_table_create())) {
        w->width = width;
        return w;
    }
    free(w);
    error_nomem(err, "stall-causes");
    return NULL;
}

void waits_destroy(struct waits *w) {
    if (!w) return;
    pair_table_destroy(w->pairs);
    free(w);
}

static struct flight *at(struct waits *w, uint64_t position) {
    return &w->ring[position % RING];
}

static struct flight *find(struct waits *w, uint32_t rob) {
    for (uint64_t i = w->tail; i > w->head; i--) {
        if (at(w, i - 1)->rob == rob) return at(w, i - 1);
    }
    return NULL;
}

static bool is_simple(uint32_t insn) {
    static const struct insn_info rows[] = {INSN_INFO_ROWS};
    switch (rows[insn_decode(insn_word(insn))].unit) {
    case UNIT_ALU:
    case UNIT_BRANCH:
    case UNIT_JAL:
    case UNIT_JALR: return true;
    default: return false;
    }
}

// The youngest in the ROB that writes the register.
static uint64_t producer(struct waits *w, uint8_t reg) {
    for (uint64_t i = w->tail; reg != OPERAND_NONE && i > w->head; i--) {
        if (at(w, i - 1)->rd == reg) return i - 1;
    }
    return NEVER;
}

static void dispatch(struct waits *w, uint64_t cycle, const struct commit_bundle *b, const struct stage *s) {
    const struct operands operands = operands_of(s->insn);
    struct flight flight = {.place = {s->pc, place_context(b->priv, b->space)},
                            .rob = s->rob,
                            .rd = operands.rd,
                            .simple = is_simple(s->insn),
                            .dispatched = cycle,
                            .done = NEVER};
    for (unsigned i = 0; i < 3; i++)
        flight.producers[i] = producer(w, operands.rs[i]);
    if (w->head == w->tail) w->headed = cycle + 1;
    *at(w, w->tail++) = flight;
}

// The producer that completed last, after the instruction entered the ROB; NULL: none.
static struct flight *last_producer(struct waits *w, const struct flight *x) {
    struct flight *last = NULL;
    uint64_t position = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (x->producers[i] == NEVER) continue;
        struct flight *p = at(w, x->producers[i]);
        if (p->done == NEVER || p->done <= x->dispatched) continue;
        if (last && (p->done < last->done || (p->done == last->done && x->producers[i] <= position))) continue;
        last = p;
        position = x->producers[i];
    }
    return last;
}

static void find_origin(struct waits *w, struct flight *x) {
    const struct flight *last = last_producer(w, x);
    if (!last) return;
    x->waited = true;
    x->chained = last->simple && last->waited;
    x->origin = x->chained ? last->origin : last->place;
}

// The youngest store to any byte of the load that was in the ROB with it; *all: it has all of them.
static const struct stored *source(const struct waits *w, const struct flight *x, const struct wait_access *a,
                                   bool *all) {
    for (uint64_t i = w->stored; i > 0 && w->stored - i < STORES; i--) {
        const struct stored *s = &w->stores[(i - 1) % STORES];
        if (s->left < x->dispatched) return NULL;
        if (s->address >= a->address + a->bytes || a->address >= s->address + s->bytes) continue;
        *all = s->address <= a->address && a->address + a->bytes <= s->address + s->bytes;
        return s;
    }
    return NULL;
}

static bool leave(struct waits *w, uint64_t cycle, uint16_t psv, const struct wait_access *a) {
    struct flight *x = at(w, w->head);
    const uint64_t from = w->headed > w->begun ? w->headed : w->begun;
    bool all = false, good = true;
    find_origin(w, x);
    const struct stored *s = a->load && !(psv & MISSES) ? source(w, x, a, &all) : NULL;
    const bool by_store = s && (!all || !x->waited);
    if (cycle > from && (by_store || x->waited)) {
        const uint64_t counts[PAIR_COUNTS] = {
            [WAIT_TIMES] = 1, [WAIT_CYCLES] = cycle - from, [WAIT_CHAINED] = !by_store && x->chained};
        good = pair_table_add(w->pairs, x->place, by_store ? s->place : x->origin, counts);
    }
    if (a->store) w->stores[w->stored++ % STORES] = (struct stored){x->place, a->address, cycle, a->bytes};
    w->head++;
    w->headed = cycle; // those that leave with it have not waited
    return good;
}

int waits_step(struct waits *w, uint64_t cycle, const struct commit_bundle *b, const struct trace_stages *stages,
               const struct wait_access *accesses, struct error *err) {
    bool good = true;
    if (w->ended) return 0;
    for (unsigned i = 0; i < stages->count; i++) {
        const struct stage *s = &stages->list[i];
        struct flight *f = s->kind == STAGE_DONE ? find(w, s->rob) : NULL;
        if (f && f->done == NEVER) f->done = cycle;
        if (s->kind == STAGE_SQUASH_ALL) w->tail = w->head;
        while (s->kind == STAGE_SQUASH_YOUNGER && w->tail > w->head && at(w, w->tail - 1)->rob != s->rob)
            w->tail--;
        if (s->kind == STAGE_DISPATCH) dispatch(w, cycle, b, s);
    }
    unsigned lane = b->oldest;
    const unsigned count = (unsigned)__builtin_popcount(b->commit);
    for (unsigned k = 0; k < count && w->head < w->tail; k++, lane = lane + 1 == w->width ? 0 : lane + 1)
        good &= leave(w, cycle, b->psv[lane], &accesses[k]);
    if (count) w->headed = cycle + 1;
    if (!good) error_nomem(err, "stall-causes");
    return good ? 0 : -ENOMEM;
}

void waits_begin(struct waits *w, uint64_t cycle) {
    pair_table_empty(w->pairs);
    w->begun = cycle;
}

void waits_end(struct waits *w) {
    w->ended = true;
}

const struct pair_table *waits_pairs(const struct waits *w) {
    return w->pairs;
}
