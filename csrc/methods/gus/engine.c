// The times of one stream on one core: fetch, dispatch, start, end, leave.
//
//   fetch (packets) --front--> dispatch --issue--> start --latency--> end --commit--> leave
//   in order                   in order,           when sources and   memory          in order
//                              slots and queues    resources are      as far as the
//                                                  there              line is
//
// A resource has the time at which it is free again, and gets later by its gap with each use (Algorithm 1, lines 17 and
// 20). A use begins in the whole cycle in which that time lies: n uses a cycle all begin together.
#include "methods/gus/gus.h"
#include "methods/gus/order.h"
#include <stdlib.h>
#include <string.h>

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
#define NAME(symbol, name) symbol,
#define TEXT(symbol, name) name,
enum named { NAMED_RESOURCES(NAME) NAMED };
static const char *const named[NAMED] = {NAMED_RESOURCES(TEXT)};
static const char *const level_names[GUS_LEVELS] = {"l1", "l2.latency", "llc.latency", "row_hit", "row_miss"};

struct state {           // of a resource
    uint64_t gap;        // rate: between uses; delay: its length
    uint64_t free;       // rate, unit: when it is next
    uint64_t busy;       // time in use, over all entries
    uint64_t scale;      // of what it holds, of GUS_CYCLE
    struct gus_order in; // slots, queue: when its entries are free again
};
struct word { // who stored a half of it last
    uint64_t what, known, time, drained; // known: when its address was
    uint8_t mask;
};
struct shadow {
    uint64_t what, time;
};
enum asker { DEMAND, SPARE, CODE }; // of a line; SPARE leaves one of the registers free
struct gus {
    const struct gus_table *table;
    struct state states[GUS_RESOURCES];
    uint8_t named[NAMED], level[GUS_LEVELS];
    uint64_t latency[GUS_KINDS], done[GUS_KINDS]; // done: 0: latency, and the delay
    uint64_t cycle;                               // as long as a cycle of latency is
    uint64_t registers[GUS_REGISTERS];
    uint64_t fetched, redirected, dispatched, left, drained, barrier;
    uint64_t instructions;
    bool plain, two_levels; // two_levels: there is an L2
    struct word *words; // their halves side by side
    uint64_t known;     // addresses of all stores so far are
    struct shadow *lines, pages[PAGES];
    struct gus_place *places;
    size_t place_count;
};

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

// ---- life ----
static bool set_up(struct gus *g, unsigned r, unsigned faster) {
    const struct gus_resource *resource = &g->table->resources[r];
    struct state *s = &g->states[r];
    uint64_t cycle = GUS_CYCLE * 100 / (100 + faster);
    s->scale = cycle;
    switch (resource->type) {
    case GUS_RATE: s->gap = cycle * resource->cycles / resource->count; return true;
    case GUS_DELAY: s->gap = cycle * resource->count; return true;
    case GUS_UNIT: return gus_order_create(&s->in, resource->count);
    default:
        return gus_order_create(&s->in, (resource->count * (100 + faster) + 99) / 100); // a part of an entry is one
    }
}

struct gus *gus_create(const struct gus_table *table, const unsigned *faster, struct error *err) {
    struct gus *g = calloc(1, sizeof *g);
    bool good = g != NULL;
    if (good) {
        g->table = table;
        g->plain = !faster;
        g->two_levels = gus_table_size(table, "l2.kib", 0) > 0;
        g->words = calloc((size_t)WORDS * HALVES, sizeof *g->words);
        g->lines = calloc(LINES, sizeof *g->lines);
        good = g->words && g->lines;
    }
    for (unsigned r = 0; good && r < table->resource_count; r++)
        good = set_up(g, r, faster ? faster[r] : 0);
    if (!good) {
        error_set(err, "gus: out of memory: free some and run again");
        gus_destroy(g);
        return NULL;
    }
    for (unsigned i = 0; i < NAMED; i++)
        g->named[i] = gus_table_resource(table, named[i]);
    for (unsigned i = 0; i < GUS_LEVELS; i++)
        g->level[i] = gus_table_resource(table, level_names[i]);
    g->cycle = g->states[table->resource_count - 1].scale;
    for (unsigned k = 0; k < table->kind_count; k++) {
        g->latency[k] = g->cycle * table->kinds[k].latency;
        g->done[k] = g->cycle * table->kinds[k].done;
    }
    return g;
}

