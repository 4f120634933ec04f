// Instructions in flight in a ring, in the order in which they were fetched: first those in the ROB, then those
// before map.
#include "oracle/lives.h"
#include "events.h"
#include "instructions.h"
#include "isa/rvc.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { RING = 2048 }; // more than the largest ROB, fetch buffer and decode registers hold

struct lives {
    unsigned width, fetch_width;
    lives_left *left;
    void *context;
    uint64_t first, mapped, end; // numbers in the ring: of the oldest, of the first before map, after the youngest
    struct life ring[RING];
    uint64_t places[RING];   // by place in the ROB: the number in the ring of who took it last
    uint64_t fetched;        // instructions so far
    uint16_t history;        // of what is fetched next
    enum life_outcome order; // why everything dies in the next cycle
    uint16_t order_history;  // what fetch goes on with then
    uint64_t order_cycle;
};

struct lives *lives_create(unsigned width, unsigned fetch_width, lives_left *left, void *context, struct error *err) {
    struct lives *l = error_calloc(sizeof *l, "inst-lifetimes", err);
    if (!l) return NULL;
    l->width = width;
    l->fetch_width = fetch_width;
    l->left = left;
    l->context = context;
    l->order_cycle = LIFE_NEVER;
    return l;
}

void lives_destroy(struct lives *l) {
    free(l);
}

static struct life *at(struct lives *l, uint64_t number) {
    return &l->ring[number % RING];
}

uint64_t lives_oldest(const struct lives *l) {
    return l->first == l->end ? LIFE_NEVER : l->ring[l->first % RING].fetched;
}

static struct life *by_rob(struct lives *l, uint32_t rob) {
    const uint64_t number = l->places[rob % RING];
    struct life *life = at(l, number);
    return number >= l->first && number < l->mapped && life->rob == rob ? life : NULL;
}

static int leave(struct lives *l, struct life *life, uint64_t cycle, enum life_outcome outcome, unsigned lane,
                 struct error *err) {
    life->left = cycle;
    life->outcome = (uint8_t)outcome;
    if (life->issued != LIFE_NEVER && life->issued >= cycle) life->issued = LIFE_NEVER; // it died in that very cycle
    if (life->done != LIFE_NEVER && life->done >= cycle) life->done = LIFE_NEVER;
    return l->left(l->context, life, lane, err);
}

// What a redirect goes back to: after the instruction that redirects, whose direction is known by now.
static uint16_t history_behind(const struct life *life) {
    return life->unit == UNIT_BRANCH ? (uint16_t)(life->history << 1 | life->taken) : life->history;
}

static int squash(struct lives *l, uint64_t cycle, const struct life_event *e, struct error *err) {
    const struct life *branch = e->a ? NULL : by_rob(l, e->rob);
    if (!e->a && !branch) {
        error_set(err, "inst-lifetimes: cycle %" PRIu64 ": a squash names ROB %u, an empty entry", cycle, e->rob);
        return -EBADMSG;
    }
    const enum life_outcome why = branch ? OUTCOME_MISPREDICTION : l->order;
    if (!branch && l->order_cycle + 1 != cycle) {
        error_set(err, "inst-lifetimes: cycle %" PRIu64 ": everything dies, and nothing ordered it in the cycle before",
                  cycle);
        return -EBADMSG;
    }
    l->history = branch ? history_behind(branch) : l->order_history;
    int result = 0;
    while (result == 0 && l->end > l->first && (!branch || at(l, l->end - 1) != branch)) {
        result = leave(l, at(l, --l->end), cycle, why, MAX_LANES, err);
        if (l->mapped > l->end) l->mapped = l->end;
    }
    return result;
}

static int map(struct lives *l, uint64_t cycle, const struct life_event *e, struct error *err) {
    if (l->mapped == l->end || at(l, l->mapped)->pc != e->a) {
        error_set(err,
                  "inst-lifetimes: cycle %" PRIu64 ": 0x%" PRIx64
                  " leaves the decode registers, but the next one fetched is 0x%" PRIx64,
                  cycle, e->a, l->mapped == l->end ? 0 : at(l, l->mapped)->pc);
        return -EBADMSG;
    }
    struct life *life = at(l, l->mapped);
    life->mapped = cycle;
    life->rob = e->rob;
    life->psv = (uint16_t)e->b;
    life->queued = e->b >> 16 & 1;
    if (!life->queued) life->ready = life->issued = cycle;
    l->places[e->rob % RING] = l->mapped++;
    return 0;
}

static uint8_t unit_of(uint32_t insn) {
    static const struct insn_info rows[] = {INSN_INFO_ROWS};
    const uint32_t word = insn_word(insn);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) // they lie inside other rows
        if (rows[i].hint && (word & rows[i].mask) == rows[i].match) return rows[i].unit;
    return rows[insn_decode(word)].unit;
}

static int fetch(struct lives *l, uint64_t cycle, const struct life_event *e, const struct commit_bundle *b,
                 struct error *err) {
    if (l->end - l->first == RING) {
        error_set(err, "inst-lifetimes: cycle %" PRIu64 ": more than %d instructions in flight", cycle, RING);
        return -EBADMSG;
    }
    struct life *life = at(l, l->end++);
    *life = (struct life){.number = l->fetched++,
                          .slots = cycle * l->fetch_width + e->rob,
                          .pc = e->a,
                          .space = b->space,
                          .mode = b->priv,
                          .insn = (uint32_t)e->b,
                          .predicted_taken = e->b >> 32 & 1,
                          .fault = e->b >> 33 & 1,
                          .history = l->history,
                          .fetched = cycle,
                          .mapped = LIFE_NEVER,
                          .ready = LIFE_NEVER,
                          .issued = LIFE_NEVER,
                          .done = LIFE_NEVER,
                          .headed = LIFE_NEVER};
    life->unit = life->fault ? UNIT_NONE : unit_of(life->insn);
    if (life->unit == UNIT_BRANCH) l->history = (uint16_t)(l->history << 1 | life->predicted_taken);
    return 0;
}

