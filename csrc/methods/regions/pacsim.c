// Decisions about regions, and what those that were not simulated took: pacsim.h.
#include "methods/regions/pacsim.h"
#include "base/array.h"
#include "methods/regions/pacsim_vector.h"
#include "methods/regions/points.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 1 }; // the thesis's second threshold, of donors

bool pacsim_begin(struct pacsim *p, const struct pacsim_settings *s, size_t harts, struct error *err) {
    *p = (struct pacsim){.settings = *s, .harts = harts, .dims = harts * PACSIM_DIMS * (s->data ? 2 : 1)};
    pacsim_clusters_begin(&p->clusters, p->dims, s->threshold);
    p->predictor = pacsim_predictor_create(s->depth, err);
    return p->predictor != NULL;
}

void pacsim_free(struct pacsim *p) {
    pacsim_clusters_free(&p->clusters);
    pacsim_predictor_destroy(p->predictor);
    free(p->regions);
    free(p->vectors);
    free(p->latest);
}

// ---- decisions ----
// The latest region in detail of a cluster and a state, from `at` of that cluster on; marker NULL: it may begin
// anywhere.
static size_t in_detail(const struct pacsim *p, size_t at, unsigned state, const uint64_t *marker) {
    while (at != PACSIM_NONE && (p->regions[at].state != state || (marker && p->regions[at].marker != *marker)))
        at = p->regions[at].detail_before;
    return at;
}

struct pacsim_answer pacsim_ask(const struct pacsim *p, uint64_t marker, unsigned state, bool exception) {
    struct pacsim_answer a = {.detailed = true, .predicted = PACSIM_NONE};
    if (p->settings.method != PACSIM_LIVE) {
        a.detailed = p->count % (p->settings.skip + 1) == 0;
        return a;
    }
    a.predicted = pacsim_predictor_ask(p->predictor, marker, &a.matched);
    if (a.predicted != PACSIM_NONE && !exception)
        a.detailed = in_detail(p, p->latest[a.predicted], state, NULL) == PACSIM_NONE;
    return a;
}

// ---- donors ----
static const double *vector_of(const struct pacsim *p, size_t region) {
    return p->vectors + region * p->dims;
}

// Any region before `r` in detail, of its state, that is as it should be.
static bool serves(const struct pacsim *p, size_t r, size_t other) {
    return p->regions[other].detailed && p->regions[other].state == p->regions[r].state;
}

static size_t closest(const struct pacsim *p, size_t r) {
    for (size_t i = r; i-- > 0;)
        if (serves(p, r, i)) return i;
    return PACSIM_NONE;
}

static size_t nearest(const struct pacsim *p, size_t r) {
    double least = NEAR;
    size_t found = PACSIM_NONE;
    for (size_t i = 0; i < r; i++) {
        if (!serves(p, r, i) || p->regions[i].active != p->regions[r].active) continue;
        const double d2 = points_distance2(vector_of(p, i), vector_of(p, r), p->dims);
        if (sqrt(d2) >= least) continue;
        least = sqrt(d2);
        found = i;
    }
    return found;
}

// The first of the thesis's rules that has a donor; PACSIM_AVERAGE has none, nor needs one.
static enum pacsim_rule choose(const struct pacsim *p, size_t r, size_t *donor) {
    const struct pacsim_region *region = &p->regions[r];
    *donor = PACSIM_NONE;
    if (region->detailed) return PACSIM_MEASURED;
    if (p->settings.method == PACSIM_SMARTS) return PACSIM_AVERAGE;
    if (p->settings.method == PACSIM_TIME_BASED || region->cut) {
        *donor = closest(p, r);
        return *donor == PACSIM_NONE ? PACSIM_ANY : PACSIM_CLOSEST;
    }
    if ((*donor = in_detail(p, p->latest[region->cluster], region->state, &region->marker)) != PACSIM_NONE)
        return PACSIM_SAME_BEGIN;
    if ((*donor = in_detail(p, p->latest[region->cluster], region->state, NULL)) != PACSIM_NONE)
        return PACSIM_SAME_CLUSTER;
    if ((*donor = nearest(p, r)) != PACSIM_NONE) return PACSIM_NEAREST;
    for (size_t i = 0; i < r; i++)
        if (serves(p, r, i) && p->regions[i].active == region->active) return PACSIM_AVERAGE;
    return PACSIM_ANY;
}

