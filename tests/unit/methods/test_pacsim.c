// Pac-Sim's parts: vectors by a formula of their own, clusters beside a search that skips nothing, the predictor on the
// thesis's example and beside a comparison of whole histories.
#include "methods/regions/pacsim_predictor.h"
#include "methods/regions/pacsim_vector.h"
#include "methods/regions/points.h"
#include "methods/regions/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near(double got, double expected, double within) {
    if (!(fabs(got - expected) <= within)) fail_msg("%.12g, not %.12g", got, expected);
}

// ---- vectors ----
static struct place at(uint64_t pc, unsigned hart) {
    return (struct place){pc, place_on_hart(place_context(MODE_MACHINE, 0), hart)};
}

static void test_vectors(void **unused) {
    (void)unused;
    uint64_t sums[2 * PACSIM_DIMS] = {0}, again[PACSIM_DIMS] = {0};
    double vector[2 * PACSIM_DIMS];
    pacsim_sum(sums, at(0x80000000, 0), 30);
    pacsim_sum(sums, at(0x80000010, 0), 7);
    pacsim_sum(again, at(0x80000010, 0), 4);
    pacsim_sum(again, at(0x80000000, 0), 30);
    pacsim_sum(again, at(0x80000010, 0), 3);
    assert_memory_equal(sums, again, sizeof again); // neither the order counts, nor how counts are split
    double squares = 0;
    for (unsigned d = 0; d < PACSIM_DIMS; d++) {
        const uint64_t expected =
            30 * (uint64_t)pacsim_hash(at(0x80000000, 0), d) + 7 * (uint64_t)pacsim_hash(at(0x80000010, 0), d);
        assert_int_equal(sums[d], expected);
        squares += (double)expected * (double)expected;
    }
    pacsim_norm(vector, sums, 2); // the second hart was idle
    double length = 0;
    for (unsigned d = 0; d < PACSIM_DIMS; d++) {
        near(vector[d], (double)sums[d] / sqrt(squares), 1e-12);
        near(vector[PACSIM_DIMS + d], 0, 0);
        length += vector[d] * vector[d];
    }
    near(length, 1, 1e-12);
}

static void test_hash(void **unused) {
    (void)unused;
    double mean = 0, square = 0, with_next = 0;
    enum { BLOCKS = 4096 };
    for (unsigned b = 0; b < BLOCKS; b++) {
        for (unsigned d = 0; d < PACSIM_DIMS; d++) {
            const double x = pacsim_hash(at(0x80000000 + 2 * b, 0), d) * 0x1p-24;
            const double y = pacsim_hash(at(0x80000002 + 2 * b, 0), d) * 0x1p-24;
            assert_true(x >= 0 && x < 1);
            assert_int_equal(pacsim_hash(at(0x80000000 + 2 * b, 0), d), pacsim_hash(at(0x80000000 + 2 * b, 5), d));
            mean += x, square += x * x, with_next += (x - 0.5) * (y - 0.5);
        }
    }
    const double n = BLOCKS * PACSIM_DIMS; // five standard deviations of uniform numbers without a relation
    near(mean / n, 1. / 2, 5 * sqrt(1. / 12 / n));
    near(square / n, 1. / 3, 5 * sqrt(4. / 45 / n));
    near(with_next / n, 0, 5 * sqrt(1. / 144 / n));
    assert_int_not_equal(pacsim_hash(at(64, 0), 0), pacsim_hash((struct place){64, place_context(MODE_USER, 0)}, 0));
    assert_int_not_equal(pacsim_hash((struct place){64, place_context(MODE_USER, 1)}, 0),
                         pacsim_hash((struct place){64, place_context(MODE_USER, 2)}, 0));
}

// ---- clusters ----
enum { MANY = 600, FEW_DIMS = 3 };

static void test_clusters_by_hand(void **unused) {
    (void)unused;
    struct pacsim_clusters c;
    pacsim_clusters_begin(&c, 1, 1);
    const double places[] = {0, 5, 5.9, 0.99, 1, 4.5, 5.2};
    const bool detailed[] = {false, true, false, true, true, false, false};
    // 1 is not below 1, of 0; 0.99 is. 4.5 is near 5. 1 founds a cluster, in detail.
    const size_t expected[] = {0, 1, 1, 0, 2, 1, 1};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(pacsim_clusters_add(&c, &places[i], detailed[i], NULL), expected[i]);
    const double between = 0.6; // nearer to 1, in detail, than ... and were it nearer to 0, detail comes first
    assert_int_equal(pacsim_clusters_add(&c, &between, false, NULL), 2);
    const double left = 0.4;
    assert_int_equal(pacsim_clusters_add(&c, &left, false, NULL), 2);
    assert_int_equal(c.count, 3);
    pacsim_clusters_free(&c);
}

