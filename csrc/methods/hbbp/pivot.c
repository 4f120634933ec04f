// Adds instructions of equal keys up: their rows sorted by keys, equal ones made one, then by executions.
#include "methods/hbbp/pivot.h"
#include "base/array.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static int by_keys(const void *x, const void *y) {
    const struct pivot_row *a = x, *b = y;
    for (unsigned k = 0; k < PIVOT_KEYS && a->values[k]; k++) {
        const int order = strcmp(a->values[k], b->values[k]);
        if (order) return order;
    }
    return 0;
}

static int by_exact(const void *x, const void *y) {
    const struct pivot_row *a = x, *b = y;
    for (unsigned m = 0; m < MIX_METHODS; m++)
        if (a->counts[m] != b->counts[m]) return a->counts[m] < b->counts[m] ? 1 : -1;
    return by_keys(x, y);
}

static int by_hybrid(const void *x, const void *y) {
    const struct pivot_row *a = x, *b = y;
    if (a->counts[MIX_HBBP] != b->counts[MIX_HBBP]) return a->counts[MIX_HBBP] < b->counts[MIX_HBBP] ? 1 : -1;
    return by_exact(x, y);
}

static bool executed(const struct mix *m, uint32_t i) {
    for (unsigned k = 0; k < MIX_METHODS; k++)
        if (m->counts[k] && m->counts[k][i] > 0) return true;
    return false;
}

static bool wanted(const struct mix *m, const struct pivot_options *o, uint32_t i) {
    char text[MIX_TEXT];
    for (unsigned f = 0; f < o->filter_count; f++) {
        mix_attribute(m->code, i, o->filters[f].key, o->taxonomy, text);
        if (fnmatch(o->filters[f].pattern, text, 0) != 0) return false;
    }
    return true;
}

static void free_row(struct pivot_row *row) {
    for (unsigned k = 0; k < PIVOT_KEYS; k++)
        free(row->values[k]);
}

static bool add(struct pivot *p, const struct mix *m, const struct pivot_options *o, uint32_t i) {
    char text[MIX_TEXT];
    if (!array_reserve(&p->rows, &p->capacity, p->count, sizeof *p->rows)) return false;
    struct pivot_row *row = &p->rows[p->count++];
    *row = (struct pivot_row){.counts = {0}};
    for (unsigned k = 0; k < o->key_count; k++) {
        mix_attribute(m->code, i, o->keys[k], o->taxonomy, text);
        if (!(row->values[k] = strdup(text))) return false;
    }
    for (unsigned k = 0; k < MIX_METHODS; k++)
        row->counts[k] = m->counts[k] ? m->counts[k][i] : 0;
    return true;
}

static void merge(struct pivot *p) {
    size_t used = 0;
    if (p->count) qsort(p->rows, p->count, sizeof *p->rows, by_keys);
    for (size_t i = 0; i < p->count; i++) {
        if (used && by_keys(&p->rows[used - 1], &p->rows[i]) == 0) {
            for (unsigned k = 0; k < MIX_METHODS; k++)
                p->rows[used - 1].counts[k] += p->rows[i].counts[k];
            free_row(&p->rows[i]);
        } else {
            p->rows[used++] = p->rows[i];
        }
    }
    p->count = used;
}

bool pivot_make(struct pivot *p, const struct mix *m, const struct pivot_options *o, struct error *err) {
    *p = (struct pivot){.by = m->counts[MIX_HBBP] ? MIX_HBBP : MIX_EXACT};
    for (uint32_t i = 0; i < m->code->count; i++) {
        if (!executed(m, i) || !wanted(m, o, i)) continue;
        if (add(p, m, o, i)) continue;
        pivot_free(p);
        error_nomem(err, "instruction mix");
        return false;
    }
    merge(p);
    if (p->count) qsort(p->rows, p->count, sizeof *p->rows, p->by == MIX_HBBP ? by_hybrid : by_exact);
    for (size_t i = 0; i < p->count; i++)
        for (unsigned k = 0; k < MIX_METHODS; k++)
            p->totals[k] += p->rows[i].counts[k];
    return true;
}

void pivot_free(struct pivot *p) {
    for (size_t i = 0; i < p->count; i++)
        free_row(&p->rows[i]);
    free(p->rows);
    *p = (struct pivot){.count = 0};
}

double pivot_error(const struct pivot *p, enum mix_method method) {
    double *exact = calloc(p->count + 1, sizeof *exact), *measured = calloc(p->count + 1, sizeof *measured);
    double error = -1;
    for (size_t i = 0; exact && measured && i < p->count; i++) {
        exact[i] = p->rows[i].counts[MIX_EXACT];
        measured[i] = p->rows[i].counts[method];
    }
    if (exact && measured) error = hbbp_error(exact, measured, p->count);
    free(exact);
    free(measured);
    return error;
}