// What meets an instruction in the ROB.
static void meet(struct life *life, uint64_t cycle, const struct life_event *e) {
    switch (e->kind) {
    case LIFE_READY:
        if (life->ready == LIFE_NEVER) life->ready = cycle;
        break;
    case LIFE_GRANT:
        if (life->issued == LIFE_NEVER) life->issued = cycle + 1;
        break;
    case LIFE_DONE:
        if (life->done == LIFE_NEVER) life->done = cycle;
        break;
    case LIFE_ADDRESS:
        life->addressed = true;
        life->address = e->a;
        break;
    case LIFE_EVENT: life->psv |= (uint16_t)e->a; break;
    case LIFE_RESOLVE:
        life->resolved = true;
        life->taken = e->b & 1;
        life->mispredicted = e->b >> 1 & 1;
        life->addressed = life->taken;
        life->address = e->a;
        break;
    default: break;
    }
}

static unsigned mapped_now(const struct trace_life *events) {
    unsigned n = 0;
    for (unsigned i = 0; i < events->count; i++)
        n += events->list[i].kind == LIFE_MAP;
    return n;
}

// A cycle's events in the order that matters: operands that are ready, even where the instruction dies now; who dies;
// the rest of what meets those that live on.
static int show(struct lives *l, uint64_t cycle, const struct trace_life *events, struct error *err) {
    int result = 0;
    for (unsigned i = 0; i < events->count; i++) {
        struct life *life = events->list[i].kind == LIFE_READY ? by_rob(l, events->list[i].rob) : NULL;
        if (life) meet(life, cycle, &events->list[i]);
    }
    for (unsigned i = 0; result == 0 && i < events->count; i++)
        if (events->list[i].kind == LIFE_SQUASH) result = squash(l, cycle, &events->list[i], err);
    for (unsigned i = 0; result == 0 && i < events->count; i++) {
        const struct life_event *e = &events->list[i];
        if (e->kind < LIFE_GRANT) continue;
        struct life *life = by_rob(l, e->rob);
        if (life) meet(life, cycle, e);
    }
    return result;
}

static int retire(struct lives *l, uint64_t cycle, const struct commit_bundle *b, struct error *err) {
    int result = 0;
    unsigned lane = b->oldest;
    for (unsigned k = 0; result == 0 && k < l->width; k++, lane = lane + 1 == l->width ? 0 : lane + 1) {
        if (!(b->commit >> lane & 1)) continue;
        if (l->first == l->mapped || at(l, l->first)->pc != b->pc[lane]) {
            error_set(err,
                      "inst-lifetimes: cycle %" PRIu64 ": 0x%" PRIx64
                      " retires, but it is not the oldest that was fetched",
                      cycle, b->pc[lane]);
            return -EBADMSG;
        }
        struct life *life = at(l, l->first);
        if (b->flush >> lane & 1) {
            l->order = OUTCOME_FLUSH;
            l->order_cycle = cycle;
            l->order_history = life->history;
        }
        l->first++;
        result = leave(l, life, cycle, OUTCOME_RETIRED, lane, err);
    }
    return result;
}

static int raise(struct lives *l, uint64_t cycle, const struct commit_bundle *b, struct error *err) {
    if (l->first == l->mapped || at(l, l->first)->pc != b->exception_pc) {
        error_set(err, "inst-lifetimes: cycle %" PRIu64 ": 0x%" PRIx64 " raises an exception, but it is not the oldest",
                  cycle, b->exception_pc);
        return -EBADMSG;
    }
    struct life *life = at(l, l->first++);
    life->own = true;
    l->order = b->interrupt                          ? OUTCOME_INTERRUPT
               : !b->replay                          ? OUTCOME_EXCEPTION
               : b->exception_psv >> EVENT_FL_MO & 1 ? OUTCOME_REORDERED
                                                     : OUTCOME_PAGE;
    l->order_cycle = cycle;
    l->order_history = life->history;
    if (!b->replay) life->cause = b->cause;
    life->psv = b->exception_psv;
    return leave(l, life, cycle, l->order, MAX_LANES, err);
}

int lives_cycle(struct lives *l, uint64_t cycle, uint64_t count, const struct commit_bundle *b,
                const struct trace_life *events, struct error *err) {
    (void)count;
    if (!b->rob_empty && l->first < l->mapped && at(l, l->first)->headed == LIFE_NEVER) at(l, l->first)->headed = cycle;
    int result = show(l, cycle, events, err);
    if (result == 0 && b->commit) result = retire(l, cycle, b, err);
    if (result == 0 && b->exception) result = raise(l, cycle, b, err);
    const uint64_t blocked = l->mapped + mapped_now(events);
    for (unsigned i = 0; result == 0 && i < events->count; i++) {
        const struct life_event *e = &events->list[i];
        if (e->kind == LIFE_CONFLICT && blocked < l->end) at(l, blocked)->conflicts |= (uint16_t)e->a;
        if (e->kind == LIFE_MAP) result = map(l, cycle, e, err);
        if (e->kind == LIFE_FETCH) result = fetch(l, cycle, e, b, err);
    }
    return result;
}