bool gus_is_plain(const struct gus *g) {
    return g->plain;
}

void gus_destroy(struct gus *g) {
    if (!g) return;
    for (unsigned r = 0; r < g->table->resource_count; r++)
        gus_order_destroy(&g->states[r].in);
    free(g->words);
    free(g->lines);
    free(g->places);
    free(g);
}

bool gus_keep_places(struct gus *g, size_t count) {
    if (count <= g->place_count) return true;
    size_t larger = count < 2 * g->place_count ? 2 * g->place_count : count;
    struct gus_place *places = realloc(g->places, larger * sizeof *places);
    if (!places) return false;
    memset(places + g->place_count, 0, (larger - g->place_count) * sizeof *places);
    g->places = places;
    g->place_count = larger;
    return true;
}

// ---- resources ----
static uint64_t delay(const struct gus *g, uint8_t r) {
    return r == GUS_NONE ? 0 : g->states[r].gap;
}

// A use of a rate by what entered the window at `entered` and is ready at `from`: when it happens. It holds up younger
// ones as if it had happened at once (Algorithm 1, line 20): they may go first.
static uint64_t use_of(struct gus *g, uint8_t r, uint64_t entered, uint64_t from) {
    if (r == GUS_NONE) return from;
    struct state *s = &g->states[r];
    uint64_t start = later(from, s->free & ~(GUS_CYCLE - 1));
    s->free = later(entered, s->free) + s->gap;
    s->busy += s->gap;
    return start;
}

static uint64_t use(struct gus *g, uint8_t r, uint64_t from) { // in order
    return use_of(g, r, from, from);
}

// When there is an entry, for what asks at `from`.
static uint64_t room(const struct gus *g, uint8_t r, uint64_t from) { // in order
    return r == GUS_NONE ? from : later(from, gus_ring_first(&g->states[r].in));
}

static uint64_t any_room(const struct gus *g, uint8_t r, uint64_t from) {
    return r == GUS_NONE ? from : later(from, gus_heap_first(&g->states[r].in));
}

static void hold(struct gus *g, uint8_t r, uint64_t from, uint64_t until) {
    if (r == GUS_NONE) return;
    gus_ring_replace(&g->states[r].in, until);
    g->states[r].busy += until - from;
}

static void hold_any(struct gus *g, uint8_t r, uint64_t from, uint64_t until) {
    if (r == GUS_NONE) return;
    gus_heap_replace(&g->states[r].in, until);
    g->states[r].busy += until - from;
}

// ---- memory ----
// When a line is there that comes from `level`, for what asks at `start`: by the levels, each with its registers.
static uint64_t travel(struct gus *g, unsigned level, uint64_t start) {
    const uint64_t entered = g->dispatched;
    const uint8_t l2_mshrs = g->named[L2_MSHRS], mshrs = g->named[LLC_MSHRS];
    uint64_t there = use_of(g, g->named[LLC], entered, start) + delay(g, g->named[D_WAY]), l2 = there, llc;
    if (g->two_levels) there += delay(g, g->level[GUS_L2]);
    if (level == GUS_L2) return there;
    if (g->two_levels) there = later(there, any_room(g, l2_mshrs, l2));
    llc = there;
    there += delay(g, g->level[GUS_LLC]);
    if (level != GUS_LLC) {
        there = any_room(g, mshrs, there);
        there = use_of(g, g->named[DRAM], entered, there) + delay(g, g->level[level]);
        hold_any(g, mshrs, llc, there);
    }
    if (g->two_levels) hold_any(g, l2_mshrs, l2, there);
    return there;
}

// When a line is there that somebody who entered at g->dispatched wants at `from`.
static uint64_t line_time(struct gus *g, uint64_t line, unsigned level, uint64_t from, enum asker who) {
    struct shadow *s = &g->lines[line % LINES];
    if (level == GUS_L1) return s->what == line ? later(from, s->time) : from;
    const uint8_t mshrs = g->named[who == CODE ? FETCH_MSHRS : MSHRS];
    uint64_t start = any_room(g, mshrs, from);
    if (who == SPARE && mshrs != GUS_NONE) start = later(start, gus_heap_second(&g->states[mshrs].in));
    uint64_t there = travel(g, level, start);
    hold_any(g, mshrs, start, there);
    *s = (struct shadow){line, there};
    return there;
}

