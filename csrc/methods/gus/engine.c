// The times of one stream on one core: fetch, dispatch, start, end, leave.
//
//   fetch (packets) --front--> dispatch --issue--> start --latency--> end --commit--> leave
//   in order                   in order,           when sources and   memory          in order
//                              slots and queues    resources are      as far as the
//                                                  there              line is
#include "methods/gus/engine.h"
#include "base/array.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const named[NAMED] = {NAMED_RESOURCES(NAMED_TEXT)};
static const char *const level_names[GUS_PEER] = {"l1", "l2.latency", "llc.latency", "row_hit", "row_miss"};

// ---- life ----
static uint32_t more(uint32_t entries, unsigned faster) { // a part of an entry is one
    return (entries * (100 + faster) + 99) / 100;
}

static bool set_up(struct gus *g, unsigned r, unsigned faster) {
    const struct gus_resource *resource = &g->table->resources[r];
    struct state *s = &g->states[r];
    uint64_t cycle = GUS_CYCLE * 100 / (100 + faster);
    s->scale = cycle;
    switch (resource->type) {
    case GUS_RATE: s->gap = cycle * resource->cycles / resource->count; return true;
    case GUS_DELAY: s->gap = cycle * resource->count; return true;
    case GUS_UNIT: return gus_order_create(&s->in, resource->count);
    case GUS_QUEUE: return gus_calendar_create(&s->any, more(resource->count, faster));
    default: return gus_order_create(&s->in, more(resource->count, faster));
    }
}

static struct program program_of(struct gus *g, const struct gus_kind *kind) {
    struct program p = {.latency = g->cycle * kind->latency, .done = g->cycle * kind->done};
    if (!kind->done) p.done = p.latency + g->delays[D_COMMIT];
    struct state **rate = p.rates, **slot = p.slots, **queue = p.queues;
    for (unsigned i = 0; i < kind->use_count; i++) {
        struct state *s = &g->states[kind->uses[i]];
        switch (g->table->resources[kind->uses[i]].type) {
        case GUS_RATE: *rate++ = s; break;
        case GUS_SLOTS: *slot++ = s; break;
        case GUS_QUEUE: *queue++ = s; break;
        case GUS_UNIT: p.unit = s; break;
        default: break;
        }
    }
    return p;
}

static struct state *named_state(struct gus *g, const char *name) {
    const uint8_t r = gus_table_resource(g->table, name);
    return r == GUS_NONE ? NULL : &g->states[r];
}

static uint64_t delay_of(const struct state *s) {
    return s ? s->gap : 0;
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
        good = set_up(g, r, !faster ? 0 : faster[table->resources[r].with == GUS_NONE ? r : table->resources[r].with]);
    if (!good) {
        error_nomem(err, "gus");
        gus_destroy(g);
        return NULL;
    }
    for (unsigned i = 0; i < NAMED; i++) {
        g->named[i] = named_state(g, named[i]);
        g->delays[i] = delay_of(g->named[i]);
    }
    for (unsigned i = 0; i < GUS_PEER; i++)
        g->levels[i] = delay_of(named_state(g, level_names[i]));
    g->cycle = g->states[table->resource_count - 1].scale;
    g->levels[GUS_PEER] = g->cycle * gus_table_size(table, "peer", 0);
    for (unsigned k = 0; k < table->kind_count; k++)
        g->programs[k] = program_of(g, &table->kinds[k]);
    return g;
}

bool gus_is_plain(const struct gus *g) {
    return g->plain;
}

void gus_destroy(struct gus *g) {
    if (!g) return;
    for (unsigned r = 0; r < g->table->resource_count; r++) {
        gus_order_destroy(&g->states[r].in);
        gus_calendar_destroy(&g->states[r].any);
    }
    free(g->words);
    free(g->lines);
    free(g->places);
    free(g);
}

bool gus_keep_places(struct gus *g, size_t count) {
    if (count <= g->place_count) return true;
    const size_t before = g->place_count;
    if (!array_reserve_all(&g->places, &g->place_count, count, sizeof *g->places)) return false;
    memset(g->places + before, 0, (g->place_count - before) * sizeof *g->places);
    return true;
}

