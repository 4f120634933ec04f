// Units of a granularity are sorted by place, so that a place is found by halving; a kind knows its own.
#include "report/numbering.h"
#include <stdlib.h>
#include <string.h>

static int by_place(const void *x, const void *y) {
    const struct unit_time *a = x, *b = y;
    return place_order(a->place, b->place);
}

bool numbering_create(struct numbering *n, const struct run *d, enum granularity g) {
    *n = (struct numbering){.data = d, .granularity = g};
    const struct unit_time *units = run_units(d, g, &n->count);
    if (units && (n->places = malloc(n->count * sizeof *n->places))) memcpy(n->places, units, n->count * sizeof *units);
    if (n->places) qsort(n->places, n->count, sizeof *n->places, by_place);
    return n->places || !d->total;
}

void numbering_create_by(struct numbering *n, struct units *units) {
    *n = (struct numbering){.data = units->run, .units = units, .count = units->count};
}

void numbering_free(struct numbering *n) {
    free(n->places);
    *n = (struct numbering){0};
}

size_t numbering_unit(const struct numbering *n, struct place unit) {
    const struct unit_time key = {.place = unit};
    const struct unit_time *found = n->places ? bsearch(&key, n->places, n->count, sizeof key, by_place) : NULL;
    return found ? (size_t)(found - n->places) : n->count;
}

size_t numbering_of(const struct numbering *n, struct place place) {
    if (n->units) return units_find(n->units, place);
    return numbering_unit(n, unit_of(n->data->images, n->granularity, place));
}

struct spread *numbering_spread(const struct run *d, size_t units, spread_unit *unit, void *context,
                                struct error *err) {
    struct spread *s = spread_create(units, unit, context);
    if (s && spread_add_all(s, d->header, d->store)) return s;
    report_out_of_memory(d->path, err);
    spread_destroy(s);
    return NULL;
}
