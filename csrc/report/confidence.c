// Deviations of the units of a report, from a second reading of the samples.
#include "report/confidence.h"
#include <math.h>
#include <stdlib.h>

struct confidence {
    const struct report_data *data;
    enum granularity granularity;
    struct units *units;      // of a kind; else NULL, and
    struct unit_time *places; // by place
    size_t count;
    struct spread *spread;
};

static int by_place(const void *x, const void *y) {
    const struct unit_time *a = x, *b = y;
    if (a->place.pc != b->place.pc) return a->place.pc < b->place.pc ? -1 : 1;
    return a->place.context < b->place.context ? -1 : a->place.context > b->place.context;
}

static size_t number_of(const struct confidence *c, struct place unit) {
    const struct unit_time key = {.place = unit};
    const struct unit_time *found = bsearch(&key, c->places, c->count, sizeof key, by_place);
    return found ? (size_t)(found - c->places) : c->count;
}

static size_t find(void *context, struct place place) {
    const struct confidence *c = context;
    return c->units ? units_find(c->units, place) : number_of(c, unit_of(c->data->images, c->granularity, place));
}

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    spread_add(context, header, record);
    return true;
}

static struct confidence *fill(struct confidence *c, struct error *err) {
    if (c) c->spread = spread_create(c->count, find, c);
    if (!c || !c->spread) {
        report_out_of_memory(c ? c->data->path : "report", err);
        confidence_destroy(c);
        return NULL;
    }
    struct samples *again = samples_read(c->data->path, take, c->spread, err);
    samples_destroy(again);
    if (again) return c;
    confidence_destroy(c);
    return NULL;
}

struct confidence *confidence_create(const struct report_data *d, enum granularity g, struct error *err) {
    struct confidence *c = calloc(1, sizeof *c);
    if (c) {
        c->data = d;
        c->granularity = g;
        c->places = report_units(d, g, &c->count);
        if (c->places) qsort(c->places, c->count, sizeof *c->places, by_place);
    }
    return fill(c, err);
}

struct confidence *confidence_create_by(struct units *units, struct error *err) {
    struct confidence *c = calloc(1, sizeof *c);
    if (c) {
        c->data = units_data(units);
        c->units = units;
        c->count = units_count(units);
    }
    return fill(c, err);
}

void confidence_destroy(struct confidence *c) {
    if (!c) return;
    spread_destroy(c->spread);
    free(c->places);
    free(c);
}

struct estimate confidence_of(const struct confidence *c, struct place unit, unsigned component) {
    const size_t number = number_of(c, unit);
    return number < c->count ? spread_of(c->spread, number, component) : (struct estimate){0};
}

struct estimate confidence_of_number(const struct confidence *c, size_t unit, unsigned component) {
    return spread_of(c->spread, unit, component);
}

double confidence_by_chance(const struct confidence *c) {
    const double whole = spread_of(c->spread, SPREAD_ALL, SPREAD_TIME).cycles;
    double sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += spread_of(c->spread, i, SPREAD_TIME).deviation;
    return whole > 0 ? sqrt(2 / M_PI) * sum / 2 / whole : 0;
}
