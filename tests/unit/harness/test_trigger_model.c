// When the sampling counter must overflow: the jitter's shift register step by step, as worked out by hand from its
// polynomial, and the distances that are replaced.
#include "harness/trigger_model.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Distance to the trigger after the first one, which comes when the register has made `steps` steps since its seed.
static uint64_t second(uint64_t period, unsigned bits, uint32_t seed, unsigned steps) {
    struct trigger_model m;
    uint64_t started = 1000, first = started + period;
    trigger_model_start(
        &m, &(struct sampling_settings){.period = period, .jitter_bits = bits, .golden = false, .seed = seed},
        first - 1 - steps, started);
    assert_int_equal(m.next, first);
    trigger_model_advance(&m);
    return m.next - first;
}

static void test_periodic(void **state) {
    (void)state;
    struct trigger_model m;
    trigger_model_start(&m, &(struct sampling_settings){.period = 97, .jitter_bits = 0, .golden = false, .seed = 1}, 3,
                        7);
    for (uint64_t n = 1; n < 50; n++) {
        assert_int_equal(m.next, 7 + 97 * n);
        trigger_model_advance(&m);
    }
}

// x^32 + x^22 + x^2 + x + 1: shifted right, and taps at bits 31, 21, 1 and 0 where a one goes out.
//   00000001 -> 80200003 -> 40100001 ^ 80200003 = c0300002 -> 60180001 -> 300c0000 ^ 80200003 = b02c0003
//            -> 58160001 ^ 80200003 = d8360002
static void test_polynomial(void **state) {
    (void)state;
    static const uint32_t values[] = {0x00000001, 0x80200003, 0xc0300002, 0x60180001, 0xb02c0003, 0xd8360002};
    for (unsigned steps = 0; steps < 6; steps++) {
        assert_int_equal(second(100, 4, 1, steps), 100 - 8 + (values[steps] & 15));
        assert_int_equal(second(1000, 1, 1, steps), 1000 - 1 + (values[steps] & 1));
        assert_int_equal(second(UINT64_C(1) << 40, 32, 1, steps),
                         (UINT64_C(1) << 40) - (UINT64_C(1) << 31) + values[steps]);
    }
    assert_int_equal(second(100, 4, 0, 3), second(100, 4, 1, 3)); // a seed of 0 counts as 1
}

// The seed is the register's value in the cycle of the overflow.
static void test_distances(void **state) {
    (void)state;
    static const struct {
        uint64_t period;
        unsigned bits;
        uint32_t seed;
        uint64_t distance;
    } rows[] = {
        {64, 6, 1, 33},
        {64, 6, 63, 95},
        {97, 8, 128 - 81, 16}, // 97 - 81: the shortest
        {97, 8, 128 - 82, 97}, // one less: the period as it is
        {97, 8, 1, 97},        // below 0
        {97, 8, 255, 224},
        {997, 12, 1, 997},
        {997, 12, 2048 - 981, 16},
        {997, 12, 2048 - 982, 997},
        {16, 1, 0x2, 16}, // 15: too short
        {16, 1, 0x3, 16},
        {16, 4, 0xf, 23},
        {31, 5, 1, 16},
        {30, 5, 1, 30},
        {5, 0, 1, 16}, // no period is shorter
        {5, 3, 7, 16}, // 8: too short, and so is 5
        {5, 6, 63, 36},
        {UINT64_MAX, 4, 15, UINT64_MAX}, // beyond 2^64
        {UINT64_MAX, 4, 7, UINT64_MAX - 1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(second(rows[i].period, rows[i].bits, rows[i].seed, 0), rows[i].distance);
}

// The golden ratio by itself, (sqrt 5 - 1) / 2 as 0.6180339887498949: trigger k comes at k periods plus the whole part
// of 2^bits times the fractional part of k times the ratio; without bits, plus the whole part of k times the ratio.
static void test_golden(void **state) {
    (void)state;
    for (unsigned bits = 0; bits <= 12; bits++) {
        struct trigger_model m;
        trigger_model_start(&m,
                            &(struct sampling_settings){.period = 5000, .jitter_bits = bits, .golden = true, .seed = 0},
                            3, 7); // a seed of 0 counts as 1: 2^-32
        for (unsigned k = 1; k < 1000; k++) {
            double turns = (k - 1) * 0.6180339887498949, whole = (double)(uint64_t)turns;
            uint64_t offset = (uint64_t)(bits ? (turns - whole) * (1 << bits) : whole);
            assert_int_equal(m.next, 7 + UINT64_C(5000) * k + offset);
            trigger_model_advance(&m);
        }
    }
}

// Before and after: the offset is 12 of 16, then 5 with a turn, then 15, then 9 with one.
static void test_golden_distances(void **state) {
    (void)state;
    static const struct {
        uint64_t period;
        unsigned bits;
        uint32_t seed;
        uint64_t distance;
    } rows[] = {
        {100, 4, 0xc0000000, 93},                // 12 -> 5
        {100, 4, 0x5e3779b9, 110},               // 5 -> 15
        {100, 4, 0xfc6ef372, 94},                // 15 -> 9
        {100, 0, 0xc0000000, 101},               // a turn
        {100, 0, 0x5e3779b9, 100},               // none
        {22, 4, 0xc0000000, 22},                 // 15: too short
        {23, 4, 0xc0000000, 16},                 // just not
        {5, 4, 0xc0000000, 16},                  // below 0, and so short is no period
        {15, 0, 0xc0000000, 16},                 // a cycle more
        {14, 0, 0xc0000000, 16},                 //
        {UINT64_MAX, 0, 0xc0000000, UINT64_MAX}, // beyond 2^64
        {UINT64_MAX - 1, 0, 0xc0000000, UINT64_MAX},
        {UINT64_C(1) << 40, 32, 1, (UINT64_C(1) << 40) + 0x9e3779b9u},
        {UINT64_C(1) << 40, 32, 0xffffffff, (UINT64_C(1) << 40) - (0xffffffffu - 0x9e3779b8u)},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trigger_model m;
        trigger_model_start(
            &m,
            &(struct sampling_settings){
                .period = rows[i].period, .jitter_bits = rows[i].bits, .golden = true, .seed = rows[i].seed},
            3, 1000);
        uint64_t first = m.next;
        trigger_model_advance(&m);
        assert_int_equal(m.next - first, rows[i].distance);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periodic), cmocka_unit_test(test_polynomial),       cmocka_unit_test(test_distances),
        cmocka_unit_test(test_golden),   cmocka_unit_test(test_golden_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
