// Iterations that leave out distances by bounds: kmeans.h.
#include "methods/regions/kmeans.h"
#include "methods/regions/random.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is known of each point without computing distances: `upper` is at least that to its own centre, `lower` at most
// that to any other. While upper < lower the point stays.
struct bounds {
    double *upper, *lower; // of each point
    double *apart;         // of each centre: half the distance to the nearest other one
    double *moved;         // of each centre: how far the last update took it
    double *sum;           // k x dims
};

static const double ROUNDING = 1e-12; // of coordinates from -1 to 1

// k different points, each choice as likely as any: Floyd's sampling (Bentley, CACM 1987).
static void draw(const struct points *p, size_t k, uint64_t seed, double *center, uint32_t *chosen) {
    uint64_t state = random_mix(seed);
    size_t n = 0;
    for (size_t j = p->count - k; j < p->count; j++) {
        uint32_t t = (uint32_t)random_below(&state, j + 1);
        for (size_t i = 0; i < n; i++)
            if (chosen[i] == t) {
                t = (uint32_t)j;
                break;
            }
        chosen[n++] = t;
    }
    for (size_t i = 0; i < k; i++)
        memcpy(center + i * p->dims, points_at(p, chosen[i]), p->dims * sizeof *center);
}

// The nearest centre (of equal ones the first) and the distance to the second.
static void assign(struct kmeans *r, const struct points *p, struct bounds *b, size_t i) {
    double first = DBL_MAX, second = DBL_MAX;
    uint32_t at = 0;
    for (size_t c = 0; c < r->k; c++) {
        const double d = points_distance2(points_at(p, i), r->center + c * p->dims, p->dims);
        if (d < first) {
            second = first;
            first = d;
            at = (uint32_t)c;
        } else if (d < second)
            second = d;
    }
    r->label[i] = at;
    b->upper[i] = sqrt(first);
    b->lower[i] = sqrt(second);
}

static void halve(const struct kmeans *r, const struct points *p, struct bounds *b) {
    for (size_t c = 0; c < r->k; c++) {
        double least = DBL_MAX;
        for (size_t o = 0; o < r->k; o++)
            if (o != c)
                least = fmin(least, points_distance2(r->center + c * p->dims, r->center + o * p->dims, p->dims));
        b->apart[c] = sqrt(least) / 2;
    }
}

// The centres go to their points' means; one without points stays where it is. What that does to the bounds. How far
// the one goes that goes farthest.
static double update(struct kmeans *r, const struct points *p, struct bounds *b) {
    memset(b->sum, 0, r->k * p->dims * sizeof *b->sum);
    memset(r->weight, 0, r->k * sizeof *r->weight);
    for (size_t i = 0; i < p->count; i++) {
        double *const sum = b->sum + r->label[i] * p->dims;
        r->weight[r->label[i]] += p->weight[i];
        for (size_t d = 0; d < p->dims; d++)
            sum[d] += p->weight[i] * points_at(p, i)[d];
    }
    double farthest = 0;
    for (size_t c = 0; c < r->k; c++) {
        double *const sum = b->sum + c * p->dims, *const center = r->center + c * p->dims;
        b->moved[c] = 0;
        if (r->weight[c] <= 0) continue;
        for (size_t d = 0; d < p->dims; d++)
            sum[d] /= r->weight[c];
        b->moved[c] = sqrt(points_distance2(center, sum, p->dims));
        memcpy(center, sum, p->dims * sizeof *center);
        farthest = fmax(farthest, b->moved[c]);
    }
    for (size_t i = 0; i < p->count; i++) {
        b->upper[i] += b->moved[r->label[i]];
        b->lower[i] -= farthest;
    }
    return farthest;
}

// One pass over all points: how many have changed their cluster. A bound that is met exactly settles nothing (a point
// as far from two centres goes to the first of them), nor does one within what rounding may have added to it.
static size_t pass(struct kmeans *r, const struct points *p, struct bounds *b) {
    size_t changed = 0;
    halve(r, p, b);
    for (size_t i = 0; i < p->count; i++) {
        const uint32_t own = r->label[i];
        const double enough = fmax(b->lower[i], b->apart[own]) * (1 - 1e-9) - ROUNDING;
        if (b->upper[i] < enough) continue;
        b->upper[i] = sqrt(points_distance2(points_at(p, i), r->center + own * p->dims, p->dims));
        if (b->upper[i] < enough) continue;
        assign(r, p, b, i);
        changed += r->label[i] != own;
    }
    return changed;
}

static void iterate(struct kmeans *r, const struct points *p, struct bounds *b, unsigned most) {
    for (size_t i = 0; i < p->count; i++)
        assign(r, p, b, i);
    do {
        // Equal points, summed up in another order, are others by rounding: they may go to and fro between centres that
        // stay where they are.
        const bool stays = update(r, p, b) <= ROUNDING;
        r->iterations++;
        r->converged = pass(r, p, b) == 0 || stays;
    } while (!r->converged && r->iterations < most);
    update(r, p, b); // where it has not converged, the means of the last assignment
}

// Clusters that have no points leave: the last one takes the number of each.
static void compact(struct kmeans *r, const struct points *p) {
    for (size_t c = r->k; c-- > 0;) {
        if (r->weight[c] > 0) continue;
        const size_t last = --r->k;
        memmove(r->center + c * p->dims, r->center + last * p->dims, p->dims * sizeof *r->center);
        r->weight[c] = r->weight[last];
        for (size_t i = 0; i < p->count; i++)
            if (r->label[i] == last) r->label[i] = (uint32_t)c;
    }
    r->distortion = 0;
    for (size_t i = 0; i < p->count; i++) {
        r->distortion += p->weight[i] * points_distance2(points_at(p, i), r->center + r->label[i] * p->dims, p->dims);
    }
}

int kmeans_first(struct kmeans *result, const struct points *p, size_t k, uint64_t seed, struct error *err) {
    struct kmeans r = {.k = k};
    uint32_t *const chosen = calloc(k, sizeof *chosen);
    r.center = calloc(k * p->dims, sizeof *r.center);
    r.weight = calloc(k, sizeof *r.weight);
    r.label = calloc(p->count, sizeof *r.label);
    const bool memory = chosen && r.center && r.weight && r.label;
    if (memory) {
        draw(p, k, seed, r.center, chosen);
        *result = r;
    } else
        kmeans_free(&r);
    free(chosen);
    return memory ? 0 : error_nomem(err, "clustering of slices");
}

int kmeans_run(struct kmeans *result, const struct points *p, size_t k, uint64_t seed, unsigned most,
               struct error *err) {
    // One piece of memory for all that is known beside the result.
    double *const scratch = calloc(2 * p->count + 2 * k + k * p->dims, sizeof *scratch);
    struct bounds b = {.upper = scratch};
    if (!scratch) return error_nomem(err, "clustering of slices");
    b.lower = b.upper + p->count;
    b.apart = b.lower + p->count;
    b.moved = b.apart + k;
    b.sum = b.moved + k;
    const int rc = kmeans_first(result, p, k, seed, err);
    if (!rc) {
        iterate(result, p, &b, most);
        compact(result, p);
    }
    free(scratch);
    return rc;
}

void kmeans_free(struct kmeans *k) {
    free(k->center);
    free(k->weight);
    free(k->label);
    *k = (struct kmeans){0};
}
