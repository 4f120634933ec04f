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
    return place_order(a->place, b->place);
}

struct unit_time run_all(const struct run *d) {
    struct unit_time all = {0};
    for (size_t i = 0; i < d->row_count; i++)
        unit_add(&all, &d->rows[i]);
    return all;
}

// What is kept: rows and units a granularity, and units by context.
static const char rows_key, units_key;

struct list {
    size_t count;
    struct profile_row *rows; // or
    struct unit_time *units;
};

static void list_destroy(void *list) {
    struct list *l = list;
    free(l->rows);
    free(l->units);
    free(l);
}

// Takes the list's entries; false: no memory.
static bool keep(const struct run *d, const char *key, unsigned number, struct list list) {
    struct list *kept = malloc(sizeof *kept);
    if (kept) {
        *kept = list;
        return run_keep(d, key, number, kept, list_destroy);
    }
    free(list.rows);
    free(list.units);
    return false;
}

// By instruction, where the profile's rows are in order: those that differ in their stacks alone follow each other.
// NULL: they are not, or no memory.
static struct profile_row *merge_stacks(const struct run *d, size_t *count) {
    struct profile_row *rows = malloc((d->row_count + 1) * sizeof *rows), *last = rows;
    size_t i = 0;
    for (*count = 0; rows && i < d->row_count; i++) {
        struct profile_row row = d->rows[i];
        row.stack = STACK_UNKNOWN;
        const int order = *count ? profile_row_compare(last, &row) : -1;
        if (order > 0) break;
        if (order == 0) last->weight += row.weight;
        if (order < 0 && row.weight) *(last = &rows[(*count)++]) = row;
    }
    if (*count && i == d->row_count) return rows;
    free(rows);
    return NULL;
}

const struct profile_row *run_rows(const struct run *d, enum granularity g, size_t *count) {
    const struct list *kept = run_kept(d, &rows_key, g);
    *count = kept ? kept->count : 0;
    if (kept) return kept->rows;
    struct profile_row *rows = g == BY_INSTRUCTION ? merge_stacks(d, count) : NULL;
    if (!rows) rows = profile_table_take(booking_aggregate(d->rows, d->row_count, d->images, g, UINT16_MAX), count);
    return rows && keep(d, &rows_key, g, (struct list){*count, rows, NULL}) ? rows : NULL;
}

static const struct unit_time *add_up(const struct run *d, const struct profile_row *rows, size_t row_count,
                                      unsigned number, size_t *count) {
    struct unit_time *units = rows ? calloc(row_count, sizeof *units) : NULL;
    *count = 0;
    for (size_t i = 0; units && i < row_count; i++) {
        const struct place place = row_place(&rows[i]);
        if (!*count || !place_equal(units[*count - 1].place, place)) units[(*count)++].place = place;
        unit_add(&units[*count - 1], &rows[i]);
    }
    if (units) qsort(units, *count, sizeof *units, heavier);
    return units && keep(d, &units_key, number, (struct list){*count, NULL, units}) ? units : NULL;
}

const struct unit_time *run_units(const struct run *d, enum granularity g, size_t *count) {
    const struct list *kept = run_kept(d, &units_key, g);
    size_t row_count;
    *count = kept ? kept->count : 0;
    if (kept) return kept->units;
    const struct profile_row *rows = run_rows(d, g, &row_count);
    return add_up(d, rows, row_count, g, count);
}

const struct unit_time *run_contexts(const struct run *d, size_t *count) {
    const struct list *kept = run_kept(d, &units_key, GRANULARITY_COUNT);
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
    size_t row_count;
    struct profile_row *rows = profile_table_take(t, &row_count);
    const struct unit_time *units = add_up(d, rows, row_count, GRANULARITY_COUNT, count);
    free(rows);
    return units;
}
