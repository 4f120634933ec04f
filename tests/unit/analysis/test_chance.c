// What chance makes of a profile: the binomial's mean deviation against sums over all its values, an error against all
// ways in which a few draws may fall, and against drawing often.
#include "analysis/chance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { A = 0x1000, B = 0x2000, U = 12 };
static const struct sample_record a = {.cycles = 8, .sample = {.valid = 1, .addr = {A}}};
static const struct sample_record b = {.cycles = 8, .sample = {.valid = 1, .addr = {B}}};
static const struct sample_record both = {.cycles = 8, .sample = {.valid = 3, .addr = {A, B}}};

static double choose(unsigned n, unsigned k) {
    double ways = 1;
    for (unsigned i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

static void test_binomial(void **state) {
    (void)state;
    static const double probabilities[] = {0, 1e-9, 0.01, 0.2, 1.0 / 3, 0.5, 0.75, 0.999, 1};
    for (unsigned n = 1; n <= 50; n++) {
        for (size_t i = 0; i < sizeof probabilities / sizeof *probabilities; i++) {
            const double p = probabilities[i];
            double sum = 0;
            for (unsigned k = 0; k <= n; k++)
                sum += choose(n, k) * pow(p, k) * pow(1 - p, n - k) * fabs(k - n * p);
            assert_true(fabs(chance_binomial(n, p) - sum) < 1e-10 * n);
        }
    }
    // Many draws: sqrt(2/pi) standard deviations; few hits: twice that of none at all.
    assert_true(fabs(chance_binomial(1e6, 0.3) / sqrt(2 / M_PI * 1e6 * 0.3 * 0.7) - 1) < 1e-5);
    assert_true(fabs(chance_binomial(1e6, 1e-9) / 2e-3 - 1) < 2e-3);
}

static struct chance_estimate estimate(struct chance *c, const struct profile_row *rows, size_t count) {
    struct chance_estimate e;
    assert_true(chance_of(c, rows, count, &e));
    chance_destroy(c);
    return e;
}

// Two units that never commit together: with N draws the error is |k/N - p|, k binomial.
static void test_two_units(void **state) {
    (void)state;
    static const struct profile_row oracle[] = {{.pc = A, .state = STATE_COMPUTING, .weight = 2 * U},
                                                {.pc = A, .state = STATE_STALLED, .weight = U},
                                                {.pc = B, .weight = 7 * U}};
    struct chance *c = chance_create(NULL, BY_INSTRUCTION, 0);
    struct sample_record three = a;
    three.repeats = 1, three.stalled = 1;
    assert_true(chance_add(c, U, &three.sample, samples_periods(&three)) && chance_add(c, U, &b.sample, 1));
    const struct chance_estimate e = estimate(c, oracle, 3);
    double mean = 0, square = 0;
    for (unsigned k = 0; k <= 4; k++) {
        const double often = choose(4, k) * pow(0.3, k) * pow(0.7, 4 - k), error = fabs(k / 4.0 - 0.3);
        mean += often * error;
        square += often * error * error;
    }
    assert_true(e.draws == 4 && fabs(e.error - mean) < 1e-12);
    // The two deviate as one, which the estimate does not know: between that and half of its variance.
    const double deviation = sqrt(square - mean * mean);
    assert_true(e.deviation > deviation / sqrt(2.1) && e.deviation < deviation * 1.01);
}

// Vectors make components, but only those of the events that are asked for; nothing: no time, or no samples.
static void test_events_and_nothing(void **state) {
    (void)state;
    static const struct profile_row oracle[] = {{.pc = A, .psv = 1, .weight = 3 * U},
                                                {.pc = A, .psv = 2, .weight = 7 * U}};
    static const uint16_t masks[] = {0, 1, 4};
    for (size_t i = 0; i < 3; i++) {
        struct chance *c = chance_create(NULL, BY_INSTRUCTION, masks[i]);
        assert_true(chance_add(c, U, &a.sample, 1));
        assert_true(fabs(estimate(c, oracle, 2).error - (masks[i] == 1 ? 0.42 : 0)) < 1e-12); // 2 p (1 - p)
    }
    const struct chance_estimate none = estimate(chance_create(NULL, BY_INSTRUCTION, 0), oracle, 2);
    assert_true(none.draws == 0 && none.error == 0);
    struct chance *c = chance_create(NULL, BY_INSTRUCTION, 0);
    assert_true(chance_add(c, U, &a.sample, 1));
    assert_true(estimate(c, NULL, 0).error == 0);
}

// xorshift64 (Marsaglia): the same numbers on every machine.
static double uniform(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return (double)(*x >> 11) * 0x1p-53;
}

// A alone 0.2 of the time, B alone 0.3, both together 0.5: p of A is 0.45. The share of a draw that A has is not always
// the same: its first two moments are, and the mean over 4,000 profiles of 200 draws is within 4 % of what is foretold.
static void test_together(void **state) {
    (void)state;
    enum { RUNS = 4000, DRAWS = 200 };
    static const struct profile_row oracle[] = {{.pc = A, .weight = 45 * U}, {.pc = B, .weight = 55 * U}};
    uint64_t x = 88172645463325252u;
    double mean = 0, square = 0, foretold = 0, deviation = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        struct chance *c = chance_create(NULL, BY_INSTRUCTION, 0);
        double share = 0;
        for (unsigned i = 0; i < DRAWS; i++) {
            const double which = uniform(&x);
            share += which < 0.2 ? 1 : which < 0.5 ? 0 : 0.5;
            assert_true(chance_add(c, U, which < 0.2 ? &a.sample : which < 0.5 ? &b.sample : &both.sample, 1));
        }
        const struct chance_estimate e = estimate(c, oracle, 2);
        const double error = fabs(share / DRAWS - 0.45);
        mean += error / RUNS;
        square += error * error / RUNS;
        foretold += e.error / RUNS;
        deviation += e.deviation / RUNS;
    }
    print_message("error %.5f, %.5f foretold; it varies by %.5f, %.5f foretold\n", mean, foretold,
                  sqrt(square - mean * mean), deviation);
    assert_true(fabs(mean / foretold - 1) < 0.04);
    assert_true(sqrt(square - mean * mean) < 1.25 * deviation);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_binomial), cmocka_unit_test(test_two_units),
                                       cmocka_unit_test(test_events_and_nothing), cmocka_unit_test(test_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
