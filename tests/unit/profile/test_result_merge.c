// Merging of results: each rule on fields made by hand, rows by their keys, lists one after the other, and what is no
// one result. Expected values are worked out by hand.
#include "profile/place.h"
#include "profile/result_merge.h"
#include "results.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct row {
    uint64_t large;
    uint16_t small;
    double real;
    char text[8];
    struct place place;
};

static struct result_field field(enum result_type type, enum result_merge merge) {
    struct result_field f = {.type = type, .merge = merge, .offset = offsetof(struct row, large), .bytes = 8};
    f.most = UINT64_MAX;
    if (type == RESULT_REAL) f.offset = offsetof(struct row, real);
    if (type == RESULT_TEXT) f.offset = offsetof(struct row, text);
    if (type == RESULT_PLACE) f.offset = offsetof(struct row, place);
    return f;
}

static void test_rules(void **state) {
    (void)state;
    static const struct {
        enum result_merge merge;
        uint64_t a, b, expected;
        enum result_merged merged;
    } cases[] = {
        {RESULT_MERGE_SUM, 7, 5, 12, RESULT_MERGED}, {RESULT_MERGE_SUM, UINT64_MAX, 1, UINT64_MAX, RESULT_TOO_LARGE},
        {RESULT_MERGE_MAX, 7, 5, 7, RESULT_MERGED},  {RESULT_MERGE_MAX, 5, 7, 7, RESULT_MERGED},
        {RESULT_MERGE_MIN, 7, 5, 5, RESULT_MERGED},  {RESULT_MERGE_MIN, 5, 7, 5, RESULT_MERGED},
        {RESULT_MERGE_LAST, 7, 5, 5, RESULT_MERGED}, {RESULT_MERGE_LAST, 5, 7, 7, RESULT_MERGED},
        {RESULT_MERGE_NONE, 7, 7, 7, RESULT_MERGED}, {RESULT_MERGE_NONE, 7, 5, 7, RESULT_APART},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct row a = {.large = cases[i].a, .real = (double)cases[i].a},
                   b = {.large = cases[i].b, .real = (double)cases[i].b};
        const struct result_field whole = field(RESULT_NUMBER, cases[i].merge),
                                  real = field(RESULT_REAL, cases[i].merge);
        assert_int_equal(result_merge_field(&whole, &a, &b), cases[i].merged);
        assert_int_equal(a.large, cases[i].expected);
        if (cases[i].merged == RESULT_TOO_LARGE) continue;
        assert_int_equal(result_merge_field(&real, &a, &b), cases[i].merged);
        assert_true(a.real == (double)cases[i].expected);
    }
}

// A sum of fractions is one, too.
static void test_real(void **state) {
    (void)state;
    const struct result_field f = field(RESULT_REAL, RESULT_MERGE_SUM);
    struct row a = {.real = DBL_MAX}, b = {.real = DBL_MAX};
    assert_int_equal(result_merge_field(&f, &a, &b), RESULT_TOO_LARGE);
    assert_true(a.real == DBL_MAX);
    a.real = b.real = -DBL_MAX;
    assert_int_equal(result_merge_field(&f, &a, &b), RESULT_TOO_LARGE);
    b.real = DBL_MAX;
    assert_int_equal(result_merge_field(&f, &a, &b), RESULT_MERGED);
    assert_true(a.real == 0);
}

// A field of two bytes holds no more; the bytes beside it stay.
static void test_small(void **state) {
    (void)state;
    struct result_field f = {.type = RESULT_NUMBER,
                             .merge = RESULT_MERGE_SUM,
                             .offset = offsetof(struct row, small),
                             .bytes = 2,
                             .most = UINT16_MAX};
    struct row a = {.large = UINT64_MAX, .small = 65000, .real = 1}, b = {.small = 535};
    assert_int_equal(result_merge_field(&f, &a, &b), RESULT_MERGED);
    assert_int_equal(a.small, 65535);
    assert_true(a.large == UINT64_MAX && a.real == 1);
    assert_int_equal(result_merge_field(&f, &a, &b), RESULT_TOO_LARGE);
    assert_int_equal(a.small, 65535);
}

static void test_texts_and_places(void **state) {
    (void)state;
    struct row a = {.text = "tea4", .place = {1, 2}}, b = {.text = "tea4", .place = {1, 2}};
    const struct result_field text = field(RESULT_TEXT, RESULT_MERGE_NONE),
                              place = field(RESULT_PLACE, RESULT_MERGE_NONE);
    b.text[6] = 'x'; // after the end
    assert_int_equal(result_merge_field(&text, &a, &b), RESULT_MERGED);
    assert_int_equal(result_merge_field(&place, &a, &b), RESULT_MERGED);
    b.text[3] = '2';
    b.place.context = 3;
    assert_int_equal(result_merge_field(&text, &a, &b), RESULT_APART);
    assert_int_equal(result_merge_field(&place, &a, &b), RESULT_APART);
}