// Every distance, in the order in which the vectors came.
static void test_clusters_second(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct pacsim_clusters c;
        double kept[MANY][FEW_DIMS];
        bool kept_detailed[MANY];
        size_t kept_count = 0;
        uint64_t state = seed << 32;
        pacsim_clusters_begin(&c, FEW_DIMS, 0.15);
        for (size_t i = 0; i < MANY; i++) {
            double v[FEW_DIMS];
            for (unsigned d = 0; d < FEW_DIMS; d++)
                v[d] = random_unit(random_mix(++state));
            const bool detailed = random_below(&state, 3) == 0;
            size_t expected = PACSIM_NONE;
            for (int queue = 1; queue >= 0 && expected == PACSIM_NONE; queue--) {
                double least = 0.15;
                for (size_t k = 0; k < kept_count; k++) {
                    const double d = sqrt(points_distance2(v, kept[k], FEW_DIMS));
                    if (kept_detailed[k] != queue || d >= least) continue;
                    least = d;
                    expected = k;
                }
            }
            if (expected == PACSIM_NONE) {
                memcpy(kept[kept_count], v, sizeof v);
                kept_detailed[kept_count] = detailed;
                expected = kept_count++;
            }
            const size_t got = pacsim_clusters_add(&c, v, detailed, NULL);
            if (got != expected) fail_msg("seed %d, vector %zu: cluster %zu, not %zu", (int)seed, i, got, expected);
        }
        assert_true(kept_count > 20 && kept_count < MANY);
        pacsim_clusters_free(&c);
    }
}

static void test_threshold_zero(void **unused) {
    (void)unused;
    struct pacsim_clusters c;
    const double same = 1;
    pacsim_clusters_begin(&c, 1, 0);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(pacsim_clusters_add(&c, &same, true, NULL), i);
    pacsim_clusters_free(&c);
}

// ---- the predictor ----
// Figure 5.5a: after 2, 3, 3 comes 2; its cluster stands at 3, at 3 and 3, and at 3, 3 and 2, below its begin.
static void test_thesis_example(void **unused) {
    (void)unused;
    struct pacsim_predictor *p = pacsim_predictor_create(16, NULL);
    const uint64_t M1 = 100, M2 = 200;
    unsigned matched;
    assert_int_equal(pacsim_predictor_ask(p, M2, &matched), PACSIM_NONE);
    assert_true(pacsim_predictor_learn(p, M1, 2, NULL));
    assert_true(pacsim_predictor_learn(p, M1, 3, NULL));
    assert_true(pacsim_predictor_learn(p, M1, 3, NULL));
    const size_t before = pacsim_predictor_nodes(p);
    assert_int_equal(pacsim_predictor_ask(p, M2, &matched), PACSIM_NONE); // nothing has begun there
    assert_true(pacsim_predictor_learn(p, M2, 2, NULL));
    assert_int_equal(pacsim_predictor_nodes(p), before + 1 + 3); // M2, and the three histories
    // The history is 2, 3, 3, 2 now: no region began at M2 after a 2.
    assert_int_equal(pacsim_predictor_ask(p, M2, &matched), PACSIM_NONE);
    assert_int_equal(matched, 0);
    assert_true(pacsim_predictor_learn(p, M1, 3, NULL));
    assert_int_equal(pacsim_predictor_ask(p, M2, &matched), 2); // after a 3 there was one
    assert_int_equal(matched, 1);
    assert_true(pacsim_predictor_learn(p, M1, 3, NULL));
    assert_int_equal(pacsim_predictor_ask(p, M2, &matched), 2); // 2, 3, 3 again
    assert_int_equal(matched, 3);
    pacsim_predictor_destroy(p);
}

// The one of all earlier regions whose history agrees longest, the latest of them: every pair of histories compared.
static size_t by_histories(const uint64_t *markers, const size_t *clusters, size_t count, uint64_t marker,
                           unsigned depth, unsigned *matched) {
    size_t found = PACSIM_NONE;
    *matched = 0;
    for (size_t i = 0; i < count; i++) {
        if (markers[i] != marker) continue;
        unsigned same = 0;
        while (same < depth && same < i && clusters[i - 1 - same] == clusters[count - 1 - same])
            same++;
        if (same == 0 || same < *matched) continue;
        *matched = same;
        found = clusters[i];
    }
    return found;
}

static void test_predictor_second(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        enum { LENGTH = 400 };
        uint64_t markers[LENGTH], state = seed << 32;
        size_t clusters[LENGTH];
        const unsigned depth = 1 + (unsigned)random_below(&state, 16);
        const uint64_t kinds = 1 + random_below(&state, 5), places = 1 + random_below(&state, 4);
        struct pacsim_predictor *p = pacsim_predictor_create(depth, NULL);
        for (size_t i = 0; i < LENGTH; i++) {
            unsigned got_matched, matched;
            // Mostly with a period, so that long histories return.
            const uint64_t turn = random_below(&state, 8) ? i % 7 : random_below(&state, 100);
            markers[i] = 1000 * (turn % places);
            clusters[i] = turn % kinds;
            const size_t expected = by_histories(markers, clusters, i, markers[i], depth, &matched);
            const size_t got = pacsim_predictor_ask(p, markers[i], &got_matched);
            if (got != expected || got_matched != matched)
                fail_msg("seed %d, region %zu: %zu by %u, not %zu by %u", (int)seed, i, got, got_matched, expected,
                         matched);
            assert_true(pacsim_predictor_learn(p, markers[i], clusters[i], NULL));
        }
        pacsim_predictor_destroy(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),          cmocka_unit_test(test_hash),
        cmocka_unit_test(test_clusters_by_hand), cmocka_unit_test(test_clusters_second),
        cmocka_unit_test(test_threshold_zero),   cmocka_unit_test(test_thesis_example),
        cmocka_unit_test(test_predictor_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
