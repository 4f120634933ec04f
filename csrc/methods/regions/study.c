// Chooses regions of a reference, and projects the whole run's CPI from theirs.
#include "methods/regions/study.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t slices_of(const struct reference *r, size_t join) {
    return (r->count + join - 1) / join;
}

struct study_slice study_slice(const struct reference *r, size_t join, size_t i) {
    struct study_slice s = {0, 0};
    for (size_t k = i * join; k < (i + 1) * join && k < r->count; k++) {
        s.cycles += r->slices[k].cycles;
        s.instructions += r->slices[k].instructions;
    }
    return s;
}

static int by_dimension(const void *x, const void *y) {
    const struct points_part *const a = x, *const b = y;
    return (a->dimension > b->dimension) - (a->dimension < b->dimension);
}

// Each dimension once, in order: slices that execute the same are the same point, to the last bit, and k-means ends.
static size_t merge(struct points_part *parts, size_t count) {
    size_t used = 0;
    if (count) qsort(parts, count, sizeof *parts, by_dimension);
    for (size_t i = 0; i < count; i++) {
        if (used && parts[used - 1].dimension == parts[i].dimension)
            parts[used - 1].count += parts[i].count;
        else
            parts[used++] = parts[i];
    }
    return used;
}

// The i-th slice: what its `join` of the reference's executed.
static bool add(const struct reference *r, size_t join, size_t i, struct choice *c, struct error *err) {
    const struct reference_slice *const first = &r->slices[i * join];
    const size_t left = r->count - i * join, slices = left < join ? left : join;
    size_t count = 0, used = 0;
    for (size_t k = 0; k < slices; k++)
        count += first[k].count;
    struct points_part *const parts = malloc((count + 1) * sizeof *parts);
    if (!parts) {
        error_nomem(err, "study of regions");
        return false;
    }
    for (size_t k = 0; k < slices; used += first[k++].count)
        if (first[k].count) memcpy(parts + used, first[k].parts, first[k].count * sizeof *parts);
    const uint64_t instructions = study_slice(r, join, i).instructions;
    const struct regions_slice slice = {.steps = instructions,
                                        .instructions = instructions,
                                        .counted = instructions,
                                        .parts = parts,
                                        .count = merge(parts, count)};
    const bool good = choice_add(c, &slice, err);
    free(parts);
    return good;
}

int study_choose(const struct reference *r, const struct study_settings *s, struct choice *c, struct error *err) {
    const size_t all = slices_of(r, s->join), part = (size_t)ceil(s->part * (double)all);
    for (size_t i = 0; i < part && i < all; i++)
        if (!add(r, s->join, i, c, err)) return -ENOMEM;
    return choice_make(c, &s->clustering, err);
}

static void project(const struct reference *r, const struct study_settings *s, const struct choice *c,
                    struct study_point *p) {
    const struct clustering *const g = &c->clustering;
    const double whole = (double)r->cycles / (double)r->instructions;
    double cycles = 0, instructions = 0;
    for (size_t i = 0; i < g->kmeans.k; i++) {
        if (g->share[i] == 0) continue;
        const struct study_slice slice = study_slice(r, s->join, g->representative[i]);
        const double multiplier = choice_multiplier(c, i);
        p->regions++;
        p->chosen += slice.instructions;
        p->cpi += g->share[i] * study_cpi(slice);
        cycles += multiplier * (double)slice.cycles;
        instructions += multiplier * (double)slice.instructions;
    }
    p->slices = c->points.count;
    p->error = fabs(p->cpi / whole - 1);
    p->error_counted = fabs(cycles / instructions / whole - 1);
}

int study_run(const struct reference *r, const struct study_settings *s, struct study_point *point, struct error *err) {
    struct choice c;
    *point = (struct study_point){0};
    choice_begin(&c, s->dims, s->clustering.seed);
    const int rc = study_choose(r, s, &c, err);
    if (!rc) project(r, s, &c, point);
    choice_free(&c);
    return rc;
}
