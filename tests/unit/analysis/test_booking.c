// Booking and error, with sums done by hand.
#include "analysis/analysis.h"
#include "events.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { A = 0x80000000, B = 0x80000004, C = 0x80000008, D = 0x8000000c };

static void expect(struct profile_table *t, const struct profile_row *expected, size_t expected_count) {
    size_t count;
    const struct profile_row *rows = profile_table_rows(t, &count);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < expected_count; i++) {
        assert_true(rows[i].pc == expected[i].pc);
        assert_int_equal(rows[i].context, expected[i].context);
        assert_int_equal(rows[i].state, expected[i].state);
        assert_int_equal(rows[i].psv, expected[i].psv);
        assert_int_equal(rows[i].weight, expected[i].weight);
    }
}

static void test_states(void **state) {
    (void)state;
    struct sample_record r[] = {
        // 10 cycles, three committing: 120 units, 40 each. Lane 2 (D) is not valid: what it holds is nobody's.
        {.cycle = 10,
         .cycles = 10,
         .sample = {STATE_COMPUTING, 0xb, 1, {A, B, D, A}, {0, 0x40, 0x1ff, 0}, 0, 0, 0, 3, 0}},
        // 7 cycles on the oldest, in lane 2
        {.cycle = 17, .cycles = 7, .sample = {STATE_STALLED, 0x4, 2, {A, A, C, A}, {1, 1, 0x140, 1, 3}, 0, 0, 0, 3, 0}},
        // 5 cycles on the offending instruction
        {.cycle = 22, .cycles = 5, .sample = {STATE_FLUSHED, 0x1, 0, {B}, {0x8}, 0, 0, 1, 3, 0}},
        // 3 cycles on the one that came next
        {.cycle = 25, .cycles = 3, .sample = {STATE_DRAINED, 0x1, 0, {A}, {1}, 0, 0, 0, 3, 0}},
        // 2 cycles for which none came
        {.cycle = 27, .cycles = 2, .sample = {STATE_DRAINED, 0, 0, {A}, {1}, 0, 0, 0, 3, 0}},
        // 10 cycles more like the first two: the same rows
        {.cycle = 37, .cycles = 10, .sample = {STATE_STALLED, 0x1, 0, {C}, {0x140}, 0, 0, 0, 3, 0}},
    };
    const struct profile_row expected[] = {
        {A, STATE_COMPUTING, 0, 80, 3, 0},    {A, STATE_DRAINED, 1, 36, 3, 0},
        {B, STATE_COMPUTING, 0x40, 40, 3, 0}, {B, STATE_FLUSHED, 8, 60, 3, 0},
        {C, STATE_STALLED, 0x140, 204, 3, 0}, {PROFILE_PC_END, STATE_DRAINED, 0, 24, 0, 0},
    };
    struct profile_table *t = profile_table_create();
    assert_true(booking_add_samples(t, r, 6, 12));
    expect(t, expected, 6);
    assert_int_equal(profile_table_total(t), 37 * 12); // conservation: all cycles up to the last sample
    profile_table_destroy(t);
}

// Two executions of one instruction in a cycle are two shares.
static void test_same_twice(void **state) {
    (void)state;
    struct sample_record r = {
        .cycle = 4, .cycles = 4, .sample = {STATE_COMPUTING, 0x7, 0, {A, B, A}, {0}, 0, 0, 0, 3, 0}};
    const struct profile_row expected[] = {{A, STATE_COMPUTING, 0, 16, 3, 0}, {B, STATE_COMPUTING, 0, 8, 3, 0}};
    struct profile_table *t = profile_table_create();
    assert_true(booking_add_samples(t, &r, 1, 6));
    expect(t, expected, 2);
    profile_table_destroy(t);
}

static void test_indivisible(void **state) {
    (void)state;
    struct sample_record r = {
        .cycle = 4, .cycles = 4, .sample = {STATE_COMPUTING, 0x7, 0, {A, B, C}, {0}, 0, 0, 0, 3, 0}};
    struct profile_table *t = profile_table_create();
    assert_false(booking_add_samples(t, &r, 1, 2));
    profile_table_destroy(t);
}

static void test_aggregate(void **state) {
    (void)state;
    const struct profile_row rows[] = {{A, STATE_COMPUTING, 0, 1, 3, 0},
                                       {A, STATE_STALLED, 0x140, 2, 3, 0},
                                       {B, STATE_STALLED, 0x40, 4, 3, 0},
                                       {PROFILE_PC_END, STATE_DRAINED, 0, 8, 0, 0}};
    const struct profile_row application[] = {{0, STATE_COMPUTING, 0, 1, 0, 0},
                                              {0, STATE_STALLED, 0x40, 6, 0, 0},
                                              {PROFILE_PC_END, STATE_DRAINED, 0, 8, 0, 0}};
    struct profile_table *t = booking_aggregate(rows, 4, NULL, BY_APPLICATION, 1u << EVENT_ST_L1);
    assert_non_null(t);
    expect(t, application, 3);
    profile_table_destroy(t);
}

