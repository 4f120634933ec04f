// Time by unit: the rows of a profile, added up.
#include "report/run.h"
#include <stdlib.h>

void unit_add(struct unit_time *unit, const struct profile_row *row) {
    unit->weight += row->weight;
    unit->states[row->state] += row->weight;
    for (unsigned psv = row->psv; psv; psv &= psv - 1)
        unit->events[__builtin_ctz(psv)] += row->weight;
}

static int heavier(const void *x, const void *y) {
    const struct unit_time *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    if (a->place.pc != b->place.pc) return a->place.pc < b->place.pc ? -1 : 1;
    return a->place.context < b->place.context ? -1 : a->place.context > b->place.context;
}

struct unit_time run_all(const struct run *d) {
    struct unit_time all = {0};
    for (size_t i = 0; i < d->row_count; i++)
        unit_add(&all, &d->rows[i]);
    return all;
}

struct unit_time *run_units(const struct run *d, enum granularity g, size_t *count) {
    size_t row_count;
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->images, g, UINT16_MAX);
    const struct profile_row *rows = t ? profile_table_rows(t, &row_count) : NULL;
    struct unit_time *units = rows ? calloc(row_count, sizeof *units) : NULL;
    *count = 0;
    for (size_t i = 0; units && i < row_count; i++) {
        const struct place place = row_place(&rows[i]);
        if (*count == 0 || !place_equal(units[*count - 1].place, place)) units[(*count)++].place = place;
        unit_add(&units[*count - 1], &rows[i]);
    }
    profile_table_destroy(t);
    if (units) qsort(units, *count, sizeof *units, heavier);
    return units;
}
