// Stages of a run, moved on by what commits and by the number of the cycle.
#include "harness/region.h"
#include "iss/resume.h"
#include "profile/place.h"
#include "trace/region.h"
#include <stdlib.h>

struct region {
    struct trace_region positions;
    bool limited;
    bool together;                 // it is one of several harts:
    bool open[REGION_EDGES];       // ... they have not agreed on it
    struct trace_region asked;     // ... the positions, as given
    struct region_share share;     // ... its own
    uint64_t warmed_together;      // ... of all
    uint64_t warmup, warmed;       // instructions
    enum region_stage stage, done; // what the cycles have met; up to where it has been acted upon
    struct region_edge edges[REGION_EDGES];
};

// A cycle is the same of all harts; all else they have to agree on.
static void share_edges(struct region *r, const struct region_options *o) {
    static const struct position never = {POSITION_CYCLE, UINT64_MAX, 0};
    r->together = true;
    r->limited = r->limited || o->warmup;
    r->asked = r->positions;
    r->open[REGION_BEGIN] = o->warmup || r->asked.from.kind != POSITION_CYCLE;
    r->open[REGION_END] = r->asked.to.kind != POSITION_CYCLE;
    if (r->open[REGION_BEGIN]) r->positions.from = never;
    if (r->open[REGION_END]) r->positions.to = never;
}

struct region *region_create(const struct region_options *o, const struct image *image, struct error *err) {
    struct region *r = error_calloc(sizeof *r, "region", err);
    if (!r) return NULL;
    if (trace_region_parse(&r->positions, "sample", o->from, o->to, POSITIONS_COMMITTED, image, err) < 0) {
        free(r);
        return NULL;
    }
    r->limited = o->from || o->to;
    if (o->together) share_edges(r, o);
    r->warmup = o->warmup;
    r->stage = o->loads ? REGION_LOADS : o->warmup || o->from ? REGION_WAITS : REGION_COUNTS;
    r->done = r->stage;
    return r;
}

void region_destroy(struct region *r) {
    free(r);
}

enum region_stage region_stage(const struct region *r) {
    return r->stage;
}
uint64_t region_warmed(const struct region *r) {
    return r->together ? r->warmed_together : r->warmed;
}
bool region_limited(const struct region *r) {
    return r->limited;
}

bool region_watches(const struct region *r) {
    return r->stage < REGION_COUNTS || (r->limited && r->stage < REGION_CLOSED);
}

unsigned region_committed(const struct commit_bundle *b) {
    return (unsigned)__builtin_popcount(b->commit & (b->first | 1u << b->oldest));
}

static unsigned meet(struct region *r, enum region_edge_kind kind, uint64_t cycle, unsigned committed) {
    r->edges[kind].cycle = cycle;
    r->edges[kind].committed = committed;
    r->stage = kind == REGION_BEGIN ? REGION_COUNTS : REGION_OVER;
    return kind == REGION_BEGIN ? REGION_BEGINS : REGION_ENDS;
}

static bool reached(const struct position *edge, uint64_t cycle) {
    return edge->kind == POSITION_CYCLE && cycle >= edge->value;
}

static bool warm(const struct region *r) {
    return r->together || r->warmed >= r->warmup;
}

// Time begins to count with the first cycle in which an instruction of the restored program is the oldest; with a
// warm-up, with the cycle after the commit of its last instruction; with a position, with that one.
static unsigned look_for_begin(struct region *r, uint64_t cycle, const struct commit_bundle *b) {
    unsigned met = 0;
    if (r->stage == REGION_LOADS) {
        if (b->rob_empty || (b->priv == MODE_MACHINE && resume_is_rom(b->pc[b->oldest]))) return 0;
        r->stage = r->done = REGION_WAITS;
        met = REGION_ENTERS;
    }
    if (!warm(r)) {
        r->warmed += region_committed(b);
    } else if (reached(&r->positions.from, cycle)) {
        met |= meet(r, REGION_BEGIN, cycle, region_committed(b));
    }
    return met;
}

// The first cycle after the region; the first one after that in which an instruction leaves.
static unsigned look_for_end(struct region *r, uint64_t cycle, const struct commit_bundle *b) {
    unsigned met = 0;
    if (r->stage == REGION_COUNTS && reached(&r->positions.to, cycle))
        met = meet(r, REGION_END, cycle, region_committed(b));
    if (r->stage == REGION_OVER && (b->commit || b->exception)) r->stage = REGION_CLOSED;
    return met;
}

