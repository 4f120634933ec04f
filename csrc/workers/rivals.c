// The rival profilers as hardware: clocks their units (rival_units.h) with the core's bundle and the triggers of the
// run, and compares every sample of each, in the cycle in which it is complete, with its C model
// (profilers/profilers.h), which has as many tags as the unit. Its result: samples
// that were compared, and the triggers that they stand for; the other triggers of the run were lost, or their
// instructions are in flight.
#include "base/grouped.h"
#include "profilers/profilers.h"
#include "results.h"
#include "workers/rival_units.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[RIVAL_UNITS] = {RIVAL_UNIT_NAMES};

struct expected {    // of a unit, in a cycle
    bool any, mixed; // mixed: bookings of one cycle that are not of one instruction
    struct place place;
    unsigned psv;
    uint64_t count;
};

struct rivals {
    const struct rival_units_api *api;
    struct rival_units *units;
    struct profilers *models;
    unsigned unit_of[32];        // by number of the profiler; RIVAL_UNITS: there is none
    struct commit_bundle bundle; // of the cycles that are shown but not clocked: from `next` on, before `until`
    uint64_t next, until;
    struct expected expected[RIVAL_UNITS];
    uint64_t samples[RIVAL_UNITS], triggers[RIVAL_UNITS];
    bool differs;
    struct error difference;
};

static void booked(void *context, const struct profiler_booking *b) {
    struct rivals *r = context;
    unsigned unit = r->unit_of[b->profiler];
    if (unit == RIVAL_UNITS) return;
    struct expected *e = &r->expected[unit];
    e->mixed = e->any && !(place_equal(e->place, b->place) && e->psv == b->psv);
    e->any = true;
    e->place = b->place;
    e->psv = b->psv;
    e->count += b->weight;
}

static void destroy(void *state) {
    struct rivals *r = state;
    if (r->units) r->api->destroy(r->units);
    profilers_destroy(r->models);
    free(r);
}

static unsigned find_unit(const char *profiler) {
    unsigned unit = 0;
    while (unit < RIVAL_UNITS && strcmp(names[unit], profiler) != 0)
        unit++;
    return unit;
}

static bool check_config(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    return rival_units_load(run->model, run->config, run->model_digest, err) != NULL;
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    const struct rival_units_api *api = rival_units_load(run->model, run->config, run->model_digest, err);
    struct rivals *r = api ? calloc(1, sizeof *r) : NULL;
    if (!r) {
        if (api) error_nomem(err, "worker rivals");
        return NULL;
    }
    for (size_t i = 0; i < profilers_count() && i < sizeof r->unit_of / sizeof *r->unit_of; i++)
        r->unit_of[i] = find_unit(profilers_name(i));
    r->api = api;
    r->units = api->create();
    const struct profilers_watch watch = {booked, r, RIVAL_TAGS};
    r->models = profilers_create_watched(run->width, run->rob_entries, &watch, err);
    if (r->models) return r;
    destroy(r);
    return NULL;
}

// ---- a difference ----
static void print_model(const struct expected *e, char *text, size_t size) {
    if (!e->any) {
        snprintf(text, size, "no sample");
    } else {
        snprintf(text, size, "%s0x%" PRIx64 " context 0x%" PRIx64 " vector 0x%x, %" PRIu64 " triggers",
                 e->mixed ? "several, the last " : "", e->place.pc, e->place.context, e->psv, e->count);
    }
}

static struct expected shown(const struct rival_sample *s) {
    const struct place place = s->named ? (struct place){s->pc, place_context(s->priv, s->space)} : PLACE_END;
    return (struct expected){true, false, place, s->psv, s->count};
}

WORKER_RARE static void differ(struct rivals *r, uint64_t cycle, unsigned unit, const struct expected *got) {
    char expected_text[128], got_text[128];
    if (r->differs) return;
    r->differs = true;
    print_model(&r->expected[unit], expected_text, sizeof expected_text);
    print_model(got, got_text, sizeof got_text);
    error_set(&r->difference, "rivals: cycle %" PRIu64 ": %s: expected %s, got %s", cycle, names[unit], expected_text,
              got_text);
}

