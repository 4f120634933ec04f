// Deviations of the units of a report, from its samples.
#include "report/confidence.h"
#include "report/beats.h"
#include "report/numbering.h"
#include <math.h>
#include <stdlib.h>

struct confidence {
    struct numbering numbering;
    struct spread *spread;
    bool judged;
    struct beats beats;
};

static size_t find(void *context, struct place place) {
    return numbering_of(context, place);
}

static struct confidence *fill(struct confidence *c, struct error *err) {
    const struct numbering *n = &c->numbering;
    c->spread = numbering_spread(n->data, n->count, find, &c->numbering, err);
    if (c->spread) return c;
    confidence_destroy(c);
    return NULL;
}

static struct confidence *create(const struct run *d, enum granularity g, struct error *err) {
    struct confidence *c = calloc(1, sizeof *c);
    if (c && numbering_create(&c->numbering, d, g)) {
        c->judged = beats_possible(d->header) && d->readable && d->harts == 1;
        if (!fill(c, err)) return NULL;
        if (!c->judged || beats_judge(d, g, &c->beats, err)) return c;
        confidence_destroy(c);
        return NULL;
    }
    report_out_of_memory(d->path, err);
    confidence_destroy(c);
    return NULL;
}

static void destroy(void *confidence) {
    confidence_destroy(confidence);
}

const struct confidence *run_confidence(const struct run *d, enum granularity g, struct error *err) {
    static const char key;
    const struct confidence *kept = run_kept(d, &key, g);
    struct confidence *made = kept ? NULL : create(d, g, err);
    if (!made) return kept;
    if (run_keep(d, &key, g, made, destroy)) return made;
    report_out_of_memory(d->path, err);
    return NULL;
}

struct confidence *confidence_create_by(struct units *units, struct error *err) {
    struct confidence *c = calloc(1, sizeof *c);
    if (!c) {
        report_out_of_memory(units->run->path, err);
        return NULL;
    }
    numbering_create_by(&c->numbering, units);
    return fill(c, err);
}

void confidence_destroy(struct confidence *c) {
    if (!c) return;
    spread_destroy(c->spread);
    numbering_free(&c->numbering);
    free(c);
}

const struct run *confidence_data(const struct confidence *c) {
    return c->numbering.data;
}

struct estimate confidence_of(const struct confidence *c, struct place unit, unsigned component) {
    const size_t number = numbering_unit(&c->numbering, unit);
    return number < c->numbering.count ? spread_of(c->spread, number, component) : (struct estimate){0};
}

struct estimate confidence_of_number(const struct confidence *c, size_t unit, unsigned component) {
    return spread_of(c->spread, unit, component);
}

double confidence_by_chance(const struct confidence *c) {
    const double whole = spread_of(c->spread, SPREAD_ALL, SPREAD_TIME).cycles;
    double sum = 0;
    for (size_t i = 0; i < c->numbering.count; i++)
        sum += spread_of(c->spread, i, SPREAD_TIME).deviation;
    return whole > 0 ? sqrt(2 / M_PI) * sum / 2 / whole : 0;
}

double confidence_unseen(const struct confidence *c) {
    const double whole = spread_of(c->spread, SPREAD_ALL, SPREAD_TIME).cycles;
    double sum = 0;
    for (size_t i = 0; i < c->numbering.count; i++) {
        const struct estimate e = spread_of(c->spread, i, SPREAD_TIME);
        if (e.samples == 1) sum += e.cycles;
    }
    return whole > 0 ? sum / whole : 0;
}

const struct beats *confidence_beats(const struct confidence *c) {
    return c->judged ? &c->beats : NULL;
}
