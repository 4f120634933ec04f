// Errors of a projected profile: projection_errors.h.
#include "report/projection_errors.h"
#include "analysis/chance.h"
#include "report/run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is compared: units, or the states and the event vectors of all time.
static const struct kind {
    const char *name;
    enum granularity g;
    bool events, states;
} kinds[PROJECTION_ERRORS] = {
    {"instruction", BY_INSTRUCTION, false, false}, {"block", BY_BLOCK, false, false},
    {"function", BY_FUNCTION, false, false},       {"instruction", BY_INSTRUCTION, true, false},
    {"function", BY_FUNCTION, true, false},        {"event", BY_APPLICATION, true, false},
    {"state", BY_APPLICATION, false, true},
};

struct rows {
    const struct profile_row *list;
    size_t count;
};

static struct rows oracle_of(const struct run *d) {
    const struct samples_profile *const p = samples_find_profile(d->samples, "Oracle");
    return p ? (struct rows){p->rows, p->count} : (struct rows){NULL, 0};
}

static double total(struct rows rows) {
    double sum = 0;
    for (size_t i = 0; i < rows.count; i++)
        sum += (double)rows.list[i].weight;
    return sum;
}

// Rows times a number; of states alone: a unit of each. NULL: no memory.
static struct profile_table *scaled(struct rows rows, double times, bool states) {
    struct profile_table *const t = profile_table_create();
    bool good = t != NULL;
    for (size_t i = 0; good && i < rows.count; i++) {
        const struct profile_row *const r = &rows.list[i];
        const struct place place = states ? (struct place){r->state, 0} : row_place(r);
        good = profile_table_add(t, place, r->state, r->psv, (uint64_t)llround((double)r->weight * times));
    }
    if (good) return t;
    profile_table_destroy(t);
    return NULL;
}

// NAN: there is nothing to compare. False: no memory.
static bool misplaced(const struct run *full, const struct kind *k, struct rows rows, struct rows reference,
                      double *error) {
    const double own = total(rows), whole = total(reference);
    struct profile_error found;
    *error = NAN;
    if (own <= 0 || whole <= 0) return true;
    const double fine = exp2(floor(59 - log2(whole))); // weights are whole numbers
    struct profile_table *const a = scaled(rows, fine * whole / own, k->states);
    struct profile_table *const b = scaled(reference, fine, k->states);
    const uint16_t mask = k->events ? (uint16_t)((1u << full->header->event_count) - 1) : 0;
    size_t count_a = 0, count_b = 0;
    const struct profile_row *const list_a = a ? profile_table_rows(a, &count_a) : NULL;
    const struct profile_row *const list_b = b ? profile_table_rows(b, &count_b) : NULL;
    const bool good = list_a && list_b &&
                      error_compute(list_a, count_a, list_b, count_b, k->states ? NULL : full->images,
                                    k->states ? BY_INSTRUCTION : k->g, mask, &found);
    if (good) *error = found.error;
    profile_table_destroy(a);
    profile_table_destroy(b);
    return good;
}

// ---- chance ----
// By how much samples of uneven weight are worth less than as many even ones (Kish's design effect, 1 or more).
static double design_effect(const struct run *d) {
    struct sample_walk walk = sample_store_walk(d->store);
    struct sample_times times;
    double draws = 0, sum = 0, squares = 0;
    while (sample_walk_next(&walk, &times)) {
        const double periods = 1. + times.repeats + times.stalled;
        draws += periods;
        sum += (double)times.cycles;
        squares += (double)times.cycles * (double)times.cycles / periods;
    }
    return sum > 0 ? draws * squares / (sum * sum) : 1;
}

