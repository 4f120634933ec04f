// Deviations of sampled times: of four samples by hand; of drawn ones by drawing them often; and which of many changes
// are beyond chance, by the example of Benjamini and Hochberg's paper.
#include "analysis/spread.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A = 0x1000, B = 0x2000, NOWHERE = 0x3000 };
static const struct samples_header header = {.units = 12, .event_count = 9};

static size_t unit(void *context, struct place place) {
    (void)context;
    return place.pc == A ? 0 : place.pc == B ? 1 : place.pc == PROFILE_PC_END ? 2 : 3;
}

static void expect(const struct spread *s, size_t of, unsigned component, double cycles, double variance,
                   uint64_t samples) {
    const struct estimate e = spread_of(s, of, component);
    assert_true(fabs(e.cycles - cycles) < 1e-9);
    if (fabs(e.deviation * e.deviation - variance) > 1e-9)
        print_error("unit %zu, component %u: variance %.12f, not %.12f\n", of, component, e.deviation * e.deviation,
                    variance);
    assert_true(fabs(e.deviation * e.deviation - variance) <= 1e-9);
    assert_int_equal(e.samples, samples);
}

// 60 cycles. Time of A: 5 + 10 + 0 + 20 = 35, p = 7/12; deviations from cp: -5/6, 25/6, -35/3, 25/3, whose squares add
// up to (25 + 625 + 4900 + 2500) / 36; times n / (n - 1) = 4/3.
static void test_by_hand(void **state) {
    (void)state;
    static const struct sample_record records[] = {
        {.cycles = 10, .sample = {.state = STATE_COMPUTING, .valid = 0x5, .addr = {A, 0, B}}},
        {.cycles = 10, .sample = {.state = STATE_STALLED, .valid = 0x1, .addr = {A}, .psv = {0x40}}},
        {.cycles = 20, .sample = {.state = STATE_FLUSHED, .valid = 0x1, .addr = {B}, .psv = {0x8}}},
        {.cycles = 20,
         .stalled_cycles = 5,
         .sample = {.state = STATE_DRAINED, .valid = 0x1, .addr = {A}, .psv = {0x41}}},
    };
    struct spread *s = spread_create(3, unit, NULL);
    assert_non_null(s);
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        spread_add(s, &header, &records[i]);
    expect(s, 0, SPREAD_TIME, 35, 8050.0 / 36 * 4 / 3, 3);
    expect(s, 1, SPREAD_TIME, 25, 8050.0 / 36 * 4 / 3, 2);
    // Stalled: 10 of the second, 5 of the fourth; p = 1/4: -2.5, 7.5, -5, 0.
    expect(s, 0, SPREAD_STATES + STATE_STALLED, 15, 87.5 * 4 / 3, 2);
    expect(s, SPREAD_ALL, SPREAD_STATES + STATE_STALLED, 15, 87.5 * 4 / 3, 2);
    // Event 6: 10 and 20, p = 1/2: -5, 5, -10, 10. Event 0: 20, p = 1/3: -10/3, -10/3, -20/3, 40/3.
    expect(s, 0, SPREAD_EVENTS + 6, 30, 250.0 * 4 / 3, 2);
    expect(s, 0, SPREAD_EVENTS + 0, 20, 2200.0 / 9 * 4 / 3, 1);
    expect(s, 1, SPREAD_EVENTS + 0, 0, 0, 0);
    expect(s, SPREAD_ALL, SPREAD_TIME, 60, 0, 4);
    expect(s, 2, SPREAD_TIME, 0, 0, 0);
    spread_destroy(s);
}

