// Errors and speed-ups of a projection: validation.h.
#include "methods/regions/validation.h"
#include <math.h>
#include <stdlib.h>

void validation_free(struct validation *v) {
    free(v->of);
    v->of = NULL;
}

// A full run's amount by those of regions.
struct amounts {
    double sum, most;
};

static void put(struct amounts *a, double amount) {
    a->sum += amount;
    if (amount > a->most) a->most = amount;
}

static struct speedups by(const struct amounts *a, double full) {
    return a->sum > 0 && full > 0 ? (struct speedups){full / a->sum, full / a->most} : (struct speedups){0, 0};
}

static void speed(struct validation *v, const struct regions_file *f, const struct measures *of,
                  const struct measures *reference, const uint64_t *warmup) {
    struct amounts counted = {0}, warmed = {0}, cycles = {0}, seconds = {0};
    for (size_t i = 0; i < f->region_count; i++) {
        put(&counted, (double)f->regions[i].counted);
        put(&warmed, (double)(f->regions[i].instructions + warmup[i]));
        put(&cycles, measures_get(&of[i], "cycles"));
        put(&seconds, of[i].seconds);
    }
    v->counted = by(&counted, (double)f->counted);
    v->with_warmup = by(&warmed, (double)f->instructions);
    v->cycles = by(&cycles, v->full);
    v->seconds = by(&seconds, reference->seconds);
}

static double cluster_cycles(const struct regions_file *f, const struct slice_cycles *s, size_t cluster) {
    double cycles = 0;
    for (size_t i = 0; i < f->slice_count; i++)
        if (f->slices[i].cluster == cluster)
            cycles += slice_cycles_between(s, f->slices[i].begin, f->slices[i].begin + f->slices[i].steps);
    return cycles;
}

static void blame(struct validation *v, const struct regions_file *f, const struct slice_cycles *s) {
    const double scale = projection_scale(f), full = s->cycles;
    const bool clustered = regions_file_clustered(f);
    for (size_t i = 0; i < f->region_count; i++) {
        struct region_errors *const e = &v->of[i];
        const struct regions_region *const r = &f->regions[i];
        e->own = slice_cycles_between(s, r->begin, r->begin + r->steps);
        e->warmup = (e->cycles - e->own) * r->multiplier * scale / full;
        if (clustered) e->clustering = (e->own * r->multiplier - cluster_cycles(f, s, r->cluster)) / full;
        v->perfect += e->own * r->multiplier * scale;
    }
    v->perfect_error = fabs(1 - v->perfect / full);
    v->has_slices = true;
}

bool validation_make(struct validation *v, const struct regions_file *f, const struct measures *of,
                     const struct measures *reference, const struct measures *whole, const struct slice_cycles *slices,
                     const uint64_t *warmup, struct error *err) {
    *v = (struct validation){.projected = measures_get(whole, "cycles"), .full = measures_get(reference, "cycles")};
    v->of = error_calloc(f->region_count * sizeof *v->of, "validation of regions", err);
    if (!v->of) return false;
    v->error = fabs(1 - v->projected / v->full);
    for (size_t i = 0; i < f->region_count; i++)
        v->of[i].cycles = measures_get(&of[i], "cycles");
    speed(v, f, of, reference, warmup);
    if (slices) blame(v, f, slices);
    return true;
}