// A load that has waited for its line looks it up again; as many of them in a cycle as there are ports.
static void again(struct gus *g, uint64_t line, uint64_t there) {
    const uint8_t ports = g->named[CACHE_PORTS];
    if (ports == GUS_NONE) return;
    use_of(g, ports, g->dispatched, there);
    if (g->lines[line % LINES].what == line) g->lines[line % LINES].time += g->states[ports].gap;
}

static void write_back(struct gus *g, const struct gus_event *e, uint64_t from) {
    for (unsigned i = 0; i < e->written; i++)
        use_of(g, g->named[LLC], g->dispatched, from);
    for (unsigned i = 0; i < e->sunk; i++)
        use_of(g, g->named[DRAM], g->dispatched, from);
}

static uint64_t data_time(struct gus *g, const struct gus_event *e, uint64_t from) {
    uint64_t there = line_time(g, e->word / 8, e->level, from, e->flags & GUS_LOAD ? DEMAND : SPARE);
    if (e->flags & GUS_LOAD && (e->flags & GUS_AGAIN || e->level != GUS_L1)) again(g, e->word / 8, there);
    if (e->next_line) line_time(g, e->next_line, e->next_level, from, SPARE);
    write_back(g, e, from);
    return there;
}

// When the walk for a page is over that is asked for at `from`.
static uint64_t walked(struct gus *g, const uint8_t walk[GUS_WALK], uint64_t from) {
    uint64_t start = any_room(g, g->named[WALKER], from), end = start + delay(g, g->named[D_TLB]);
    for (unsigned i = 0; i < GUS_WALK && walk[i] && walk[0] != GUS_SECOND_TLB; i++) {
        end += delay(g, g->named[D_WALK]);
        if (walk[i] > GUS_L1 + 1) end = travel(g, walk[i] - 1u, end);
    }
    hold_any(g, g->named[WALKER], start, end);
    return end;
}

// When an access goes on whose page's translation is missing or on its way (rtl/lsu/lsu_tlb_wait.sv): one a cycle.
static uint64_t translated(struct gus *g, const struct gus_event *e, uint64_t start) {
    struct shadow *page = &g->pages[e->page % PAGES];
    if (e->walk[0]) *page = (struct shadow){e->page, walked(g, e->walk, start) + g->cycle};
    if (page->what != e->page) return start;
    start = later(start, page->time);
    if ((e->walk[0] || e->flags & GUS_PAGE_AGAIN) && g->named[AGAIN] != GUS_NONE)
        page->time += g->states[g->named[AGAIN]].gap;
    return start;
}

// Committed stores go to the cache in order. Their lines are asked for as soon as their addresses are known
// (rtl/lsu/lsu_arb.sv, probe_i).
static uint64_t drain(struct gus *g, const struct gus_event *e, uint64_t line, uint64_t dispatched) {
    uint64_t from = use_of(g, g->named[CACHE_PORTS], dispatched, later(g->drained, g->left));
    g->drained =
        later(line, use(g, g->named[DRAIN], from)) + (e->flags & GUS_DEVICE ? delay(g, g->named[D_DEVICE]) : 0);
    uint64_t gone = g->drained + delay(g, g->named[D_DRAINED]);
    hold(g, g->named[STORES], dispatched, gone);
    if (e->flags & GUS_DEVICE) g->drained = gone;
    return gone;
}

// ---- an instruction ----
static uint64_t fetch_from(const struct gus *g) {
    return room(g, g->named[PACKETS], room(g, g->named[BUFFER], later(g->fetched, g->redirected)));
}

static uint64_t fetch(struct gus *g, const struct gus_event *e) {
    if (e->flags & GUS_REPLAYED) g->fetched = use(g, g->named[FETCH], g->left + 2 * delay(g, g->named[D_FREE]));
    if (!(e->flags & GUS_PACKET)) return g->fetched;
    uint64_t from = fetch_from(g);
    for (unsigned i = 0; i < e->bubbles; i++)
        use(g, g->named[FETCH], from);
    from = use(g, g->named[FETCH], from);
    if (e->fetch_walk[0]) from = walked(g, e->fetch_walk, from + delay(g, g->named[D_FETCH_TLB]));
    g->fetched = line_time(g, e->fetch_line, e->fetch_level, from, CODE);
    if (e->fetch_next_line) line_time(g, e->fetch_next_line, e->fetch_next_level, from, CODE);
    return g->fetched;
}