// Both lanes are A's: the whole sample, not two halves. A place of no unit is in the sum of all, and so is the end.
static void test_lanes_and_strangers(void **state) {
    (void)state;
    static const struct sample_record records[] = {
        {.cycles = 8, .sample = {.state = STATE_COMPUTING, .valid = 0x3, .addr = {A, A}}},
        {.cycles = 8, .sample = {.state = STATE_COMPUTING, .valid = 0x3, .addr = {A, NOWHERE}}},
        {.cycles = 8, .sample = {.state = STATE_DRAINED, .valid = 0}},
    };
    struct spread *s = spread_create(3, unit, NULL);
    for (size_t i = 0; i < 3; i++)
        spread_add(s, &header, &records[i]);
    expect(s, 0, SPREAD_TIME, 12, 32.0 * 3 / 2, 2);                                   // 4, 0, -4
    expect(s, 2, SPREAD_TIME, 8, 128.0 / 3 * 3 / 2, 1);                               // -8/3, -8/3, 16/3: 384 / 9
    expect(s, SPREAD_ALL, SPREAD_STATES + STATE_COMPUTING, 16, 128.0 / 3 * 3 / 2, 2); // 8/3, 8/3, -16/3
    spread_destroy(s);
}

static void test_one_sample(void **state) {
    (void)state;
    static const struct sample_record record = {.cycles = 8, .sample = {.valid = 1, .addr = {A}}};
    struct spread *s = spread_create(3, unit, NULL);
    expect(s, 0, SPREAD_TIME, 0, 0, 0);
    spread_add(s, &header, &record);
    expect(s, 0, SPREAD_TIME, 8, 0, 1);
    spread_destroy(s);
}

// xorshift64 (Marsaglia): the same numbers on every machine.
static double uniform(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return (double)(*x >> 11) * 0x1p-53;
}

// A has 0.2 of the time alone and half of another 0.3; samples stand for 50 to 150 cycles. Of 4,000 profiles of 200
// samples 95 % must have A's true share within 1.96 deviations: 93.5 to 96.5 % is more than four deviations of that.
static void test_coverage(void **state) {
    (void)state;
    enum { RUNS = 4000, SAMPLES = 200 };
    uint64_t x = 88172645463325252u;
    unsigned within = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        struct spread *s = spread_create(3, unit, NULL);
        for (unsigned i = 0; i < SAMPLES; i++) {
            struct sample_record r = {.cycles = 50 + (uint64_t)(100 * uniform(&x)), .sample = {.valid = 1}};
            const double which = uniform(&x);
            r.sample.addr[0] = which < 0.5 ? A : B;
            r.sample.addr[1] = B;
            if (which >= 0.2 && which < 0.5) r.sample.valid = 3;
            spread_add(s, &header, &r);
        }
        const struct estimate e = spread_of(s, 0, SPREAD_TIME), all = spread_of(s, SPREAD_ALL, SPREAD_TIME);
        within += fabs(e.cycles - 0.35 * all.cycles) < 1.96 * e.deviation;
        spread_destroy(s);
    }
    print_message("%.4f of the intervals hold the true time\n", (double)within / RUNS);
    assert_in_range(within, 0.935 * RUNS, 0.965 * RUNS);
}

// All at once is one by one, to the last bit: samples alike with other cycles, stalled ones, empty ones, single ones.
static void test_all_at_once(void **state) {
    (void)state;
    enum { SAMPLES = 5000, LANES = 4 };
    static const uint64_t places[LANES] = {A, B, NOWHERE, A};
    struct spread *one = spread_create(3, unit, NULL), *all = spread_create(3, unit, NULL);
    struct sample_store *store = sample_store_create();
    uint64_t x = 88172645463325252u;
    for (unsigned i = 0; i < SAMPLES; i++) {
        struct sample_record r = {.cycles = (uint64_t)(100 * uniform(&x))};
        r.sample.state = (uint8_t)(4 * uniform(&x));
        r.sample.valid = (uint8_t)(16 * uniform(&x));
        if (i % 7 == 0) r.stalled_cycles = (uint64_t)((double)r.cycles * uniform(&x));
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (!(r.sample.valid >> lane & 1)) continue;
            r.sample.addr[lane] = places[lane];
            r.sample.psv[lane] = i % 501 == 0 ? (uint16_t)i : 3; // seldom ones
        }
        spread_add(one, &header, &r);
        assert_true(sample_store_add(store, &r));
    }
    assert_true(spread_add_all(all, &header, store));
    for (size_t u = 0; u <= 3; u++) {
        for (unsigned c = 0; c < SPREAD_COMPONENTS; c++) {
            const struct estimate a = spread_of(one, u < 3 ? u : SPREAD_ALL, c);
            const struct estimate b = spread_of(all, u < 3 ? u : SPREAD_ALL, c);
            assert_true(a.cycles == b.cycles && a.deviation == b.deviation && a.samples == b.samples);
        }
    }
    assert_true(spread_of(all, SPREAD_ALL, SPREAD_TIME).samples < SAMPLES); // of the empty ones there is no time
    sample_store_destroy(store);
    spread_destroy(one);
    spread_destroy(all);
}

