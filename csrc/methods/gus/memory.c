// The way of an access: translation, stores before it, lines from the levels after the L1s, and what drains.
#include "methods/gus/engine.h"

// Cycles until the hub takes the next request of a line that has come: link and hub; and until a request has reached
// the cache of another hart: link, hub, link.
enum { DONE = 8, SNOOP = 12 };

// ---- lines ----
// The last level's port and DRAM's bus, which several harts share.
static inline uint64_t use_llc(struct gus *g, uint64_t from) {
    struct state *const s = g->named[LLC];
    if (!g->traffic || !s) return use_of(s, g->dispatched, from);
    s->busy += s->gap;
    return later(from, gus_book(&g->traffic->llc, from, s->gap) & ~(GUS_CYCLE - 1));
}

static inline uint64_t use_dram(struct gus *g, uint64_t from) {
    struct state *const s = g->named[DRAM];
    if (!g->traffic || !s) return use_of(s, g->dispatched, from);
    s->busy += s->gap;
    return later(from, gus_book(&g->traffic->dram, from, s->gap) & ~(GUS_CYCLE - 1));
}

// When a line arrives that comes from `level`, for what asks at `start`: by the levels, each with its registers.
static uint64_t travel(struct gus *g, unsigned level, uint64_t start) {
    struct state *const l2_mshrs = g->named[L2_MSHRS], *const mshrs = g->named[LLC_MSHRS];
    uint64_t there = use_llc(g, start) + g->delays[D_WAY], l2 = there, llc;
    if (level == GUS_PEER) return there + g->levels[GUS_PEER];
    if (g->two_levels) there += g->levels[GUS_L2];
    if (level == GUS_L2) return there;
    if (g->two_levels) there = later(there, any_room(l2_mshrs, l2));
    llc = there;
    there += g->levels[GUS_LLC];
    if (level != GUS_LLC) {
        there = any_room(mshrs, there);
        there = use_dram(g, there) + g->levels[level];
        hold_any(mshrs, llc, there);
    }
    if (g->two_levels) hold_any(l2_mshrs, l2, there);
    return there;
}

// When a line arrives that somebody who entered at g->dispatched wants at `from`.
uint64_t gus_line_miss(struct gus *g, uint64_t line, unsigned level, uint64_t from, enum gus_asker who) {
    struct state *mshrs = g->named[who == CODE ? FETCH_MSHRS : MSHRS];
    uint64_t start = any_room(mshrs, g->traffic ? gus_had(g->traffic, g->hart, line, from) : from);
    if (who == SPARE && mshrs) start = later(start, gus_heap_second(&mshrs->in));
    uint64_t there = travel(g, level, start);
    hold_any(mshrs, start, there);
    g->lines[line % LINES] = (struct shadow){line, there};
    return there;
}

// A load that has waited for its line looks it up again; as many of them in a cycle as there are ports.
static void again(struct gus *g, uint64_t line, uint64_t there) {
    struct state *ports = g->named[CACHE_PORTS];
    if (!ports) return;
    use_of(ports, g->dispatched, there);
    if (g->lines[line % LINES].what == line) g->lines[line % LINES].time += ports->gap;
}

static void write_back(struct gus *g, const struct gus_event *e, uint64_t from) {
    for (unsigned i = 0; i < e->written; i++)
        use_llc(g, from);
    for (unsigned i = 0; i < e->sunk; i++)
        use_dram(g, from);
}

uint64_t gus_data_time(struct gus *g, const struct gus_event *e, uint64_t from) {
    uint64_t there = gus_line_time(g, e->word / 8, e->level, from, e->flags & GUS_LOAD ? DEMAND : SPARE);
    if (g->traffic && e->level != GUS_L1 && (e->flags & (GUS_LOAD | GUS_STORE)) == (GUS_LOAD | GUS_STORE))
        gus_owns(g->traffic, g->hart, e->word / 8, later(from, there - (GUS_CYCLE << 3)), there);
    if (e->flags & GUS_LOAD && (e->flags & GUS_AGAIN || e->level != GUS_L1)) again(g, e->word / 8, there);
    if (e->next_line) gus_line_time(g, e->next_line, e->next_level, from, SPARE);
    write_back(g, e, from);
    return there;
}