// ---- several harts ----
bool region_is_open(const struct region *r) {
    return r->open[REGION_BEGIN] || r->open[REGION_END];
}

void region_add_share(const struct region *r, struct region_share *sum) {
    sum->warmed += r->share.warmed;
    for (unsigned edge = 0; edge < REGION_EDGES; edge++)
        sum->met[edge] += r->share.met[edge];
}

static bool all_reached(const struct position *asked, uint64_t met, uint64_t cycle) {
    return asked->kind == POSITION_CYCLE ? cycle >= asked->value : met >= (asked->count ? asked->count : 1);
}

void region_agree(struct region *r, const struct region_share *sum, uint64_t cycle) {
    const struct position here = {POSITION_CYCLE, cycle, 0};
    r->warmed_together = sum->warmed;
    if (r->open[REGION_BEGIN]) {
        if (sum->warmed < r->warmup || !all_reached(&r->asked.from, sum->met[REGION_BEGIN], cycle)) return;
        r->open[REGION_BEGIN] = false;
        r->positions.from = here;
        return; // each has a cycle at least
    }
    if (!r->open[REGION_END] || !all_reached(&r->asked.to, sum->met[REGION_END], cycle)) return;
    r->open[REGION_END] = false;
    r->positions.to = here;
}

// What commits on this hart, for all of them.
static void share(struct region *r, const struct commit_bundle *b) {
    const struct position *from = &r->asked.from, *to = &r->asked.to;
    const bool inside = r->stage >= REGION_COUNTS || !r->asked.to_is_next;
    if (r->stage == REGION_WAITS) r->share.warmed += region_committed(b);
    if (r->open[REGION_BEGIN] && from->kind == POSITION_PLACE)
        r->share.met[REGION_BEGIN] += trace_region_executions(b, from->value);
    if (r->open[REGION_END] && to->kind == POSITION_PLACE && inside)
        r->share.met[REGION_END] += trace_region_executions(b, to->value);
}

unsigned region_cycle(struct region *r, uint64_t cycle, const struct commit_bundle *b) {
    if (warm(r) || !r->positions.to_is_next) trace_region_bundle(&r->positions, cycle, b); // the next one in the region
    if (r->together && r->stage != REGION_LOADS) share(r, b);
    unsigned met = r->stage < REGION_COUNTS ? look_for_begin(r, cycle, b) : 0;
    if (r->limited && r->stage >= REGION_COUNTS) met |= look_for_end(r, cycle, b);
    return met;
}

unsigned region_between(struct region *r, uint64_t now) {
    unsigned met = 0;
    if (!r->limited || r->stage == REGION_LOADS) return 0;
    if (r->stage == REGION_WAITS && reached(&r->positions.from, now) && warm(r)) met = meet(r, REGION_BEGIN, now, 0);
    if (r->stage == REGION_COUNTS && reached(&r->positions.to, now)) met |= meet(r, REGION_END, now, 0);
    return met;
}

enum region_edge_kind region_due(const struct region *r) {
    if (r->stage >= REGION_COUNTS && r->done < REGION_COUNTS) return REGION_BEGIN;
    if (r->stage >= REGION_OVER && r->done < REGION_OVER) return REGION_END;
    return REGION_EDGES;
}

void region_done(struct region *r) {
    const enum region_edge_kind due = region_due(r);
    if (due != REGION_EDGES) r->done = due == REGION_BEGIN ? REGION_COUNTS : REGION_OVER;
}

bool region_counts(const struct region *r) {
    return r->stage == REGION_COUNTS && r->done == REGION_COUNTS;
}

struct region_edge *region_edge(struct region *r, enum region_edge_kind kind) {
    return &r->edges[kind];
}

void region_empty(struct region *r, uint64_t cycles) {
    r->edges[REGION_BEGIN].cycle = cycles;
}

static uint64_t stop_at(const struct position *edge, uint64_t now, uint64_t until) {
    return edge->kind == POSITION_CYCLE && now < edge->value && edge->value < until ? edge->value : until;
}

uint64_t region_next(const struct region *r, uint64_t now, uint64_t until) {
    if (!r->limited) return until;
    if (r->stage < REGION_COUNTS) until = stop_at(&r->positions.from, now, until);
    return r->stage < REGION_OVER ? stop_at(&r->positions.to, now, until) : until;
}
