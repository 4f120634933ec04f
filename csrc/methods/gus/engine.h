// Inside of the model: its state, and the rules of one resource. engine.c has the way of an instruction, memory.c that
// of an access.
//
// A resource has the time at which it is free again, and gets later by its gap with each use (Algorithm 1, lines 17 and
// 20). A use begins in the whole cycle in which that time lies: n uses a cycle all begin together.
#ifndef TIPOFF_METHODS_GUS_ENGINE_H
#define TIPOFF_METHODS_GUS_ENGINE_H

#include "methods/gus/gus.h"
#include "methods/gus/order.h"

enum { WORDS = 1 << 16, HALVES = 2, LINES = 1 << 13, PAGES = 1 << 8 };
// Resources that the rules below name; those that a table leaves out have no effect.
#define NAMED_RESOURCES(X)                                                                                             \
    X(FETCH, "fetch")                                                                                                  \
    X(DISPATCH, "dispatch")                                                                                            \
    X(COMMIT, "commit")                                                                                                \
    X(DRAIN, "drain")                                                                                                  \
    X(CACHE_PORTS, "cache_ports")                                                                                      \
    X(LLC, "llc")                                                                                                      \
    X(DRAM, "dram")                                                                                                    \
    X(MSHRS, "mshrs")                                                                                                  \
    X(FETCH_MSHRS, "fetch_mshrs")                                                                                      \
    X(L2_MSHRS, "l2.mshrs")                                                                                            \
    X(LLC_MSHRS, "llc.mshrs")                                                                                          \
    X(AGAIN, "again")                                                                                                  \
    X(WALKER, "walker")                                                                                                \
    X(BUFFER, "buffer")                                                                                                \
    X(PACKETS, "packets")                                                                                              \
    X(STORES, "stores")                                                                                                \
    X(WINDOW, "window")                                                                                                \
    X(D_FRONT, "front")                                                                                                \
    X(D_ISSUE, "issue")                                                                                                \
    X(D_COMMIT, "leave")                                                                                               \
    X(D_FREE, "free")                                                                                                  \
    X(D_REDIRECT, "redirect")                                                                                          \
    X(D_WAY, "way")                                                                                                    \
    X(D_DEVICE, "device")                                                                                              \
    X(D_DRAINED, "drained")                                                                                            \
    X(D_TLB, "second_tlb")                                                                                             \
    X(D_WALK, "walk_read")                                                                                             \
    X(D_FETCH_TLB, "fetch_walk")
#define NAMED_SYMBOL(symbol, name) symbol,
#define NAMED_TEXT(symbol, name) name,
enum named { NAMED_RESOURCES(NAMED_SYMBOL) NAMED };

struct state {               // of a resource
    uint64_t gap;            // rate: between uses; delay: its length
    uint64_t free;           // rate, unit: when it is next
    uint64_t busy;           // time in use, over all entries
    uint64_t scale;          // of what it holds, of GUS_CYCLE
    struct gus_order in;     // slots, pool, unit: when its entries are free again
    struct gus_calendar any; // queue
};
struct word {                            // who stored a half of it last
    uint64_t what, known, time, drained; // known: when its address was
    uint8_t mask;
};
struct shadow {
    uint64_t what, time;
};
enum gus_asker { DEMAND, SPARE, CODE }; // of a line; SPARE leaves one of the registers free
struct program {                        // of a kind: its resources by what they do
    uint8_t rates[GUS_USES], slots[GUS_USES], queues[GUS_USES], rate_count, slot_count, queue_count;
    uint8_t unit;           // GUS_NONE: none
    uint64_t latency, done; // done: 0: latency, and the delay
};
struct gus {
    const struct gus_table *table;
    struct state states[GUS_RESOURCES];
    uint8_t named[NAMED];                       // GUS_NONE: the table has none
    uint64_t delays[NAMED], levels[GUS_LEVELS]; // lengths; 0: the table has none
    uint64_t cycle;                             // as long as a cycle of latency is
    struct program programs[GUS_KINDS];
    uint64_t registers[GUS_REGISTERS];
    uint64_t fetched, redirected, dispatched, left, drained, barrier;
    uint64_t instructions;
    bool plain, two_levels; // two_levels: there is an L2
    struct word *words;     // their halves side by side
    uint64_t known;         // addresses of all stores so far are
    struct shadow *lines, pages[PAGES];
    struct gus_place *places;
    size_t place_count;
};

static inline uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// ---- resources ----
// A use of a rate by what entered the window at `entered` and is ready at `from`: when it happens. It holds up younger
// ones as if it had happened at once (Algorithm 1, line 20): they may go first.
static inline uint64_t use_of(struct gus *g, uint8_t r, uint64_t entered, uint64_t from) {
    if (r == GUS_NONE) return from;
    struct state *s = &g->states[r];
    uint64_t start = later(from, s->free & ~(GUS_CYCLE - 1));
    s->free = later(entered, s->free) + s->gap;
    s->busy += s->gap;
    return start;
}

static inline uint64_t use(struct gus *g, uint8_t r, uint64_t from) { // in order
    return use_of(g, r, from, from);
}

// When there is an entry, for what asks at `from`.
static inline uint64_t room(const struct gus *g, uint8_t r, uint64_t from) { // in order
    return r == GUS_NONE ? from : later(from, gus_ring_first(&g->states[r].in));
}

static inline uint64_t any_room(const struct gus *g, uint8_t r, uint64_t from) {
    return r == GUS_NONE ? from : later(from, gus_heap_first(&g->states[r].in));
}

static inline void hold(struct gus *g, uint8_t r, uint64_t from, uint64_t until) {
    if (r == GUS_NONE) return;
    gus_ring_replace(&g->states[r].in, until);
    g->states[r].busy += until - from;
}

static inline void hold_any(struct gus *g, uint8_t r, uint64_t from, uint64_t until) {
    if (r == GUS_NONE) return;
    gus_heap_replace(&g->states[r].in, until);
    g->states[r].busy += until - from;
}

// ---- memory.c ----
// When an access goes on whose page's translation is missing or on its way.
uint64_t gus_translated(struct gus *g, const struct gus_event *e, uint64_t start);
uint64_t gus_walked(struct gus *g, const uint8_t walk[GUS_WALK],
                    uint64_t from); // when a walk asked for at `from` is over
// When a line is there that comes from `level`, for what entered at g->dispatched and asks at `from`.
uint64_t gus_line_time(struct gus *g, uint64_t line, unsigned level, uint64_t from, enum gus_asker who);
uint64_t gus_data_time(struct gus *g, const struct gus_event *e, uint64_t from); // the event's, with all that it causes
uint64_t gus_stored(const struct gus *g, const struct gus_event *e, uint64_t from); // when its word is, for a load
// A store whose address is known at `address`, its data at `data`, its line there at `line`, leaves for the cache.
void gus_drain(struct gus *g, const struct gus_event *e, uint64_t address, uint64_t data, uint64_t line);

#endif