// Events come in the order of the models' turns, in which harts take a line from each other with each store; but who
// has it keeps it until the other one's request comes, and stores that wait in a queue drain meanwhile. So times say
// whose it was. Requests of a line begin when the one before has ended.
uint64_t gus_owned_time(struct gus *g, const struct gus_event *e, uint64_t from) {
    const uint64_t line = e->word / 8, ready = later(g->drained, g->left);
    const struct gus_owner *const o = gus_owner_of(g->traffic, line);
    const bool known = o->what == line + 1, others = known && o->hart != g->hart;
    if (known && ready < (others && o->before == g->hart ? o->lost : o->hart == g->hart ? o->since : 0)) return from;
    const uint64_t asked = others ? later(from, o->since) : from, copy = gus_data_time(g, e, asked);
    const bool early = e->level != GUS_L1; // for a copy; and again when that has come, and the hub has heard of it
    const uint64_t start = later(later(ready, asked), early ? copy + DONE * g->cycle : copy);
    const uint64_t there = gus_line_miss(g, line, e->own_level, start, DEMAND);
    gus_owns(g->traffic, g->hart, line, (early ? asked : start) + SNOOP * g->cycle, there);
    return there;
}

// When the walk for a page is over that is asked for at `from`.
uint64_t gus_walked(struct gus *g, const uint8_t walk[GUS_WALK], uint64_t from) {
    uint64_t start = any_room(g->named[WALKER], from), end = start + g->delays[D_TLB];
    for (unsigned i = 0; i < GUS_WALK && walk[i] && walk[0] != GUS_SECOND_TLB; i++) {
        end += g->delays[D_WALK];
        if (walk[i] > GUS_L1 + 1) end = travel(g, walk[i] - 1u, end);
    }
    hold_any(g->named[WALKER], start, end);
    return end;
}

// When an access goes on whose page's translation is missing or on its way (rtl/lsu/lsu_tlb_wait.sv): one a cycle.
uint64_t gus_translated(struct gus *g, const struct gus_event *e, uint64_t start) {
    struct shadow *page = &g->pages[e->page % PAGES];
    if (e->walk[0]) *page = (struct shadow){e->page, gus_walked(g, e->walk, start) + g->cycle};
    if (page->what != e->page) return start;
    start = later(start, page->time);
    if ((e->walk[0] || e->flags & GUS_PAGE_AGAIN) && g->named[AGAIN]) page->time += g->named[AGAIN]->gap;
    return start;
}

// ---- stores ----
static void store(struct gus *g, const struct gus_event *e, uint64_t address, uint64_t data, uint64_t drained) {
    for (unsigned half = 0; half < HALVES; half++)
        if (part_of(e->mask, half))
            *half_of(g, e->word, half) = (struct word){e->word, address, data, drained, e->mask};
    g->known = later(g->known, address);
}

// Committed stores go to the cache in order. Their lines are asked for as soon as their addresses are known
// (rtl/lsu/lsu_arb.sv, probe_i).
void gus_drain(struct gus *g, const struct gus_event *e, uint64_t address, uint64_t data, uint64_t line) {
    uint64_t from = use_of(g->named[CACHE_PORTS], g->dispatched, later(g->drained, g->left));
    g->drained = later(line, use(g->named[DRAIN], from)) + (e->flags & GUS_DEVICE ? g->delays[D_DEVICE] : 0);
    uint64_t gone = g->drained + g->delays[D_DRAINED];
    hold(g->named[STORES], g->dispatched, gone);
    if (e->flags & GUS_DEVICE) g->drained = gone;
    if (g->traffic) gus_wrote(g->traffic, g->hart, e->word / 8, g->drained);
    store(g, e, address, data, gone);
}
