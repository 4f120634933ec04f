// A toy out-of-order core that knows no instructions, only when they are done: it makes random bundle streams that keep
// every rule of docs/guide/integration.md, for any width and any length of ROB.
#ifndef TIPOFF_TESTS_TOY_CORE_H
#define TIPOFF_TESTS_TOY_CORE_H

#include "profile/place.h"
#include "records.h"
#include <string.h>

enum { TOY_ENTRIES = 64, TOY_BUFFER = 16, TOY_PACKET = 4 };

struct toy_entry {
    uint64_t pc, number; // number: of its dispatch, counted from 0 in a run
    unsigned wait;       // cycles until it is done
    bool branch;         // mispredicted: resolves when done, commits later
    bool resolved, flush, except;
    uint16_t psv;
};

enum toy_fate_kind {
    TOY_INSIDE,
    TOY_COMMITTED,
    TOY_SQUASHED,
    TOY_CLEARED
}; // squashed by a branch; by a flush or exception
struct toy_fate {
    uint64_t cycle; // it left at the end of this cycle
    enum toy_fate_kind kind;
    uint64_t pc;
    uint16_t psv; // when it left
    bool oldest;  // it was the oldest then
};

// Fetched, not dispatched yet.
struct toy_fetched {
    uint64_t pc, packet;
    bool begins; // first instruction of its packet
};
// What became of a packet: its first instruction dispatched as number `number`, or (TOY_CLEARED) it was dropped before.
struct toy_packet {
    enum toy_fate_kind kind;
    uint64_t cycle, number;
};

struct toy_core {
    unsigned width, size, wrap; // ROB entries; the wrap bit of its index
    uint8_t mode;               // it runs in, and in this address space, until the next flush or exception
    uint64_t space;
    uint64_t random, head, tail, dispatched;
    uint64_t squash_from; // what is at or after it is squashed at the end of the next cycle; 0: nothing
    unsigned starved;     // cycles without dispatch to come
    struct toy_entry entries[TOY_ENTRIES];
    bool cleared; // by a flush or exception in the last cycle
    unsigned buffered;
    struct toy_fetched buffer[TOY_BUFFER + TOY_PACKET]; // oldest first
    uint64_t packet_count;
    struct toy_packet *packets; // by number, where somebody wants to know
    uint64_t cycle, slot0;      // number of the next cycle; of the instruction in slot 0 of the last one
    struct toy_fate *fates;     // by number, where somebody wants to know
};

static inline uint64_t toy_random(struct toy_core *t) {
    uint64_t z = (t->random += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}
static inline unsigned toy_below(struct toy_core *t, unsigned n) {
    return (unsigned)(toy_random(t) % n);
}

// Rows: ROB entries / width.
static inline void toy_create(struct toy_core *t, unsigned width, unsigned rows, uint64_t seed) {
    memset(t, 0, sizeof *t);
    t->width = width;
    t->size = width * rows;
    t->wrap = 1;
    while (t->wrap < t->size)
        t->wrap *= 2;
    t->random = seed;
    t->mode = MODE_MACHINE;
}

static inline struct toy_entry *toy_entry(struct toy_core *t, uint64_t position) {
    return &t->entries[position % t->size];
}

static inline void toy_leaves(struct toy_core *t, uint64_t position, enum toy_fate_kind kind) {
    const struct toy_entry *e = toy_entry(t, position);
    if (t->fates) t->fates[e->number] = (struct toy_fate){t->cycle, kind, e->pc, e->psv, position == t->head};
}

static inline void toy_enter(struct toy_core *t, uint64_t pc) {
    unsigned kind = toy_below(t, 32);
    *toy_entry(t, t->tail++) = (struct toy_entry){.pc = pc,
                                                  .number = t->dispatched++,
                                                  .wait = toy_below(t, 4) ? toy_below(t, 3) : toy_below(t, 30),
                                                  .branch = kind < 3,
                                                  .flush = kind == 3,
                                                  .except = kind == 4,
                                                  .psv = (uint16_t)(toy_below(t, 4) ? 0 : toy_below(t, 512))};
}

static inline void toy_commit(struct toy_core *t, struct commit_bundle *b) {
    struct toy_entry *head = toy_entry(t, t->head);
    if (t->head == t->tail) return;
    if (head->except && head->wait == 0) {
        b->exception = true;
        b->exception_pc = head->pc;
        head->psv |= 0x10;
        b->exception_psv = b->psv[b->oldest] = head->psv;
        return;
    }
    for (unsigned k = 0; k < t->width && t->head + k < t->tail; k++) {
        struct toy_entry *e = toy_entry(t, t->head + k);
        if (e->wait || e->except || (e->branch && !e->resolved)) break;
        b->commit |= (uint8_t)(1u << (t->head + k) % t->width);
        toy_leaves(t, t->head + k, TOY_COMMITTED);
        if (e->branch || e->flush) break;
    }
}

static inline void toy_drop_fetched(struct toy_core *t) {
    for (unsigned i = 0; i < t->buffered; i++) {
        if (t->packets && t->buffer[i].begins)
            t->packets[t->buffer[i].packet] = (struct toy_packet){TOY_CLEARED, t->cycle, 0};
    }
    t->buffered = 0;
}

// Packets start 64 bytes apart: none begins inside another.
static inline void toy_fetch(struct toy_core *t, struct commit_bundle *b) {
    if (t->buffered >= TOY_BUFFER || !toy_below(t, 3)) return;
    uint64_t pc = (uint64_t)t->mode << 60 | t->space << 48 | (0x1000 + 64 * (uint64_t)toy_below(t, 12));
    unsigned count = 1 + toy_below(t, TOY_PACKET);
    b->fetch_valid = true;
    b->fetch_pc = pc;
    for (unsigned i = 0; i < count; i++, pc += 4)
        t->buffer[t->buffered++] = (struct toy_fetched){pc, t->packet_count, i == 0};
    t->packet_count++;
}

static inline uint64_t toy_take(struct toy_core *t) {
    struct toy_fetched f = t->buffer[0];
    memmove(t->buffer, t->buffer + 1, --t->buffered * sizeof f);
    if (t->packets && f.begins) t->packets[f.packet] = (struct toy_packet){TOY_COMMITTED, t->cycle, t->dispatched};
    return f.pc;
}

// An address says in its upper bits the instruction's mode and address space, so that a test can decide without
// following the core. What a profiler is fed has them not: one address is then several places.
static inline struct place toy_place(uint64_t pc) {
    if (pc == PROFILE_PC_END) return PLACE_END;
    return (struct place){pc & UINT64_C(0xffffffffffff), place_context(pc >> 60, pc >> 48 & 0xfff)};
}
static inline struct commit_bundle toy_fed(const struct commit_bundle *b) {
    struct commit_bundle fed = *b;
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        fed.pc[lane] = toy_place(b->pc[lane]).pc;
        fed.dispatch_pc[lane] = toy_place(b->dispatch_pc[lane]).pc;
    }
    fed.exception_pc = toy_place(b->exception_pc).pc;
    fed.fetch_pc = toy_place(b->fetch_pc).pc;
    return fed;
}

