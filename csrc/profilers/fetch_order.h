// The packets between fetch and dispatch, derived from commit bundles: which of them dispatch, and in which slots.
//
// Fetch names a packet by the address of its first instruction. Packets dispatch in the order in which they were
// fetched, so a packet's first instruction is the next that dispatches with that address. (Where a loop lies in a
// single packet that may be the iteration before: the same instruction all the same.) A redirect drops everything
// between fetch and dispatch, and a packet fetched in that cycle. Packets are numbered; the numbers are never used
// again.
#ifndef TIPOFF_PROFILERS_FETCH_ORDER_H
#define TIPOFF_PROFILERS_FETCH_ORDER_H

#include "records.h"

enum { FETCH_ORDER_PACKETS = 1024 }; // between fetch and dispatch; where there are more, all are dropped

struct fetch_order {
    uint64_t oldest, next; // numbers of the oldest packet and of the next to be fetched
    // Of the cycle stepped last:
    bool dropped;               // all packets, and the one fetched in it
    uint8_t begins;             // bit i: slot i dispatches the first instruction of a packet
    uint64_t packet[MAX_LANES]; // ... its number
    uint64_t pc[FETCH_ORDER_PACKETS];
};

// Which packets of the ring dispatch: the first instruction of the oldest, of the next one, and so on.
static inline void fetch_order_dispatch(struct fetch_order *o, const struct commit_bundle *b) {
    uint64_t oldest = o->oldest;
    for (unsigned slot = 0; b->dispatch_valid >> slot & 1 && oldest < o->next; slot++) {
        if (o->pc[oldest % FETCH_ORDER_PACKETS] != b->dispatch_pc[slot]) continue;
        o->begins |= (uint8_t)(1u << slot);
        o->packet[slot] = oldest++;
    }
    o->oldest = oldest;
}

// To be called with every bundle. clears: everything in the ROB is squashed at the end of this cycle.
static inline void fetch_order_step(struct fetch_order *o, const struct commit_bundle *b, bool clears) {
    o->begins = 0;
    if (b->dispatch_valid) fetch_order_dispatch(o, b);
    o->dropped = clears || b->redirect || o->next - o->oldest == FETCH_ORDER_PACKETS;
    if (o->dropped) {
        o->oldest = o->next;
    } else if (b->fetch_valid) {
        o->pc[o->next++ % FETCH_ORDER_PACKETS] = b->fetch_pc;
    }
}

// The same without the packets that begin in this cycle.
static inline void fetch_order_follow(struct fetch_order *o, const struct commit_bundle *b, bool clears) {
    const uint64_t next = o->next;
    uint64_t oldest = o->oldest;
    for (unsigned slots = b->dispatch_valid, slot = 0; slots & 1 && oldest < next; slots >>= 1, slot++)
        oldest += o->pc[oldest % FETCH_ORDER_PACKETS] == b->dispatch_pc[slot];
    o->dropped = clears || b->redirect || next - oldest == FETCH_ORDER_PACKETS;
    o->oldest = o->dropped ? next : oldest;
    if (o->dropped || !b->fetch_valid) return;
    o->pc[next % FETCH_ORDER_PACKETS] = b->fetch_pc;
    o->next = next + 1;
}

#endif
