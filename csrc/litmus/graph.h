// One candidate: a path of each thread, its memory operations, and which of them must come before which in the global
// memory order whatever the loads return.
#ifndef TIPOFF_LITMUS_GRAPH_H
#define TIPOFF_LITMUS_GRAPH_H

#include "litmus/thread.h"

enum {
    GRAPH_EVENTS = 64, // of all threads
    GRAPH_CELLS = 64,  // ranges of bytes that each event has whole or not at all
    GRAPH_READS = 160  // cells that are read, of all events
};

struct graph {
    const struct litmus_test *t;
    const struct shape *shapes[LITMUS_THREADS];
    unsigned first[LITMUS_THREADS + 1]; // a thread's first event; they are in program order
    unsigned count;
    const struct event *events[GRAPH_EVENTS];
    uint8_t thread[GRAPH_EVENTS];
    uint64_t before[GRAPH_EVENTS]; // preserved program order, rules 1, 4 to 11, 13: events, as bits
    uint64_t feeds[GRAPH_EVENTS];  // events that its address and data depend on (for rule 12)
    uint64_t cells[GRAPH_EVENTS];  // that it accesses, as bits
    int pair[GRAPH_EVENTS];        // of an SC: its LR's event; -1
    struct {
        uint64_t address;
        unsigned bytes;
    } cell[GRAPH_CELLS];
    unsigned cell_count;
    unsigned slot[GRAPH_EVENTS]; // where what it reads from begins, a cell after the other
    unsigned slot_count;
};

// False with err: it is too large.
bool graph_make(struct graph *g, const struct litmus_test *t, const struct shape *const shapes[LITMUS_THREADS],
                const char *path, struct error *err);

static inline unsigned graph_lowest(uint64_t bits) {
    return (unsigned)__builtin_ctzll(bits);
}

// All final states of the candidate go into `states`. False with err.
struct litmus_states;
bool search(const struct graph *g, struct litmus_states *states, const char *path, struct error *err);

#endif