void gus_share(struct gus *g, struct gus_traffic *traffic, unsigned hart) {
    g->traffic = traffic;
    g->hart = hart;
}

void gus_wait(struct gus *g, uint32_t place, uint64_t until) {
    if (until <= g->left) return;
    if (place < g->place_count) g->places[place].exposed += until - g->left;
    g->left = until;
    g->barrier = later(g->barrier, until);
    g->redirected = later(g->redirected, until);
}

// ---- an instruction ----
static uint64_t fetch(struct gus *g, const struct gus_event *e) {
    if (e->flags & GUS_REPLAYED) g->fetched = use(g->named[FETCH], g->left + 2 * g->delays[D_FREE]);
    if (!(e->flags & GUS_PACKET)) return g->fetched;
    uint64_t from = gus_fetch_from(g);
    for (unsigned i = 0; i < e->bubbles; i++)
        use(g->named[FETCH], from);
    from = use(g->named[FETCH], from);
    if (e->fetch_walk[0]) // fetched again after the walk (rtl/fetch/fetch_translate.sv)
        from = use(g->named[FETCH], gus_walked(g, e->fetch_walk, from + g->delays[D_FETCH_TLB]));
    g->fetched = gus_line_time(g, e->fetch_line, e->fetch_level, from, CODE);
    if (e->fetch_next_line) gus_line_time(g, e->fetch_next_line, e->fetch_next_level, from, CODE);
    return g->fetched;
}

static inline uint64_t dispatch(struct gus *g, const struct gus_event *e, const struct program *p, unsigned flags) {
    uint64_t from = flags & (GUS_PACKET | GUS_REPLAYED) ? fetch(g, e) : g->fetched;
    from = room(g->named[WINDOW], later(later(from + g->delays[D_FRONT], g->dispatched), g->barrier));
    if (flags & GUS_SERIAL) from = later(from, g->left + g->delays[D_FREE]);
    if (flags & GUS_STORE) from = room(g->named[STORES], from);
    for (struct state *const *s = p->slots; *s; s++)
        from = later(from, gus_ring_first(&(*s)->in));
    for (struct state *const *s = p->queues; *s; s++)
        from = later(from, (*s)->any.first * GUS_CYCLE);
    g->dispatched = use(g->named[DISPATCH], from);
    hold(g->named[BUFFER], room(g->named[BUFFER], g->fetched), g->dispatched);
    return g->dispatched;
}

// One by one: the three times were written one by one, not long ago, and to load them as a vector would wait for that.
static inline uint64_t sources_of(const struct gus *g, const struct gus_event *e) {
    static_assert(GUS_SOURCES == 3, "all of them");
    const uint64_t a = g->registers[e->sources[0]], b = g->registers[e->sources[1]], c = g->registers[e->sources[2]];
    return later(later(a, b), c);
}

// *address: when a store that is split has its address.
static inline uint64_t start_of(struct gus *g, const struct gus_event *e, const struct program *p, unsigned flags,
                                uint64_t dispatched, uint64_t *address) {
    const uint64_t entered = dispatched + g->delays[D_ISSUE];
    if (flags & GUS_SPLIT) *address = use_of(p->rates[0], entered, later(entered, g->registers[e->sources[0]]));
    uint64_t start = later(entered, sources_of(g, e));
    if (flags & (GUS_OLDEST | GUS_WAITS | GUS_LOAD)) {
        if (flags & GUS_OLDEST) start = later(start, later(g->left, g->drained));
        if (flags & GUS_WAITS) start = later(start, g->known);
        if (flags & GUS_LOAD) start = gus_stored(g, e, start);
    }
    for (struct state *const *s = p->rates; *s; s++)
        start = use_of(*s, entered, start);
    return p->unit ? later(start, gus_heap_first(&p->unit->in) & ~(GUS_CYCLE - 1)) : start;
}

// A unit is held from when the instruction could have had it first: younger ones may go before (as in use_of).
static void hold_unit(struct state *s, uint64_t entered, uint64_t time) {
    gus_heap_replace(&s->in, later(entered, gus_heap_first(&s->in)) + time * s->scale / GUS_CYCLE);
    s->busy += time * s->scale / GUS_CYCLE;
}

