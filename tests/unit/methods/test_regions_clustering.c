// Clustering of slices: mixtures whose truth is known, k-means without bounds beside the one with them, scores worked
// out by hand.
#include "methods/regions/choice.h"
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

// Two points at -1 and 1 on one axis, of weight 1 and 3. One cluster: its centre lies at 1/2, the distortion is 1 * 9/4
// + 3 * 1/4 = 3, the variance 3/4. Likelihood: 2 * -(log(2 pi 3/4) + 1) / 2; two parameters (centre, variance).
static void test_score_by_hand(void **unused) {
    (void)unused;
    struct points p;
    struct kmeans one;
    points_begin(&p, 1, 0);
    place(&p, &(double){-1}, 1);
    place(&p, &(double){1}, 3);
    assert_int_equal(kmeans_run(&one, &p, 1, 1, 100, NULL), 0);
    near(one.center[0], 0.5, 1e-12);
    near(one.distortion, 3, 1e-12);
    near(clustering_score(&p, &one), -(log(2 * 3.14159265358979 * 0.75) + 1) - log(2), 1e-9);
    kmeans_free(&one);
    points_free(&p);
}

// The largest clusters that make up the share are kept, and are all there is then.
static void test_coverage(void **unused) {
    (void)unused;
    struct points p;
    struct clustering c;
    struct clustering_settings s = CLUSTERING_SIMPOINT;
    points_begin(&p, 2, 0);
    for (int i = 0; i < 100; i++) { // 60, 30 and 10 of three kinds
        const double far = i < 60 ? 0 : i < 90 ? 50 : 100, at[2] = {far + 1e-3 * (i % 7), far + 1e-3 * (i % 5)};
        place(&p, at, 1);
    }
    s.coverage = 0.85;
    assert_int_equal(clustering_run(&c, &p, &s, NULL), 0);
    double of[3] = {0};
    for (size_t i = 0; i < c.kmeans.k; i++)
        of[c.representative[i] < 60 ? 0 : c.representative[i] < 90 ? 1 : 2] += c.share[i];
    near(of[0] + of[1] + of[2], 1, 1e-12);
    assert_true(of[2] < 0.06 && of[0] > 0.6);
    clustering_free(&c);
    points_free(&p);
}

// Distances stay by and large (Johnson and Lindenstrauss): one of a matrix of numbers from -1 to 1 grows by sqrt(dims /
// 3).
static void test_projection(void **unused) {
    (void)unused;
    enum { DIMS = 100, KINDS = 500 };
    struct points p;
    struct points_part parts[KINDS];
    points_begin(&p, DIMS, 7);
    for (uint64_t i = 0; i < 20; i++) {
        for (uint64_t k = 0; k < KINDS; k++)
            parts[k] = (struct points_part){1 + k, random_mix(i * KINDS + k) % 1000};
        assert_true(points_add(&p, parts, KINDS, 1, NULL));
    }
    for (uint64_t i = 1; i < 20; i++) {
        double exact = 0, sum[2] = {0};
        for (uint64_t k = 0; k < KINDS; k++)
            for (uint64_t w = 0; w < 2; w++)
                sum[w] += (double)(random_mix((w ? i : 0) * KINDS + k) % 1000);
        for (uint64_t k = 0; k < KINDS; k++) {
            const double a = (double)(random_mix(k) % 1000) / sum[0];
            const double b = (double)(random_mix(i * KINDS + k) % 1000) / sum[1];
            exact += (a - b) * (a - b);
        }
        near(points_distance2(points_at(&p, 0), points_at(&p, i), DIMS) / exact / (DIMS / 3.), 1, 0.4);
    }
    assert_true(points_factor(7, 1, 2) == points_factor(7, 1, 2) && points_factor(7, 1, 2) != points_factor(8, 1, 2));
    points_free(&p);
}

// What is measured of representatives, times their multipliers, is the whole where it is the same in all of a cluster.
static void test_multipliers(void **unused) {
    (void)unused;
    struct choice c;
    const struct clustering_settings s = CLUSTERING_SIMPOINT;
    uint64_t all = 0;
    choice_begin(&c, 15, 1);
    for (uint64_t i = 0; i < 40; i++) {
        const struct points_part parts[] = {{1 + i % 4, 1000 + i}, {9, 1 + i % 3}};
        const uint64_t length = parts[0].count + parts[1].count;
        const struct regions_slice slice = {
            .begin = all, .steps = length, .instructions = length, .counted = length, .parts = parts, .count = 2};
        assert_true(choice_add(&c, &slice, NULL));
        all += length;
    }
    assert_int_equal(choice_make(&c, &s, NULL), 0);
    double projected = 0;
    size_t slices = 0;
    for (size_t i = 0; i < c.clustering.kmeans.k; i++) {
        projected += choice_multiplier(&c, i) * (double)c.slices[c.clustering.representative[i]].instructions;
        slices += choice_slices(&c, i);
    }
    near(projected, (double)all, 1e-6);
    assert_int_equal(slices, 40);
    assert_true(c.clustering.kmeans.k >= 4 && c.clustering.kmeans.k <= 20);
    choice_free(&c);
}

// More clusters than different points: sums of equal ones differ by rounding, and points as far from two centres would
// go to and fro without end.
static void test_settles(void **unused) {
    (void)unused;
    enum { DIMS = 100, DIFFERENT = 5, POINTS = 128, K = 12 };
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        struct points p;
        struct error err;
        double value[DIFFERENT][DIMS];
        points_begin(&p, DIMS, seed);
        for (unsigned i = 0; i < DIFFERENT; i++)
            for (unsigned d = 0; d < DIMS; d++)
                value[i][d] = (double)random_below(&random, 1000) / 999 - 0.5;
        for (unsigned i = 0; i < POINTS; i++)
            place(&p, value[random_below(&random, DIFFERENT)], 1);
        struct kmeans k;
        assert_int_equal(kmeans_run(&k, &p, K, seed, 1000, &err), 0);
        if (!k.converged) fail_msg("seed %llu: %u iterations", (unsigned long long)seed, k.iterations);
        kmeans_free(&k);
        points_free(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settles),
        cmocka_unit_test(test_mixtures),
        cmocka_unit_test(test_bounds_change_nothing),
        cmocka_unit_test(test_score_by_hand),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_multipliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
