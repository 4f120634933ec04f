// What triggers are worth that keep step with a loop, by cases that can be worked out by hand.
#include "analysis/phases.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4000 };

struct triggers {
    size_t count;
    struct phase_trigger list[MOST];
};

// A trigger every `period` cycles; those of a loop of `length` find `by` cycles of it as one instruction.
static struct triggers *every(uint64_t period, size_t count, uint64_t length, uint64_t by) {
    struct triggers *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->count = count;
    for (size_t i = 0; i < count; i++)
        t->list[i] = (struct phase_trigger){1000 + i * period, (uint32_t)((1000 + i * period) % length / by), 1};
    return t;
}

// Frees them.
static struct phases judged(struct triggers *t, double shortest, double longest) {
    struct phases found;
    bool tried;
    assert_true(phases_judge(t->list, t->count, shortest, longest, &tried, &found));
    assert_true(tried);
    free(t);
    return found;
}

static void expect(struct phases found, uint32_t length, double draws) {
    if (fabs(found.draws - draws) > 0.02 * draws) print_error("%f draws, not %f\n", found.draws, draws);
    assert_int_equal(found.length, length);
    assert_true(fabs(found.draws - draws) <= 0.02 * draws);
}

// All have one phase: one draw, however many there are; also where nothing but that instruction is ever found.
static void test_one_phase(void **state) {
    (void)state;
    expect(judged(every(97, 10, 97, 1), 96.2, 97.7), 97, 1);
    expect(judged(every(97, 3000, 97, 1), 96.9, 97.1), 97, 1);
    expect(judged(every(291, 500, 97, 1), 96.2, 97.7), 97, 1);
}

// Half the rounds take a cycle more: in step with two of them.
static void test_two_rounds(void **state) {
    (void)state;
    expect(judged(every(195, 400, 195, 1), 97.2, 97.8), 195, 1);
}

// Four phases, as far apart as the period goes into the loop: 4 of 400 cycles. With s = 1/4 the design effect is
// (1/4 - 1/400) / (1 - 1/400) of each trigger.
static void test_few_phases(void **state) {
    (void)state;
    expect(judged(every(100, 4000, 400, 1), 399.5, 400.5), 400, 1 / ((0.25 - 0.0025) / 0.9975));
}

// 97 and 100 have no factor in common: each phase is met as often. So is it where rounds are not whole cycles long.
static void test_all_phases(void **state) {
    (void)state;
    expect(judged(every(97, 1000, 100, 1), 99.5, 100.4), 0, 1000);
    expect(judged(every(97, 1000, 100, 1), 96.5, 100.4), 0, 1000);
    expect(judged(every(97, 1000, 97, 1), 97.1, 97.2), 0, 1000);
}

// Two visits, each in step from another phase on: two draws. A visit to each trigger: they are independent.
static void test_visits(void **state) {
    (void)state;
    struct triggers *t = every(97, 1000, 97, 1);
    for (size_t i = 500; i < t->count; i++)
        t->list[i] = (struct phase_trigger){t->list[i].cycle + 31, 5, 2};
    expect(judged(t, 96.5, 97.5), 97, 2);
    t = every(97, 1000, 97, 1);
    for (size_t i = 0; i < t->count; i++)
        t->list[i].visit = (uint32_t)i;
    expect(judged(t, 96.5, 97.5), 0, 1000);
}

// The mean of the rounds is the period, but what is found does not follow from the phase: rounds differ.
static void test_rounds_that_differ(void **state) {
    (void)state;
    struct triggers *t = every(97, 1000, 97, 1);
    uint32_t random = 1;
    for (size_t i = 0; i < t->count; i++)
        t->list[i].found = (random = random * 1664525 + 1013904223) >> 28;
    expect(judged(t, 96.5, 97.5), 0, 1000);
}

// The first half of the cycles only, each as often as another: pairs have one phase with 1/32, where 1/64 is chance.
static void test_half(void **state) {
    (void)state;
    struct triggers *t = every(64, 3200, 64, 1);
    for (size_t i = 0; i < t->count; i++) {
        t->list[i].cycle = 64 * i + i % 32;
        t->list[i].found = (uint32_t)(i % 32);
    }
    expect(judged(t, 63.9, 64.1), 64, 1 / ((1.0 / 32 - 1.0 / 64) / (1 - 1.0 / 64)));
}

// The first rounds take longer, and find other instructions: the rest is in step all the same.
static void test_cold(void **state) {
    (void)state;
    struct triggers *t = every(97, 100, 97, 1);
    for (size_t i = 0; i < 12; i++)
        t->list[i].found = 1000 + (uint32_t)i;
    expect(judged(t, 96.5, 102), 97, 1);
}

// Nothing is reported: bounds too far apart, a round too long.
static void test_not_tried(void **state) {
    (void)state;
    struct triggers *t = every(97, 100, 97, 1);
    struct phases found;
    bool tried = true;
    assert_true(phases_judge(t->list, t->count, 100, 1200, &tried, &found));
    assert_false(tried);
    assert_true(found.length == 0 && found.draws == 100);
    tried = true;
    assert_true(phases_judge(t->list, t->count, 70000, 70001, &tried, &found));
    assert_false(tried);
    free(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_phase),          cmocka_unit_test(test_two_rounds), cmocka_unit_test(test_few_phases),
        cmocka_unit_test(test_all_phases),         cmocka_unit_test(test_visits),     cmocka_unit_test(test_half),
        cmocka_unit_test(test_rounds_that_differ), cmocka_unit_test(test_cold),       cmocka_unit_test(test_not_tried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