static inline void release(struct gus *g, const struct program *p, uint64_t dispatched, uint64_t start, uint64_t end) {
    const uint64_t free_at = g->left + g->delays[D_FREE], day = (start + g->delays[D_FREE]) / GUS_CYCLE;
    for (struct state *const *s = p->slots; *s; s++)
        hold(*s, dispatched, free_at);
    for (struct state *const *s = p->queues; *s; s++) {
        gus_calendar_replace(&(*s)->any, day);
        if (day * GUS_CYCLE > dispatched) (*s)->busy += day * GUS_CYCLE - dispatched;
    }
    if (p->unit) hold_unit(p->unit, dispatched + g->delays[D_ISSUE], end - start);
    hold(g->named[WINDOW], dispatched, free_at);
}

static inline void count(struct gus_place *p, const struct gus_event *e, unsigned flags, uint64_t latency,
                         uint64_t exposed) {
    p->kind = e->kind;
    p->executions++;
    p->latency += latency;
    p->exposed += exposed;
    if (!(e->level | e->walk[0] | (flags & GUS_MISPREDICTED))) return;
    p->misses += (flags & (GUS_LOAD | GUS_STORE)) && e->level != GUS_L1;
    p->walks += e->walk[0] != 0;
    p->mispredicted += (flags & GUS_MISPREDICTED) != 0;
}

void gus_step(struct gus *g, const struct gus_event *e) {
    const struct program *p = &g->programs[e->kind];
    const unsigned flags = e->flags;
    const uint64_t dispatched = dispatch(g, e, p, flags), before = g->left;
    uint64_t address = 0, start = start_of(g, e, p, flags, dispatched, &address);
    uint64_t from = flags & GUS_SPLIT ? address : start, there = start;
    if (flags & (GUS_LOAD | GUS_STORE)) {
        if (e->page) from = gus_translated(g, e, from);
        there = flags & GUS_LOAD ? gus_data_time(g, e, from) : later(start, from);
        if ((flags & (GUS_LOAD | GUS_DEVICE)) == (GUS_LOAD | GUS_DEVICE)) there += g->delays[D_DEVICE];
    }
    const uint64_t extra = g->cycle * (uint64_t)(int64_t)e->extra, end = there + p->latency + extra;
    g->registers[e->target ? e->target : GUS_REGISTERS] = end;
    g->left = use(g->named[COMMIT], later(before, there + p->done + extra));
    release(g, p, dispatched, start, end);
    if (flags & GUS_PACKET) hold(g->named[PACKETS], g->fetched, g->left);
    if (flags & GUS_STORE) {
        const uint64_t line = flags & GUS_LOAD   ? there
                              : flags & GUS_OWNS ? gus_owned_time(g, e, from)
                                                 : gus_data_time(g, e, from);
        gus_drain(g, e, from + g->cycle, end, line);
    }
    if (flags & (GUS_SERIAL | GUS_FLUSH | GUS_MISPREDICTED)) {
        if (flags & GUS_SERIAL) g->barrier = g->left + g->delays[D_FREE];
        if (flags & GUS_FLUSH) g->redirected = g->left + g->delays[D_FREE];
        if (flags & GUS_MISPREDICTED) g->redirected = later(g->redirected, end + g->delays[D_REDIRECT]);
    }
    if (e->place < g->place_count) count(&g->places[e->place], e, flags, end - start, g->left - before);
    g->instructions++;
}

// ---- results ----
uint64_t gus_time(const struct gus *g) {
    return g->left;
}

uint64_t gus_instructions(const struct gus *g) {
    return g->instructions;
}

const struct gus_place *gus_places(const struct gus *g) {
    return g->places;
}

size_t gus_place_count(const struct gus *g) {
    return g->places ? g->place_count : 0;
}

double gus_occupancy(const struct gus *g, unsigned resource) {
    const struct state *s = &g->states[resource];
    if (g->table->resources[resource].type == GUS_DELAY) return -1;
    double whole = (double)g->left * (s->in.times ? s->in.size : s->any.counts ? s->any.size : 1);
    return whole > 0 ? (double)s->busy / whole : 0;
}
