// Inside of the model: its state, and the rules of one resource. engine.c has the way of an instruction, memory.c that
// of an access.
//
// A resource has the time at which it is free again, and gets later by its gap with each use (Algorithm 1, lines 17 and
// 20). A use begins in the whole cycle in which that time lies: n uses a cycle all begin together.
#ifndef TIPOFF_METHODS_GUS_ENGINE_H
#define TIPOFF_METHODS_GUS_ENGINE_H

#include "methods/gus/gus.h"
#include "methods/gus/order.h"
#include "methods/gus/traffic.h"

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
struct program {                        // of a kind: its resources by what they do, each list ended by NULL
    struct state *rates[GUS_USES + 1], *slots[GUS_USES + 1], *queues[GUS_USES + 1];
    struct state *unit;     // NULL: none
    uint64_t latency, done; // until users may start; until it may leave
};
struct gus {
    const struct gus_table *table;
    struct state states[GUS_RESOURCES];
    struct state *named[NAMED];                 // NULL: the table has none
    uint64_t delays[NAMED], levels[GUS_LEVELS]; // lengths; 0: the table has none
    uint64_t cycle;                             // as long as a cycle of latency is
    struct program programs[GUS_KINDS];
    uint64_t registers[GUS_REGISTERS + 1]; // the last one: of what has no target
    uint64_t fetched, redirected, dispatched, left, drained, barrier;
    uint64_t instructions;
    bool plain, two_levels; // two_levels: there is an L2
    struct word *words;     // their halves side by side
    uint64_t known;         // addresses of all stores so far are
    struct shadow *lines, pages[PAGES];
    struct gus_place *places;
    size_t place_count;
    struct gus_traffic *traffic; // of several harts; NULL: it is alone
    unsigned hart;
};

static inline uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// ---- resources ----
// A use of a rate by what entered the window at `entered` and is ready at `from`: when it happens. It holds up younger
// ones as if it had happened at once (Algorithm 1, line 20): they may go first.
static inline uint64_t use_of(struct state *s, uint64_t entered, uint64_t from) {
    if (!s) return from;
    uint64_t start = later(from, s->free & ~(GUS_CYCLE - 1));
    s->free = later(entered, s->free) + s->gap;
    s->busy += s->gap;
    return start;
}

static inline uint64_t use(struct state *s, uint64_t from) { // in order
    return use_of(s, from, from);
}

// When there is an entry, for what asks at `from`.
static inline uint64_t room(const struct state *s, uint64_t from) { // in order
    return s ? later(from, gus_ring_first(&s->in)) : from;
}

static inline uint64_t any_room(const struct state *s, uint64_t from) {
    return s ? later(from, gus_heap_first(&s->in)) : from;
}

static inline void hold(struct state *s, uint64_t from, uint64_t until) {
    if (!s) return;
    gus_ring_replace(&s->in, until);
    s->busy += until - from;
}

static inline void hold_any(struct state *s, uint64_t from, uint64_t until) {
    if (!s) return;
    gus_heap_replace(&s->in, until);
    s->busy += until - from;
}

// ---- memory.c ----
// When an access goes on whose page's translation is missing or on its way.
uint64_t gus_translated(struct gus *g, const struct gus_event *e, uint64_t start);
uint64_t gus_walked(struct gus *g, const uint8_t walk[GUS_WALK],
                    uint64_t from); // when a walk asked for at `from` is over
// When a line arrives that comes from `level`, for what entered at g->dispatched and asks at `from`.
uint64_t gus_line_miss(struct gus *g, uint64_t line, unsigned level, uint64_t from, enum gus_asker who);
static inline uint64_t gus_line_time(struct gus *g, uint64_t line, unsigned level, uint64_t from, enum gus_asker who) {
    if (level != GUS_L1) return gus_line_miss(g, line, level, from, who);
    const struct shadow *s = &g->lines[line % LINES];
    return s->what == line ? later(from, s->time) : from;
}
uint64_t gus_data_time(struct gus *g, const struct gus_event *e, uint64_t from); // the event's, with all that it causes
// Of a store with GUS_OWNS: when the line is its hart's own.
uint64_t gus_owned_time(struct gus *g, const struct gus_event *e, uint64_t from);
// A store whose address is known at `address`, its data at `data`, its line there at `line`, leaves for the cache.
void gus_drain(struct gus *g, const struct gus_event *e, uint64_t address, uint64_t data, uint64_t line);

// ---- words ----
static inline struct word *half_of(const struct gus *g, uint64_t word, unsigned half) {
    return &g->words[word % WORDS * HALVES + half];
}

static inline uint8_t part_of(uint8_t mask, unsigned half) {
    return half ? mask & 0xf0 : mask & 0x0f;
}

// A load waits for the youngest store of its bytes: for its data, if that has all of them, else until it is in the
// cache.
static inline uint64_t gus_stored(const struct gus *g, const struct gus_event *e, uint64_t from) {
    for (unsigned half = 0; half < HALVES; half++) {
        const struct word *w = half_of(g, e->word, half);
        const uint8_t wanted = part_of(e->mask, half);
        if (w->what != e->word || !(w->mask & wanted)) continue;
        from = later(from, e->mask & ~w->mask ? w->drained : w->time);
    }
    return from;
}

// ---- what the stream asks of the model that is its clock ----
static inline uint64_t gus_fetch_from(const struct gus *g) {
    return room(g->named[PACKETS], room(g->named[BUFFER], later(g->fetched, g->redirected)));
}

// When the next packet is fetched, if its line is present.
static inline uint64_t gus_next_fetch(const struct gus *g) {
    const struct state *s = g->named[FETCH];
    return s ? later(gus_fetch_from(g), s->free & ~(GUS_CYCLE - 1)) : gus_fetch_from(g);
}

// Register a is ready later than b, and than dispatch.
static inline bool gus_later(const struct gus *g, unsigned a, unsigned b) {
    return g->registers[a] > g->registers[b] && g->registers[a] > g->dispatched + 2 * GUS_CYCLE;
}

// A store of the word, of some of the bytes of `mask`, whose address is known later than that in this register: a load
// that does not wait goes ahead of it.
static inline bool gus_goes_ahead(const struct gus *g, uint64_t word, uint8_t mask, unsigned address) {
    const uint64_t from = later(g->dispatched + GUS_CYCLE, g->registers[address]);
    for (unsigned half = 0; half < HALVES; half++) {
        const struct word *w = half_of(g, word, half);
        if (w->what == word && w->mask & part_of(mask, half) && w->known > from + GUS_CYCLE) return true;
    }
    return false;
}

static inline bool gus_page_pending(const struct gus *g, uint32_t page) {
    const struct shadow *s = &g->pages[page % PAGES];
    return s->what == page && s->time > g->dispatched;
}

// It was asked for, and has not arrived.
static inline bool gus_line_pending(const struct gus *g, uint64_t line) {
    const struct shadow *s = &g->lines[line % LINES];
    return s->what == line && s->time > g->dispatched;
}

#endif
