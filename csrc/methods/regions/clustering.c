// The search for the number of clusters, and the point that represents each: clustering.h.
#include "methods/regions/clustering.h"
#include "methods/regions/random.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

double clustering_score(const struct points *p, const struct kmeans *k) {
    const double n = (double)p->count, dims = (double)p->dims, clusters = (double)k->k;
    double all = 0, shares = 0;
    for (size_t c = 0; c < k->k; c++)
        all += k->weight[c];
    for (size_t c = 0; c < k->k; c++)
        shares += k->weight[c] / all * log(k->weight[c] / all);
    const double variance = fmax(k->distortion / all / dims, CLUSTERING_LEAST_VARIANCE);
    const double likelihood = n * (shares - dims / 2 * (log(2 * acos(-1) * variance) + 1));
    const double parameters = (clusters - 1) + clusters * dims + 1; // shares, centres, the variance
    return likelihood - parameters / 2 * log(n);
}

// The best of several runs at one k.
static int best_at(struct kmeans *best, double *score, const struct points *p, size_t k,
                   const struct clustering_settings *s, struct error *err) {
    const uint64_t seed = random_mix(s->seed + k);
    int rc = kmeans_run(best, p, k, random_mix(seed), s->iterations, err);
    if (rc) return rc;
    *score = clustering_score(p, best);
    for (unsigned i = 1; i < s->seeds; i++) {
        struct kmeans one;
        rc = kmeans_run(&one, p, k, random_mix(seed + i), s->iterations, err);
        if (rc) {
            kmeans_free(best);
            return rc;
        }
        const double got = clustering_score(p, &one);
        kmeans_free(got > *score ? best : &one);
        if (got <= *score) continue;
        *best = one;
        *score = got;
    }
    return 0;
}

static double threshold(const struct clustering *c, const struct clustering_settings *s) {
    double least = DBL_MAX, most = -DBL_MAX;
    for (size_t i = 0; i < c->tries; i++) {
        least = fmin(least, c->tried[i].score);
        most = fmax(most, c->tried[i].score);
    }
    return least + (most - least) * s->threshold;
}

// Tries k, for its score alone: what is good enough changes with each try. The k that is chosen at the end is run
// again, with the same seeds: one run more than the seven of a search up to 30, and memory for one clustering instead
// of all.
static int try_k(struct clustering *c, const struct points *p, size_t k, const struct clustering_settings *s,
                 struct error *err) {
    struct kmeans one;
    double score = 0;
    const int rc = best_at(&one, &score, p, k, s, err);
    if (rc) return rc;
    c->tried[c->tries++] = (struct clustering_tried){k, score};
    kmeans_free(&one);
    return 0;
}

// Between 1 and the greatest k by bisection: upwards while the score is too low, as the score grows with k by and
// large.
static int search(struct clustering *c, const struct points *p, const struct clustering_settings *s,
                  struct error *err) {
    size_t low = 1, high = s->most_k < p->count ? s->most_k : p->count;
    int rc = try_k(c, p, low, s, err);
    if (!rc && high > low) rc = try_k(c, p, high, s, err);
    while (!rc && high - low > 1) {
        const size_t k = low + (high - low) / 2;
        rc = try_k(c, p, k, s, err);
        if (rc) break;
        const bool grows = c->tried[1].score > c->tried[0].score;
        if (grows && c->tried[c->tries - 1].score < threshold(c, s))
            low = k;
        else
            high = k;
    }
    return rc;
}

static size_t smallest_good(const struct clustering *c, const struct clustering_settings *s) {
    const double enough = threshold(c, s);
    size_t k = SIZE_MAX;
    for (size_t i = 0; i < c->tries; i++)
        if (c->tried[i].score >= enough && c->tried[i].k < k) k = c->tried[i].k;
    return k;
}

static void represent(struct clustering *c, const struct points *p) {
    for (size_t i = 0; i < c->kmeans.k; i++)
        c->representative[i] = SIZE_MAX;
    for (size_t i = 0; i < p->count; i++) {
        const uint32_t own = c->kmeans.label[i];
        size_t *const best = &c->representative[own];
        c->distance[i] = sqrt(points_distance2(points_at(p, i), c->kmeans.center + own * p->dims, p->dims));
        if (*best == SIZE_MAX || c->distance[i] < c->distance[*best]) *best = i;
    }
}

// The largest clusters first (of equal ones the first), until the coverage is reached.
static void weigh(struct clustering *c, double coverage) {
    const double *const weight = c->kmeans.weight;
    double all = 0, kept = 0;
    for (size_t i = 0; i < c->kmeans.k; i++)
        all += weight[i];
    while (kept < all * coverage * (1 - DBL_EPSILON)) {
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < c->kmeans.k; i++)
            if (c->share[i] == 0 && (next == SIZE_MAX || weight[i] > weight[next])) next = i;
        if (next == SIZE_MAX) break; // all: what is missing is rounding
        c->share[next] = weight[next];
        kept += weight[next];
    }
    for (size_t i = 0; i < c->kmeans.k; i++)
        c->share[i] /= kept;
}

int clustering_run(struct clustering *c, const struct points *p, const struct clustering_settings *s,
                   struct error *err) {
    double score = 0;
    *c = (struct clustering){0};
    int rc = search(c, p, s, err);
    if (!rc) rc = best_at(&c->kmeans, &score, p, smallest_good(c, s), s, err);
    if (rc) return rc;
    const size_t k = c->kmeans.k ? c->kmeans.k : 1; // there is one: the points are in it
    c->representative = calloc(k, sizeof *c->representative);
    c->share = calloc(k, sizeof *c->share);
    c->distance = calloc(p->count, sizeof *c->distance);
    if (!c->representative || !c->share || !c->distance) {
        clustering_free(c);
        return error_nomem(err, "clustering of slices");
    }
    represent(c, p);
    weigh(c, s->coverage);
    return 0;
}

void clustering_free(struct clustering *c) {
    kmeans_free(&c->kmeans);
    free(c->representative);
    free(c->share);
    free(c->distance);
    *c = (struct clustering){0};
}