static void compare(struct rivals *r, uint64_t cycle, unsigned valid, const struct rival_sample *samples) {
    for (unsigned i = 0; i < RIVAL_UNITS; i++) {
        const struct expected *e = &r->expected[i];
        bool sampled = valid >> i & 1;
        if (!sampled && !e->any) continue;
        const struct expected got = sampled ? shown(&samples[i]) : (struct expected){.any = false};
        if (got.any != e->any || e->mixed || !place_equal(got.place, e->place) || got.psv != e->psv ||
            got.count != e->count)
            differ(r, cycle, i, &got);
        r->samples[i]++;
        r->triggers[i] += e->count;
        r->expected[i] = (struct expected){.any = false};
    }
}

// ---- cycles ----
static void clock_cycle(struct rivals *r, bool trigger) {
    struct rival_sample samples[RIVAL_UNITS];
    if (r->differs) return;
    profilers_step(r->models, &r->bundle, 1);
    if (trigger) profilers_sample(r->models, &r->bundle, r->next);
    unsigned valid = r->api->cycle(r->units, &r->bundle, trigger, samples);
    compare(r, r->next, valid, samples);
    if (!r->differs && r->api->failed(r->units)) {
        r->differs = true;
        error_set(&r->difference, "rivals: cycle %" PRIu64 ": an assertion of the units failed: see above", r->next);
    }
    r->next++;
}

static void clock_until(struct rivals *r, uint64_t cycle) {
    while (r->next < cycle && !r->differs)
        clock_cycle(r, false);
}

static int result(const struct rivals *r, struct error *err) {
    if (!r->differs) return 0;
    *err = r->difference;
    return -EBADMSG;
}

// Clocked when the next one comes: a trigger of a cycle is shown after it.
static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct rivals *r = state;
    clock_until(r, r->until);
    if (r->next < v->cycle) r->next = v->cycle; // the first that is shown
    r->bundle = *v->bundle;
    r->until = v->cycle + v->count;
    return result(r, err);
}

// Of a cycle that is already shown, or of one in a row that will be shown later and is like the last one.
static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    struct rivals *r = state;
    (void)taken;
    if (cycle >= r->until) clock_until(r, r->until);
    r->bundle = *bundle;
    clock_until(r, cycle);
    clock_cycle(r, true);
    if (r->until < r->next) r->until = r->next;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct rivals *r = state;
    (void)cycles;
    clock_until(r, r->until);
    return result(r, err);
}

static bool publish(void *state, struct results *results) {
    const struct rivals *r = state;
    bool good = true;
    for (unsigned i = 0; good && i < RIVAL_UNITS; i++) {
        struct rival_unit unit = {.samples = r->samples[i], .triggers = r->triggers[i]};
        snprintf(unit.profiler, sizeof unit.profiler, "%s", names[i]);
        good = results_add_rival_unit(results, &unit);
    }
    return good;
}

static void checked(void *state, char *text, size_t size) {
    const struct rivals *r = state;
    uint64_t samples = 0;
    for (unsigned i = 0; i < RIVAL_UNITS; i++)
        samples += r->samples[i];
    char number[GROUPED_TEXT];
    snprintf(text, size, "%s samples of %d rival units against their models", grouped(number, samples), RIVAL_UNITS);
}

const struct worker_ops worker_rivals = {
    .name = "rivals",
    .text = "the rival profilers' units in RTL (make build/CONFIG/rivals.so), each sample compared with its C model",
    .needs = DPI_BUNDLE,
    .standard = WORKER_ON_DEMAND,
    .check = true,
    .samples_only = true,
    .check_config = check_config,
    .create = create,
    .cycle = cycle,
    .sample = sample,
    .finish = finish,
    .publish = publish,
    .checked = checked,
    .destroy = destroy};