// One address in two address spaces, and in two modes of one, is three places; the application is the address space.
static void test_contexts(void **state) {
    (void)state;
    const uint64_t user5 = place_context(MODE_USER, 5), user6 = place_context(MODE_USER, 6),
                   kernel5 = place_context(MODE_SUPERVISOR, 5);
    struct sample_record r[4] = {{.cycles = 1}, {.cycles = 2}, {.cycles = 4}, {.cycles = 8}};
    const uint64_t contexts[] = {user5, user6, kernel5, user5};
    for (int i = 0; i < 4; i++)
        r[i].sample = (struct sample){.state = STATE_STALLED,
                                      .valid = 1,
                                      .addr = {A},
                                      .priv = (uint8_t)place_mode(contexts[i]),
                                      .space = place_space(contexts[i])};
    const struct profile_row expected[] = {
        {A, STATE_STALLED, 0, 9, user5, 0}, {A, STATE_STALLED, 0, 4, kernel5, 0}, {A, STATE_STALLED, 0, 2, user6, 0}};
    const struct profile_row application[] = {{0, STATE_STALLED, 0, 13, user5, 0}, {0, STATE_STALLED, 0, 2, user6, 0}};
    struct profile_table *t = profile_table_create();
    assert_true(booking_add_samples(t, r, 4, 1));
    expect(t, expected, 3);
    struct profile_table *a = booking_aggregate(expected, 3, NULL, BY_APPLICATION, 0);
    expect(a, application, 2);
    profile_table_destroy(a);
    profile_table_destroy(t);
    // A profiler that gives user6's time to user5 has that much error, at every granularity.
    const struct profile_row mixed[] = {{A, STATE_STALLED, 0, 11, user5, 0}, {A, STATE_STALLED, 0, 4, kernel5, 0}};
    for (int g = 0; g < GRANULARITY_COUNT; g++) {
        struct profile_error e;
        assert_true(error_compute(mixed, 2, expected, 3, NULL, (enum granularity)g, 0, &e));
        assert_int_equal(e.total - e.correct, 2);
    }
}

static struct profile_error error_of(const struct profile_row *c, size_t nc, const struct profile_row *r, size_t nr,
                                     enum granularity g, uint16_t mask) {
    struct profile_error e;
    assert_true(error_compute(c, nc, r, nr, NULL, g, mask, &e));
    return e;
}

static void test_error(void **state) {
    (void)state;
    // The reference: A 60, B 30, C 10 of 100. The profile: A 50, B 40, D 5: 95 of them.
    const struct profile_row r[] = {{A, STATE_COMPUTING, 0, 20, 3, 0},
                                    {A, STATE_STALLED, 0x40, 40, 3, 0},
                                    {B, STATE_STALLED, 0, 30, 3, 0},
                                    {C, STATE_FLUSHED, 8, 10, 3, 0}};
    const struct profile_row c[] = {{A, STATE_COMPUTING, 0, 40, 3, 0},
                                    {A, STATE_STALLED, 0x40, 10, 3, 0},
                                    {B, STATE_COUNT, 0, 40, 3, 0},
                                    {D, STATE_FLUSHED, 8, 5, 3, 0}};
    struct profile_error e = error_of(c, 4, r, 4, BY_INSTRUCTION, 0);
    assert_int_equal(e.total, 100);
    assert_int_equal(e.booked, 95);
    assert_int_equal(e.correct, 50 + 30); // states are no components
    assert_true(e.error == 0.2);
    // With events: A without 20, A with ST_L1 10, B 30
    e = error_of(c, 4, r, 4, BY_INSTRUCTION, 0x1ff);
    assert_int_equal(e.correct, 20 + 10 + 30);
    assert_true(e.error == 0.4);
    // Projected onto FL_MB alone: A without 50, B 30
    e = error_of(c, 4, r, 4, BY_INSTRUCTION, 1u << EVENT_FL_MB);
    assert_int_equal(e.correct, 80);
    // As one application only what was not booked is wrong.
    e = error_of(c, 4, r, 4, BY_APPLICATION, 0);
    assert_int_equal(e.correct, 95);
    assert_true(e.error == 0.05);
    // Of itself
    e = error_of(r, 4, r, 4, BY_INSTRUCTION, 0x1ff);
    assert_true(e.error == 0);
    // Of nothing
    e = error_of(NULL, 0, r, 4, BY_INSTRUCTION, 0);
    assert_true(e.error == 1);
    e = error_of(c, 4, NULL, 0, BY_INSTRUCTION, 0);
    assert_true(e.error == 0);
}

// Rows in any order: the sorted walk is the function's own business.
static void test_unsorted(void **state) {
    (void)state;
    const struct profile_row r[] = {{C, 0, 0, 5, 3, 0}, {A, 0, 0, 5, 3, 0}, {B, 0, 0, 10, 3, 0}},
                             c[] = {{B, 1, 0, 10, 3, 0}, {C, 0, 0, 10, 3, 0}};
    struct profile_error e = error_of(c, 2, r, 3, BY_INSTRUCTION, 0);
    assert_int_equal(e.correct, 15);
    assert_true(e.error == 0.25);
}

// A Drained sample that stands for four triggers, two of them after its instruction had entered the ROB and stalled
// there.
static void test_repeats(void **state) {
    (void)state;
    struct sample_record r = {.cycles = 40, .stalled_cycles = 15, .repeats = 1, .stalled = 2};
    r.sample.state = STATE_DRAINED;
    r.sample.valid = 1;
    r.sample.addr[0] = A;
    r.sample.psv[0] = 5;
    struct profile_table *t = profile_table_create();
    assert_true(booking_add_samples(t, &r, 1, 12));
    size_t count;
    const struct profile_row *rows = profile_table_rows(t, &count);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].state, STATE_STALLED);
    assert_int_equal(rows[0].weight, 15 * 12);
    assert_int_equal(rows[1].state, STATE_DRAINED);
    assert_int_equal(rows[1].weight, 25 * 12);
    assert_int_equal(rows[0].pc, A);
    assert_int_equal(rows[0].psv, 5);
    profile_table_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),    cmocka_unit_test(test_same_twice), cmocka_unit_test(test_indivisible),
        cmocka_unit_test(test_aggregate), cmocka_unit_test(test_error),      cmocka_unit_test(test_unsorted),
        cmocka_unit_test(test_repeats),   cmocka_unit_test(test_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