// Shows the next cycle in *b and goes on.
static inline void toy_cycle(struct toy_core *t, struct commit_bundle *b) {
    memset(b, 0, sizeof *b);
    b->priv = t->mode;
    b->space = t->space;
    b->oldest = (uint8_t)(t->head % t->width);
    b->rob_empty = t->head == t->tail;
    b->redirect = t->squash_from != 0 || t->cleared;
    b->dispatch_rob = (uint16_t)(t->tail % t->size + (t->tail / t->size & 1 ? t->wrap : 0));
    for (unsigned k = 0; k < t->width && t->head + k < t->tail; k++) {
        const struct toy_entry *e = toy_entry(t, t->head + k);
        unsigned lane = (unsigned)((t->head + k) % t->width);
        b->valid |= (uint8_t)(1u << lane);
        b->first |= (uint8_t)(1u << lane);
        b->mispredict |= (uint8_t)((e->branch && e->resolved) << lane);
        b->flush |= (uint8_t)(e->flush << lane);
        b->pc[lane] = e->pc;
        b->psv[lane] = e->psv;
    }
    toy_commit(t, b);

    // dispatch
    uint64_t squash_from = t->squash_from;
    if (t->starved)
        t->starved--;
    else if (!toy_below(t, 12))
        t->starved = toy_below(t, 20);
    unsigned ready = t->starved || b->redirect ? 0 : toy_below(t, t->width + 1);
    t->slot0 = t->dispatched;
    uint64_t old_tail = t->tail;
    for (unsigned i = 0; i < ready && t->buffered && t->tail - t->head < t->size; i++) {
        b->dispatch_valid |= (uint8_t)(1u << i);
        b->dispatch_pc[i] = toy_take(t);
        toy_enter(t, b->dispatch_pc[i]);
    }

    toy_fetch(t, b);

    // execution: what was in flight at the beginning of the cycle gets on; the oldest branch that resolves redirects
    t->squash_from = 0;
    uint64_t alive = squash_from ? squash_from : old_tail;
    for (uint64_t p = t->head; p < alive; p++) {
        struct toy_entry *e = toy_entry(t, p);
        if (e->wait) e->wait--;
        if (e->branch && !e->resolved && e->wait == 0 && !t->squash_from) {
            e->resolved = true;
            t->squash_from = p + 1;
        }
    }
    bool clear = b->exception || (b->commit & b->flush);
    for (; squash_from && t->tail > squash_from; t->tail--)
        toy_leaves(t, t->tail - 1, clear ? TOY_CLEARED : TOY_SQUASHED);

    // what leaves
    t->head += (unsigned)__builtin_popcount(b->commit);
    for (; clear && t->tail > t->head; t->tail--)
        toy_leaves(t, t->tail - 1, TOY_CLEARED);
    if (clear) {
        static const uint8_t modes[] = {MODE_USER, MODE_SUPERVISOR, MODE_MACHINE};
        t->squash_from = 0;
        t->mode = modes[toy_below(t, 3)];
        t->space = toy_below(t, 3);
    }
    if (clear || b->redirect) toy_drop_fetched(t);
    t->cleared = clear;
    t->cycle++;
}

#endif
