// Clustering of slices: mixtures whose truth is known, k-means without bounds beside the one with them, scores worked
// out by hand.
#include "methods/regions/clustering.h"
#include "methods/regions/random.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near(double got, double expected, double within) {
    if (fabs(got - expected) > within) fail_msg("%.12g, not %.12g", got, expected);
}

// A point as it is, not projected.
static void place(struct points *p, const double *at, double weight) {
    assert_true(points_add(p, NULL, 0, weight, NULL));
    memcpy(p->at + (p->count - 1) * p->dims, at, p->dims * sizeof *at);
}

static double normal(uint64_t *state) { // sum of twelve
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random_mix(++*state));
    return sum;
}

// Point i belongs to source i % sources, whose centre lies at 10 times its own axis, or at the opposite one.
static void mixture(struct points *p, size_t sources, size_t count, double spread, uint64_t seed) {
    uint64_t state = seed << 32;
    double at[16];
    for (size_t i = 0; i < count; i++) {
        for (size_t d = 0; d < p->dims; d++) {
            const size_t source = i % sources;
            at[d] = spread * normal(&state) + (source / 2 == d ? source % 2 ? -10 : 10 : 0);
        }
        place(p, at, 1);
    }
}

static void test_mixtures(void **unused) {
    (void)unused;
    for (size_t sources = 1; sources <= 12; sources++) {
        struct points p;
        struct clustering c;
        const struct clustering_settings s = CLUSTERING_SIMPOINT;
        points_begin(&p, 8, 0);
        mixture(&p, sources, 50 * sources, 0.5, sources);
        assert_int_equal(clustering_run(&c, &p, &s, NULL), 0);
        assert_int_equal(c.kmeans.label[0], c.kmeans.label[sources]);
        for (size_t i = 0; i < p.count; i++) // those of one source are never apart from each other's ...
            if (c.kmeans.k == sources) assert_int_equal(c.kmeans.label[i], c.kmeans.label[i % sources]);
        if (sources == 1 || sources == 2) assert_int_equal(c.kmeans.k, sources);
        double shares = 0;
        for (size_t i = 0; i < c.kmeans.k; i++) {
            shares += c.share[i];
            assert_int_equal(c.kmeans.label[c.representative[i]], i);
            for (size_t q = 0; q < p.count; q++)
                if (c.kmeans.label[q] == i) assert_true(c.distance[q] >= c.distance[c.representative[i]]);
        }
        near(shares, 1, 1e-12);
        print_message("%zu sources: k = %zu, %zu tries\n", sources, c.kmeans.k, c.tries);
        clustering_free(&c);
        points_free(&p);
    }
}

// Lloyd's, with every distance: from the same first centres, which one iteration of none shows.
static void plain(const struct points *p, size_t k, double *center, uint32_t *label) {
    for (bool changed = true, first = true; changed; first = false) {
        changed = first;
        for (size_t i = 0; i < p->count; i++) {
            uint32_t best = 0;
            for (uint32_t c = 1; c < k; c++)
                if (points_distance2(points_at(p, i), center + c * p->dims, p->dims) <
                    points_distance2(points_at(p, i), center + best * p->dims, p->dims))
                    best = c;
            changed |= label[i] != best;
            label[i] = best;
        }
        for (size_t c = 0; c < k; c++) {
            double sum[16] = {0}, weight = 0;
            for (size_t i = 0; i < p->count; i++)
                if (label[i] == c) {
                    weight += p->weight[i];
                    for (size_t d = 0; d < p->dims; d++)
                        sum[d] += p->weight[i] * points_at(p, i)[d];
                }
            for (size_t d = 0; weight > 0 && d < p->dims; d++)
                center[c * p->dims + d] = sum[d] / weight;
        }
    }
}

static void test_bounds_change_nothing(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct points p;
        struct kmeans fast, start;
        double center[20 * 5];
        uint32_t label[400] = {0};
        uint64_t state = seed << 40;
        const size_t k = 1 + seed % 20;
        points_begin(&p, 5, 0);
        for (size_t i = 0; i < 400; i++) {
            double at[5];
            for (size_t d = 0; d < 5; d++) // every third seed: a lattice, whose points are as far from two centres
                at[d] = seed % 3 ? normal(&state) : (double)random_below(&state, 3);
            place(&p, at, 1 + (double)(seed % 2 ? random_below(&state, 7) : 0));
        }
        assert_int_equal(kmeans_run(&fast, &p, k, seed, 10000, NULL), 0);
        assert_true(fast.converged);
        if (fast.k == k) {
            assert_int_equal(kmeans_first(&start, &p, k, seed, NULL), 0);
            memcpy(center, start.center, k * 5 * sizeof *center);
            plain(&p, k, center, label);
            for (size_t i = 0; i < p.count; i++)
                if (label[i] != fast.label[i]) fail_msg("seed %u: point %zu", (unsigned)seed, i);
            kmeans_free(&start);
        }
        kmeans_free(&fast);
        points_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixtures),
        cmocka_unit_test(test_bounds_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