static uint64_t dispatch(struct gus *g, const struct gus_event *e, const struct gus_kind *kind) {
    uint64_t from = fetch(g, e) + delay(g, g->named[D_FRONT]);
    from = room(g, g->named[WINDOW], later(later(from, g->dispatched), g->barrier));
    if (e->flags & GUS_SERIAL) from = later(from, g->left + delay(g, g->named[D_FREE]));
    if (e->flags & GUS_STORE) from = room(g, g->named[STORES], from);
    for (unsigned i = 0; i < kind->use_count; i++) {
        switch (g->table->resources[kind->uses[i]].type) {
        case GUS_SLOTS: from = room(g, kind->uses[i], from); break;
        case GUS_QUEUE: from = any_room(g, kind->uses[i], from); break;
        default: break;
        }
    }
    g->dispatched = use(g, g->named[DISPATCH], from);
    hold(g, g->named[BUFFER], g->dispatched, g->dispatched);
    return g->dispatched;
}

static struct word *half_of(const struct gus *g, uint64_t word, unsigned half) {
    return &g->words[word % WORDS * HALVES + half];
}

static uint8_t part_of(uint8_t mask, unsigned half) {
    return half ? mask & 0xf0 : mask & 0x0f;
}

// A load waits for the youngest store of its bytes: for its data, if that has all of them, else until it is in the cache.
static uint64_t stored(const struct gus *g, const struct gus_event *e, uint64_t from) {
    for (unsigned half = 0; half < HALVES; half++) {
        const struct word *w = half_of(g, e->word, half);
        const uint8_t wanted = part_of(e->mask, half);
        if (w->what != e->word || !(w->mask & wanted)) continue;
        from = later(from, e->mask & ~w->mask ? w->drained : w->time);
    }
    return from;
}

static void store(struct gus *g, const struct gus_event *e, uint64_t address, uint64_t data, uint64_t drained) {
    for (unsigned half = 0; half < HALVES; half++)
        if (part_of(e->mask, half)) *half_of(g, e->word, half) = (struct word){e->word, address, data, drained, e->mask};
    g->known = later(g->known, address);
}

// *address: when a store that is split has its address.
static uint64_t start_of(struct gus *g, const struct gus_event *e, const struct gus_kind *kind, uint64_t dispatched,
                         uint64_t *address) {
    uint64_t start = dispatched + delay(g, g->named[D_ISSUE]), entered = start;
    if (e->flags & GUS_SPLIT) *address = use_of(g, kind->uses[0], entered, later(start, g->registers[e->sources[0]]));
    for (unsigned i = 0; i < GUS_SOURCES; i++)
        start = later(start, g->registers[e->sources[i]]);
    if (e->flags & GUS_OLDEST) start = later(start, later(g->left, g->drained));
    if (e->flags & GUS_WAITS) start = later(start, g->known);
    if (e->flags & GUS_LOAD) start = stored(g, e, start);
    for (unsigned i = 0; i < kind->use_count; i++) {
        const uint8_t r = kind->uses[i];
        const enum gus_type type = g->table->resources[r].type;
        if (type == GUS_RATE) start = use_of(g, r, entered, start);
        if (type == GUS_UNIT) start = later(start, gus_heap_first(&g->states[r].in) & ~(GUS_CYCLE - 1));
    }
    return start;
}

// A unit is held from when the instruction could have had it first: younger ones may go before (as in use_of).
static void hold_unit(struct gus *g, uint8_t r, uint64_t entered, uint64_t time) {
    struct state *s = &g->states[r];
    gus_heap_replace(&s->in, later(entered, gus_heap_first(&s->in)) + time * s->scale / GUS_CYCLE);
    s->busy += time * s->scale / GUS_CYCLE;
}

static void release(struct gus *g, const struct gus_kind *kind, uint64_t dispatched, uint64_t start, uint64_t end) {
    const uint64_t free_at = g->left + delay(g, g->named[D_FREE]);
    for (unsigned i = 0; i < kind->use_count; i++) {
        const uint8_t r = kind->uses[i];
        switch (g->table->resources[r].type) {
        case GUS_UNIT: hold_unit(g, r, dispatched + delay(g, g->named[D_ISSUE]), end - start); break;
        case GUS_SLOTS: hold(g, r, dispatched, free_at); break;
        case GUS_QUEUE: hold_any(g, r, dispatched, start + delay(g, g->named[D_FREE])); break;
        default: break;
        }
    }
    hold(g, g->named[WINDOW], dispatched, free_at);
}

