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

struct list {
    struct unit_time *units;
    size_t count;
};

static void list_destroy(void *list) {
    free(((struct list *)list)->units);
    free(list);
}

// The rows of `t`, which it frees; kept under that number. NULL: no memory, or no rows.
static const struct unit_time *add_up(const struct run *d, struct profile_table *t, const void *key, unsigned number,
                                      size_t *count) {
    size_t row_count;
    const struct profile_row *rows = t ? profile_table_rows(t, &row_count) : NULL;
    struct list *list = rows ? calloc(1, sizeof *list) : NULL;
    struct unit_time *units = list ? calloc(row_count, sizeof *units) : NULL;
    for (size_t i = 0; units && i < row_count; i++) {
        const struct place place = row_place(&rows[i]);
        if (!list->count || !place_equal(units[list->count - 1].place, place)) units[list->count++].place = place;
        unit_add(&units[list->count - 1], &rows[i]);
    }
    profile_table_destroy(t);
    if (!units) {
        free(list);
        return NULL;
    }
    qsort(units, list->count, sizeof *units, heavier);
    list->units = units;
    *count = list->count;
    return run_keep(d, key, number, list, list_destroy) ? units : NULL;
}

static const char key;

const struct unit_time *run_units(const struct run *d, enum granularity g, size_t *count) {
    const struct list *kept = run_kept(d, &key, g);
    *count = kept ? kept->count : 0;
    if (kept) return kept->units;
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->images, g, UINT16_MAX);
    return add_up(d, t, &key, g, count);
}

const struct unit_time *run_contexts(const struct run *d, size_t *count) {
    const struct list *kept = run_kept(d, &key, GRANULARITY_COUNT);
    *count = kept ? kept->count : 0;
    if (kept) return kept->units;
    struct profile_table *t = profile_table_create();
    for (size_t i = 0; t && i < d->row_count; i++) {
        const struct profile_row *r = &d->rows[i];
        const struct place place = r->pc == PROFILE_PC_END ? PLACE_END : (struct place){0, r->context};
        if (profile_table_add(t, place, r->state, r->psv, r->weight)) continue;
        profile_table_destroy(t);
        t = NULL;
    }
    return add_up(d, t, &key, GRANULARITY_COUNT, count);
}