// ---- the end of a region ----
static bool reserve(struct pacsim *p) {
    const size_t dims = p->dims;
    return array_reserve(&p->regions, &p->capacity, p->count, sizeof *p->regions) &&
           array_reserve_all(&p->vectors, &p->vector_capacity, (p->count + 1) * dims, sizeof *p->vectors);
}

// Its cluster, which may be new.
static bool cluster(struct pacsim *p, struct pacsim_region *r, const double *vector, struct error *err) {
    const size_t known = p->clusters.count;
    r->cluster = pacsim_clusters_add(&p->clusters, vector, r->detailed, err);
    if (r->cluster == PACSIM_NONE) return false;
    if (r->cluster == known) {
        if (!array_reserve(&p->latest, &p->latest_capacity, known, sizeof *p->latest)) {
            error_nomem(err, "clusters of regions");
            return false;
        }
        p->latest[known] = PACSIM_NONE;
    }
    r->detail_before = p->latest[r->cluster];
    return pacsim_predictor_learn(p->predictor, r->marker, r->cluster, err);
}

bool pacsim_end(struct pacsim *p, const struct pacsim_region *region, const struct pacsim_answer *answer,
                const double *vector, struct error *err) {
    if (!reserve(p)) {
        error_nomem(err, "regions");
        return false;
    }
    const size_t number = p->count, dims = p->dims;
    struct pacsim_region *r = &p->regions[number];
    *r = *region;
    r->predicted = answer->predicted;
    r->matched = answer->matched;
    r->cluster = r->detail_before = PACSIM_NONE;
    memcpy(p->vectors + number * dims, vector, dims * sizeof *vector);
    if (p->settings.method == PACSIM_LIVE && !r->cut && !cluster(p, r, vector, err)) return false;
    p->count++;
    r->rule = choose(p, number, &r->donor);
    if (r->cluster != PACSIM_NONE && r->detailed) p->latest[r->cluster] = number;
    return true;
}

// ---- how long it took ----
// Cycles an instruction of those before that count for r; active: only with as many active harts.
static double average(const struct pacsim *p, size_t r, bool all, bool active) {
    double cycles = 0, instructions = 0;
    for (size_t i = 0; i < (all ? p->count : r); i++) {
        const struct pacsim_region *other = &p->regions[i];
        if (!other->detailed || (active && (!serves(p, r, i) || other->active != p->regions[r].active))) continue;
        cycles += other->cycles;
        instructions += (double)other->most;
    }
    return instructions > 0 ? cycles / instructions : 0;
}

void pacsim_estimate(struct pacsim *p) {
    const bool smarts = p->settings.method == PACSIM_SMARTS;
    const double of_all = average(p, p->count, true, false); // SMARTS knows the run's end
    for (size_t i = 0; i < p->count; i++) {
        struct pacsim_region *r = &p->regions[i];
        if (r->detailed) continue;
        const struct pacsim_region *donor = r->donor == PACSIM_NONE ? NULL : &p->regions[r->donor];
        const double each = donor                       ? donor->cycles / (double)donor->most
                            : smarts                    ? of_all
                            : r->rule == PACSIM_AVERAGE ? average(p, i, false, true)
                                                        : average(p, i, false, false);
        r->cycles = each * (double)r->most;
    }
}

struct pacsim_totals pacsim_sums(const struct pacsim *p) {
    struct pacsim_totals t = {0};
    for (size_t i = 0; i < p->count; i++) {
        const struct pacsim_region *r = &p->regions[i];
        t.detailed += r->detailed;
        t.clustered += r->cluster != PACSIM_NONE;
        t.predicted += r->predicted != PACSIM_NONE && r->cluster != PACSIM_NONE;
        t.right += r->predicted != PACSIM_NONE && r->predicted == r->cluster;
        t.instructions += r->instructions;
        t.in_detail += r->detailed ? r->instructions : 0;
        t.cycles += r->cycles;
        t.by_rule[r->rule]++;
    }
    return t;
}