// What an unbiased profiler would have with the samples of d, against that Oracle. False: no memory.
static bool by_chance(const struct run *d, const struct kind *k, struct rows oracle, double effect, double *error) {
    struct chance_estimate found = {0, 0, 0};
    const uint16_t mask = k->events ? (uint16_t)((1u << d->header->event_count) - 1) : 0;
    struct chance *const chance = chance_create(d->images, k->g, mask);
    bool good = chance != NULL;
    for (uint32_t i = 0; good && i < sample_store_kinds(d->store); i++) {
        struct sample_record common;
        sample_store_common(d->store, i, &common);
        good = chance_add(chance, d->header->units, &common.sample, sample_store_kind(d->store, i)->periods);
    }
    good = good && chance_of(chance, oracle.list, oracle.count, &found);
    *error = found.draws > 0 ? found.error * sqrt(effect) : NAN;
    chance_destroy(chance);
    return good;
}

// ---- both files ----
static bool known(const struct run *d, const struct kind *k, bool samples) {
    if (k->events && d->header->vectors == SAMPLES_VECTORS_NONE) return false;
    if (k->events && samples && d->header->vectors != SAMPLES_VECTORS_COMMIT) return false;
    return d->readable || k->states || k->g == BY_INSTRUCTION || k->g == BY_APPLICATION;
}

static bool compare(struct projection_error *e, const struct kind *k, const struct run *part, const struct run *full,
                    double effect) {
    const struct rows own = oracle_of(part), whole = oracle_of(full);
    const struct rows part_samples = {part->sampled, part->sampled_count};
    const struct rows full_samples = {full->sampled, full->sampled_count};
    bool good = true;
    *e = (struct projection_error){k->name, k->events, NAN, NAN, NAN, NAN, NAN, NAN};
    if (known(full, k, false)) good = misplaced(full, k, own, whole, &e->regions);
    if (!good || !known(full, k, true)) return good;
    good = misplaced(full, k, part_samples, whole, &e->samples) &&
           misplaced(full, k, part_samples, own, &e->sampling) && misplaced(full, k, full_samples, whole, &e->full);
    if (!good || k->states) return good;
    return by_chance(part, k, own, effect, &e->chance) && by_chance(full, k, whole, 1, &e->by_chance);
}

static bool check(const struct run *part, const struct run *full, struct error *err) {
    const struct samples_header *const a = part->header, *const b = full->header;
    const struct run *const both[] = {part, full};
    for (unsigned i = 0; i < 2; i++) {
        if (both[i]->sample_count && oracle_of(both[i]).count) continue;
        error_set(err, "%s: holds no %s: run it with --period, --samples and the Oracle, to its end", both[i]->path,
                  both[i]->sample_count ? "Oracle profile" : "samples");
        return false;
    }
    if (samples_same_builds(a, b) && strcmp(a->config, b->config) == 0 && a->units == b->units) return true;
    error_set(err, "%s: of another program or configuration than the regions (%s on %s): name the full run's samples",
              full->path, a->program, a->config);
    return false;
}

bool projection_errors(struct projection_errors *e, const char *projected, const char *full,
                       const struct notices *notices, struct error *err) {
    struct report_options options = report_defaults(stdout, notices);
    struct run part = {.path = projected}, whole = {.path = full};
    options.profiler = "Oracle";
    bool good = run_open(&whole, full, &options, err), opened = false;
    if (good) good = opened = run_open(&part, projected, &options, err);
    good = good && check(&part, &whole, err);
    const double effect = good ? design_effect(&part) : 1;
    bool memory = true;
    for (unsigned i = 0; good && memory && i < PROJECTION_ERRORS; i++)
        memory = compare(&e->of[i], &kinds[i], &part, &whole, effect);
    if (!memory) error_nomem(err, full);
    e->samples = part.sample_count;
    e->full_samples = whole.sample_count;
    if (opened || part.memo) run_close(&part);
    run_close(&whole);
    return good && memory;
}

static bool take_none(void *context, const struct samples_header *header, const struct sample_record *record) {
    (void)context, (void)header, (void)record;
    return true;
}

bool projection_period(const char *full, uint64_t *period, struct error *err) {
    struct samples *const s = samples_read(full, take_none, NULL, err);
    if (s) *period = samples_header(s)->sampling.period;
    samples_destroy(s);
    return s != NULL;
}
