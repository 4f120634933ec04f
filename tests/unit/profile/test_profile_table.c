// profile_table: sums by key against a plain list, growth far past the first capacity, order of rows.
#include "profile/profile_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define AT(pc) ((struct place){pc, 0})

static struct profile_table *table;

static int set_up(void **state) {
    (void)state;
    table = profile_table_create();
    return table ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    profile_table_destroy(table);
    return 0;
}

static void test_empty(void **state) {
    (void)state;
    size_t count = 99;
    assert_null(profile_table_rows(table, &count));
    assert_int_equal(count, 0);
    assert_int_equal(profile_table_total(table), 0);
    assert_true(profile_table_add(table, AT(0x1000), 1, 2, 0)); // no time: no row
    assert_null(profile_table_rows(table, &count));
    assert_int_equal(count, 0);
    profile_table_destroy(NULL);
}

static void expect_row(const struct profile_row *row, uint64_t pc, unsigned state, unsigned psv, uint64_t weight) {
    assert_int_equal(row->pc, pc);
    assert_int_equal(row->state, state);
    assert_int_equal(row->psv, psv);
    assert_int_equal(row->weight, weight);
}

static void test_keys_and_order(void **state) {
    (void)state;
    size_t count;
    assert_true(profile_table_add(table, AT(PROFILE_PC_END), 3, 0, 1));
    assert_true(profile_table_add(table, AT(0x2000), 0, 0, 5));
    assert_true(profile_table_add(table, AT(0x1000), 2, 0x1ff, 7));
    assert_true(profile_table_add(table, AT(0x1000), 2, 0, 11));
    assert_true(profile_table_add(table, AT(0x1000), 0, 0x100, 13));
    assert_true(profile_table_add(table, AT(0), 0, 0, 17));
    assert_true(profile_table_add(table, AT(0x2000), 0, 0, 19)); // the one key that comes twice
    const struct profile_row *rows = profile_table_rows(table, &count);
    assert_int_equal(count, 6);
    expect_row(&rows[0], 0, 0, 0, 17);
    expect_row(&rows[1], 0x1000, 0, 0x100, 13);
    expect_row(&rows[2], 0x1000, 2, 0, 11);
    expect_row(&rows[3], 0x1000, 2, 0x1ff, 7);
    expect_row(&rows[4], 0x2000, 0, 0, 24);
    expect_row(&rows[5], PROFILE_PC_END, 3, 0, 1);
    assert_int_equal(profile_table_total(table), 73);
}

// Weights beyond 32 bits: a long run on a wide core has that many units.
static void test_large_weights(void **state) {
    (void)state;
    size_t count;
    assert_true(profile_table_add(table, AT(4), 1, 0, UINT64_C(1) << 60));
    assert_true(profile_table_add(table, AT(4), 1, 0, (UINT64_C(1) << 60) + 1));
    expect_row(profile_table_rows(table, &count), 4, 1, 0, (UINT64_C(1) << 61) + 1);
    assert_int_equal(profile_table_total(table), (UINT64_C(1) << 61) + 1);
}

// Key i is worth i + 1 in its first round; every third key comes again.
static void test_growth(void **state) {
    (void)state;
    enum { KEYS = 100000 };
    uint64_t total = 0;
    size_t count;
    for (uint64_t i = 0; i < KEYS; i++) {
        assert_true(profile_table_add(table, AT(0x80000000 + 2 * (i / 8)), i & 3, (uint16_t)(i >> 2 & 1), i + 1));
        total += i + 1;
    }
    for (uint64_t i = 0; i < KEYS; i += 3) {
        assert_true(profile_table_add(table, AT(0x80000000 + 2 * (i / 8)), i & 3, (uint16_t)(i >> 2 & 1), 1000000));
        total += 1000000;
    }
    const struct profile_row *rows = profile_table_rows(table, &count);
    assert_int_equal(count, KEYS);
    assert_int_equal(profile_table_total(table), total);
    for (size_t k = 0; k < count; k++) {
        uint64_t i = k / 8 * 8 + (k / 2 & 3) + 4 * (k & 1); // rows go by pc, state, psv
        expect_row(&rows[k], 0x80000000 + 2 * (i / 8), i & 3, i >> 2 & 1, i + 1 + (i % 3 ? 0 : 1000000));
    }
}

// One key on many stacks: a row for each.
static void test_stacks(void **state) {
    (void)state;
    enum { MANY = 5000 };
    size_t count;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < MANY; i++)
            assert_true(profile_table_add_stack(table, AT(0x1000), i, 1, 2, i + 1));
    }
    assert_true(profile_table_add(table, AT(0x1000), 1, 2, 7)); // of stack 0
    const struct profile_row *rows = profile_table_rows(table, &count);
    assert_int_equal(count, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(rows[i].stack, i);
        assert_int_equal(rows[i].weight, 2 * (i + 1) + (i ? 0 : 7));
    }
}

// A small table grows like another one, and is empty once it is cleared.
static void test_small(void **state) {
    (void)state;
    struct profile_table *t = profile_table_create_small();
    for (uint64_t round = 0; round < 3; round++) {
        size_t count;
        for (uint64_t i = 0; i < 100; i++)
            assert_true(profile_table_add(t, (struct place){4 * i + round, 0}, 0, 0, 1 + i));
        assert_int_equal(profile_table_total(t), 5050);
        const struct profile_row *rows = profile_table_rows(t, &count);
        assert_int_equal(count, 100);
        assert_int_equal(rows[99].pc, 396 + round);
        profile_table_clear(t);
        assert_int_equal(profile_table_total(t), 0);
        assert_null(profile_table_rows(t, &count));
        assert_int_equal(count, 0);
    }
    profile_table_destroy(t);
}

static void test_order_of_places(void **state) {
    (void)state;
    const struct place sorted[] = {{1, 7}, {2, 0}, {2, 5}, {UINT64_MAX, 0}, {UINT64_MAX, UINT64_MAX}};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            assert_int_equal(place_order(sorted[i], sorted[k]), (i > k) - (i < k));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small),
                                       cmocka_unit_test(test_order_of_places),
                                       cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_keys_and_order, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_stacks, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_large_weights, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_growth, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
