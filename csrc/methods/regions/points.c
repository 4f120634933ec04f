// Random projection of frequency vectors: points.h.
#include "methods/regions/points.h"
#include "base/array.h"
#include "methods/regions/random.h"
#include <stdlib.h>
#include <string.h>

void points_begin(struct points *p, size_t dims, uint64_t seed) {
    *p = (struct points){.dims = dims, .seed = seed};
}

void points_free(struct points *p) {
    free(p->at);
    free(p->weight);
    *p = (struct points){.dims = p->dims, .seed = p->seed};
}

double points_factor(uint64_t seed, uint64_t dimension, size_t column) {
    return 2 * random_unit(random_mix(random_mix(seed ^ random_mix(dimension)) + column)) - 1;
}

double points_distance2(const double *a, const double *b, size_t dims) {
    double sum = 0;
    for (size_t d = 0; d < dims; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

bool points_add(struct points *p, const struct points_part *parts, size_t count, double weight, struct error *err) {
    if (!array_reserve_all(&p->at, &p->at_capacity, (p->count + 1) * p->dims, sizeof *p->at) ||
        !array_reserve(&p->weight, &p->weight_capacity, p->count, sizeof *p->weight)) {
        error_nomem(err, "clustering of slices");
        return false;
    }
    double *const at = p->at + p->count * p->dims;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)parts[i].count;
    memset(at, 0, p->dims * sizeof *at);
    for (size_t i = 0; i < count; i++)
        if (parts[i].count)
            for (size_t d = 0; d < p->dims; d++)
                at[d] += (double)parts[i].count / sum * points_factor(p->seed, parts[i].dimension, d);
    p->weight[p->count++] = weight;
    return true;
}
