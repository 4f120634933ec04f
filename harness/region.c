// Stages of a run, moved on by what commits and by the number of the cycle.
#include "harness/region.h"
#include "iss/resume.h"
#include "profile/place.h"
#include "trace/region.h"
#include <stdlib.h>

struct region {
    struct trace_region positions;
    bool limited;
    uint64_t warmup, warmed;       // instructions
    enum region_stage stage, done; // what the cycles have met; up to where it has been acted upon
    struct region_edge edges[REGION_EDGES];
};

struct region *region_create(const struct region_options *o, const struct image *image, struct error *err) {
    struct region *r = error_calloc(sizeof *r, "region", err);
    if (!r) return NULL;
    if (trace_region_parse(&r->positions, "sample", o->from, o->to, POSITIONS_COMMITTED, image, err) < 0) {
        free(r);
        return NULL;
    }
    r->limited = o->from || o->to;
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
    return r->warmed;
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

// Time begins to count with the first cycle in which an instruction of the restored program is the oldest; with a
// warm-up, with the cycle after the commit of its last instruction; with a position, with that one.
static unsigned look_for_begin(struct region *r, uint64_t cycle, const struct commit_bundle *b) {
    unsigned met = 0;
    if (r->stage == REGION_LOADS) {
        if (b->rob_empty || (b->priv == MODE_MACHINE && resume_is_rom(b->pc[b->oldest]))) return 0;
        r->stage = r->done = REGION_WAITS;
        met = REGION_ENTERS;
    }
    if (r->warmed < r->warmup) {
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

unsigned region_cycle(struct region *r, uint64_t cycle, const struct commit_bundle *b) {
    trace_region_bundle(&r->positions, cycle, b);
    unsigned met = r->stage < REGION_COUNTS ? look_for_begin(r, cycle, b) : 0;
    if (r->limited && r->stage >= REGION_COUNTS) met |= look_for_end(r, cycle, b);
    return met;
}

unsigned region_between(struct region *r, uint64_t now) {
    unsigned met = 0;
    if (!r->limited || r->stage == REGION_LOADS) return 0;
    if (r->stage == REGION_WAITS && reached(&r->positions.from, now) && r->warmed >= r->warmup)
        met = meet(r, REGION_BEGIN, now, 0);
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
