// A port of the memory model: pending responses, in the order in which their data comes. Not for others than
// memory.c.
#ifndef TIPOFF_HARNESS_MEMORY_PORT_H
#define TIPOFF_HARNESS_MEMORY_PORT_H

#include "harness/memory.h"
#include <stdlib.h>

enum { PORT_PENDING = 64 }; // responses that it can have pending: more than any L1 has MSHRs

struct port {
    struct memory_response pending[PORT_PENDING];
    uint64_t free;             // slots of pending
    uint8_t due[PORT_PENDING]; // ring of slots with their data ready
    unsigned due_first, due_count;
    bool responds;
    struct memory_response response;
};

static inline void port_begin(struct port *p) { // of zeros
    p->free = UINT64_MAX;
}

// The slot of a response that is pending from now on.
static inline unsigned port_add(struct port *p, const struct memory_response *response) {
    if (p->free == 0) abort(); // the port's cache has more misses in flight than any configuration allows
    const unsigned slot = (unsigned)__builtin_ctzll(p->free);
    p->free &= p->free - 1;
    p->pending[slot] = *response;
    return slot;
}

// Its data is ready.
static inline void port_reply(struct port *p, unsigned slot, bool l2_miss, bool llc_miss) {
    p->pending[slot].l2_miss = l2_miss;
    p->pending[slot].llc_miss = llc_miss;
    p->due[(p->due_first + p->due_count++) % PORT_PENDING] = (uint8_t)slot;
}

// The response of this cycle, if there is one.
static inline void port_respond(struct port *p) {
    p->responds = p->due_count > 0;
    if (!p->responds) return;
    const unsigned slot = p->due[p->due_first];
    p->due_first = (p->due_first + 1) % PORT_PENDING;
    p->due_count--;
    p->response = p->pending[slot];
    p->free |= UINT64_C(1) << slot;
}

#endif