static void count(struct gus_place *p, const struct gus_event *e, uint64_t latency, uint64_t exposed) {
    p->kind = e->kind;
    p->executions++;
    p->misses += (e->flags & (GUS_LOAD | GUS_STORE)) && e->level != GUS_L1;
    p->walks += e->walk[0] != 0;
    p->mispredicted += (e->flags & GUS_MISPREDICTED) != 0;
    p->latency += latency;
    p->exposed += exposed;
}

void gus_step(struct gus *g, const struct gus_event *e) {
    const struct gus_kind *kind = &g->table->kinds[e->kind];
    uint64_t dispatched = dispatch(g, e, kind), address = 0, start = start_of(g, e, kind, dispatched, &address);
    uint64_t from = e->flags & GUS_SPLIT ? address : start;
    if (e->page) from = translated(g, e, from);
    uint64_t before = g->left, there = e->flags & GUS_LOAD ? data_time(g, e, from) : later(start, from);
    if ((e->flags & (GUS_LOAD | GUS_DEVICE)) == (GUS_LOAD | GUS_DEVICE)) there += delay(g, g->named[D_DEVICE]);
    uint64_t extra = g->cycle * (uint64_t)(int64_t)e->extra, end = there + g->latency[e->kind] + extra;
    uint64_t done =
        g->done[e->kind] ? there + g->done[e->kind] + extra : end + delay(g, g->named[D_COMMIT]);
    if (e->target) g->registers[e->target] = end;
    g->left = use(g, g->named[COMMIT], later(g->left, done));
    g->registers[0] = 0;
    release(g, kind, dispatched, start, end);
    if (e->flags & GUS_PACKET) hold(g, g->named[PACKETS], g->fetched, g->left);
    if (e->flags & GUS_STORE) {
        uint64_t gone = drain(g, e, e->flags & GUS_LOAD ? there : data_time(g, e, from), dispatched);
        store(g, e, from + g->cycle, end, gone);
    }
    if (e->flags & GUS_SERIAL) g->barrier = g->left + delay(g, g->named[D_FREE]);
    if (e->flags & GUS_FLUSH) g->redirected = g->left + delay(g, g->named[D_FREE]);
    if (e->flags & GUS_MISPREDICTED) g->redirected = later(g->redirected, end + delay(g, g->named[D_REDIRECT]));
    if (e->place < g->place_count) count(&g->places[e->place], e, end - start, g->left - before);
    g->instructions++;
}

// ---- results ----
uint64_t gus_time(const struct gus *g) {
    return g->left;
}

bool gus_later(const struct gus *g, unsigned a, unsigned b) {
    return g->registers[a] > g->registers[b] && g->registers[a] > g->dispatched + 2 * GUS_CYCLE;
}

bool gus_goes_ahead(const struct gus *g, uint64_t word, uint8_t mask, unsigned address) {
    const uint64_t from = later(g->dispatched + GUS_CYCLE, g->registers[address]);
    for (unsigned half = 0; half < HALVES; half++) {
        const struct word *w = half_of(g, word, half);
        if (w->what == word && w->mask & part_of(mask, half) && w->known > from + GUS_CYCLE) return true;
    }
    return false;
}

bool gus_page_pending(const struct gus *g, uint32_t page) {
    const struct shadow *s = &g->pages[page % PAGES];
    return s->what == page && s->time > g->dispatched;
}

bool gus_line_pending(const struct gus *g, uint64_t line) {
    const struct shadow *s = &g->lines[line % LINES];
    return s->what == line && s->time > g->dispatched;
}

uint64_t gus_next_fetch(const struct gus *g) {
    const uint8_t r = g->named[FETCH];
    return r == GUS_NONE ? fetch_from(g) : later(fetch_from(g), g->states[r].free & ~(GUS_CYCLE - 1));
}

uint64_t gus_instructions(const struct gus *g) {
    return g->instructions;
}

const struct gus_place *gus_places(const struct gus *g) {
    return g->places;
}

double gus_occupancy(const struct gus *g, unsigned resource) {
    const struct state *s = &g->states[resource];
    if (g->table->resources[resource].type == GUS_DELAY) return -1;
    double whole = (double)g->left * (s->in.times ? s->in.size : 1);
    return whole > 0 ? (double)s->busy / whole : 0;
}