static void test_chance(void **state) {
    (void)state;
    assert_true(spread_chance(0, 0) == 1 && spread_chance(0, 3) == 1);
    assert_true(spread_chance(-2, 0) == 0);
    assert_true(fabs(spread_chance(1.959964, 1) - 0.05) < 1e-6); // tables of the normal distribution
    assert_true(fabs(spread_chance(-2.575829 * 7, 7) - 0.01) < 1e-6);
}

// Against sums of all the ways in which they may fall, by whole numbers; the lady tasting tea is 34/70, both tails.
static double choose(unsigned n, unsigned k) {
    double ways = 1;
    for (unsigned i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

static void test_same_share(void **state) {
    (void)state;
    assert_true(fabs(spread_same_share(3, 4, 1, 4) - 34.0 / 70) < 1e-12);
    assert_true(spread_same_share(0, 0, 3, 9) == 1 && fabs(spread_same_share(5, 10, 5, 10) - 1) < 1e-12);
    for (unsigned a = 0; a <= 12; a++) {
        for (unsigned b = 0; b <= 20; b++) {
            double lower = 0, upper = 0;
            for (unsigned k = 0; k <= 12 && k <= a + b; k++) {
                if (a + b - k > 20) continue;
                const double ways = choose(12, k) * choose(20, a + b - k);
                if (k <= a) lower += ways;
                if (k >= a) upper += ways;
            }
            const double want = fmin(1, 2 * fmin(lower, upper) / choose(32, a + b));
            assert_true(fabs(spread_same_share(a, 12, b, 20) - want) < 1e-9);
            assert_true(fabs(spread_same_share(b, 20, a, 12) - want) < 1e-9);
        }
    }
    assert_true(spread_same_share(50, 100, 500000, 1000000) > 0.9); // many
    assert_true(spread_same_share(100, 100, 500000, 1000000) < 1e-29);
}

// The paper's example, section 3.2: fifteen probabilities; the four smallest are marked at 0.05.
static void test_beyond_chance(void **state) {
    (void)state;
    static const double paper[] = {0.0459, 0.0001, 0.3240, 0.0004, NAN,    0.0019, 0.4262, 0.0095,
                                   0.0201, 0.0278, 0.0298, 0.0344, 0.5719, 0.6528, 0.7590, 1.000};
    enum { COUNT = sizeof paper / sizeof *paper };
    bool marked[COUNT];
    assert_true(spread_beyond_chance(paper, COUNT, 0.05, marked));
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(marked[i], paper[i] <= 0.0095);
    static const double none[] = {0.06, 0.9, NAN}, together[] = {0.049, 0.05, 0.05};
    assert_true(spread_beyond_chance(none, 3, 0.05, marked));
    assert_false(marked[0] || marked[1] || marked[2]);
    assert_true(spread_beyond_chance(together, 3, 0.05, marked)); // the last bound holds, so all do
    assert_true(marked[0] && marked[1] && marked[2]);
    assert_true(spread_beyond_chance(none, 0, 0.05, marked));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),     cmocka_unit_test(test_lanes_and_strangers),
                                       cmocka_unit_test(test_one_sample),  cmocka_unit_test(test_coverage),
                                       cmocka_unit_test(test_all_at_once), cmocka_unit_test(test_chance),
                                       cmocka_unit_test(test_same_share),  cmocka_unit_test(test_beyond_chance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
