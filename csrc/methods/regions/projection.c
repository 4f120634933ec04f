// Sums of what regions measure, times their multipliers: projection.h.
#include "methods/regions/projection.h"
#include <math.h>
#include <string.h>

double projection_scale(const struct regions_file *f) {
    double covered = 0;
    for (size_t i = 0; i < f->region_count; i++)
        covered += f->regions[i].multiplier * (double)f->regions[i].counted;
    const double scale = covered > 0 ? (double)f->counted / covered : 1;
    return fabs(scale - 1) < 1e-9 ? 1 : scale;
}

bool projection_make(const struct regions_file *f, const struct measures *of, struct measures *whole,
                     struct error *err) {
    const double scale = projection_scale(f);
    for (size_t i = 0; i < f->region_count; i++)
        if (!measures_add(whole, &of[i], f->regions[i].multiplier * scale, err)) return false;
    for (size_t i = 0; i < whole->count; i++)
        if (strcmp(whole->list[i].name, "instructions") == 0) whole->list[i].value = (double)f->instructions;
    return true;
}