// ---- results ----
static void put_jumps(struct results *r, const struct jump *jumps, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_true(results_add_jump(r, &jumps[i]));
}

static void test_tables(void **state) {
    (void)state;
    const struct place p = {0x80000000, 3}, q = {0x80000004, 3}, user = {0x80000000, 0};
    struct results *a = results_create(), *b = results_create();
    struct error err;
    put_jumps(a, (const struct jump[]){{p, q, 5}, {q, p, 7}}, 2);
    put_jumps(b, (const struct jump[]){{q, p, 30}, {user, q, 1}}, 2);
    assert_true(results_add_tag_limit(a, &(struct tag_limit){9}) && results_add_tag_limit(b, &(struct tag_limit){4}));
    assert_true(results_add_lost_triggers(b, &(struct lost_triggers){2})); // of one of them alone
    results_keep(b, RESULT_WAIT);
    assert_true(results_merge(a, b, &err));
    size_t count;
    const struct jump *jumps = results_jump(a, &count);
    assert_int_equal(count, 3);
    assert_int_equal(jumps[0].executions, 5);
    assert_int_equal(jumps[1].executions, 37);
    assert_true(jumps[2].executions == 1 && place_equal(jumps[2].from, user));
    assert_int_equal(results_tag_limit(a)->tags, 9);
    assert_int_equal(results_lost_triggers(a)->collisions, 2);
    assert_true(results_known(a, RESULT_WAIT));
    assert_int_equal(results_jump(b, &count)[0].executions, 30); // which stays
    results_destroy(a);
    results_destroy(b);
}

// More rows than an index has at first; twice the same add up to the double.
static void test_many(void **state) {
    (void)state;
    enum { ROWS = 5000 };
    struct results *a = results_create(), *b = results_create();
    struct error err;
    for (uint64_t i = 0; i < ROWS; i++)
        put_jumps(b, &(struct jump){{2 * i, 3}, {i % 7, i % 3}, i + 1}, 1);
    assert_true(results_merge(a, b, &err) && results_merge(a, b, &err));
    size_t count;
    const struct jump *jumps = results_jump(a, &count);
    assert_int_equal(count, ROWS);
    for (uint64_t i = 0; i < ROWS; i++)
        assert_true(jumps[i].from.pc == 2 * i && jumps[i].executions == 2 * (i + 1));
    results_destroy(a);
    results_destroy(b);
}

// Rows of lists follow on each other, and so do those that belong to them.
static void test_lists(void **state) {
    (void)state;
    struct results *a = results_create(), *b = results_create();
    struct error err;
    assert_true(results_add_route(a, &(struct route){true, {0, 1}}));
    assert_true(results_add_route_step(a, &(struct route_step){1, 2}));
    assert_true(results_add_route(b, &(struct route){true, {0, 2}}));
    assert_true(results_add_route_step(b, &(struct route_step){3, 4}));
    assert_true(results_add_route_step(b, &(struct route_step){5, 6}));
    assert_true(results_merge(a, b, &err) && results_settle(a));
    size_t count, steps;
    const struct route *routes = results_route(a, &count);
    const struct route_step *step = results_route_step(a, &steps);
    assert_int_equal(count, 2);
    assert_int_equal(steps, 3);
    assert_true(routes[1].steps.first == 1 && routes[1].steps.count == 2 && step[routes[1].steps.first].from == 3);
    results_destroy(a);
    results_destroy(b);
}

// Collections of other periods are not one; nor is it with a third of the first one's periods.
static void test_apart(void **state) {
    (void)state;
    struct results *to = results_create(), *runs[3];
    struct error err;
    for (unsigned i = 0; i < 3; i++) {
        runs[i] = results_create();
        assert_true(results_add_collection(runs[i], &(struct collection){i == 1 ? 200 : 100, 101, 16, 0, 5, 6}));
    }
    assert_true(results_merge(to, runs[0], &err) && results_merge(to, runs[2], &err));
    assert_int_equal(results_collection(to)->retired, 10);
    assert_true(results_merge(to, runs[1], &err) && !results_known(to, RESULT_COLLECTION));
    assert_true(results_merge(to, runs[0], &err) && !results_known(to, RESULT_COLLECTION));
    assert_true(results_apart(to, RESULT_COLLECTION) && !results_apart(to, RESULT_JUMP));
    for (unsigned i = 0; i < 3; i++)
        results_destroy(runs[i]);
    results_destroy(to);
}

static void test_too_large(void **state) {
    (void)state;
    struct results *a = results_create();
    struct error err = {""};
    assert_true(results_add_lost_triggers(a, &(struct lost_triggers){UINT64_MAX}));
    assert_false(results_merge(a, a, &err));
    assert_string_equal(err.text, "result lost_triggers, field collisions: the sum is too large: merge fewer");
    results_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),    cmocka_unit_test(test_real),
                                       cmocka_unit_test(test_small),    cmocka_unit_test(test_texts_and_places),
                                       cmocka_unit_test(test_tables),   cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_lists),    cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_too_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
