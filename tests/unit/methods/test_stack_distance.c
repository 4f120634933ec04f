// Stack distances beside a plain list of lines in LRU order, on random streams; buckets by hand.
#include "methods/regions/stack_distance.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 3000, ACCESSES = 60000 };

// The list: the line that was accessed last comes first.
struct list {
    uint64_t lines[MOST];
    size_t count;
};
static uint64_t list_access(struct list *l, uint64_t line) {
    size_t at = 0;
    while (at < l->count && l->lines[at] != line)
        at++;
    const uint64_t distance = at == l->count ? STACK_DISTANCE_COLD : at;
    if (at == l->count) l->count++;
    memmove(l->lines + 1, l->lines, at * sizeof *l->lines);
    l->lines[0] = line;
    return distance;
}

// Of few lines, and of more than there are times at first: near lines are likelier than far ones.
static void test_random(void **state) {
    (void)state;
    static struct list list;
    static const unsigned spans[] = {1, 2, 3, 70, 500, MOST};
    for (unsigned seed = 1; seed <= sizeof spans / sizeof *spans; seed++) {
        const unsigned span = spans[seed - 1];
        unsigned random = seed;
        list.count = 0;
        struct stack_distance *s = stack_distance_create();
        assert_non_null(s);
        uint64_t cold = 0;
        for (unsigned i = 0; i < ACCESSES; i++) {
            unsigned line = (unsigned)rand_r(&random) % span;
            if (rand_r(&random) % 2) line %= 1 + (unsigned)rand_r(&random) % span;
            const uint64_t number = (uint64_t)line * UINT64_C(0x123456789) + seed;
            const uint64_t distance = stack_distance_access(s, number), expected = list_access(&list, number);
            if (distance != expected)
                fail_msg("seed %u: access %u: distance %llu, not %llu", seed, i, (unsigned long long)distance,
                         (unsigned long long)expected);
            cold += distance == STACK_DISTANCE_COLD;
        }
        assert_int_equal(cold, list.count);
        assert_true(stack_distance_whole(s));
        stack_distance_destroy(s);
    }
}

// Round and round through N lines: each is N - 1 lines back. Through times that run out a hundred times.
static void test_rounds(void **state) {
    (void)state;
    for (uint64_t lines = 1; lines <= 100000; lines *= 10) {
        struct stack_distance *s = stack_distance_create();
        for (uint64_t i = 0; i < 600000; i++)
            assert_int_equal(stack_distance_access(s, i % lines), i < lines ? STACK_DISTANCE_COLD : lines - 1);
        stack_distance_destroy(s);
    }
}

static void test_buckets(void **state) {
    (void)state;
    static const struct {
        uint64_t distance;
        size_t bucket;
    } rows[] = {{0, 0}, {1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {8, 4}, {UINT32_MAX, 32}, {STACK_DISTANCE_COLD, 33}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(stack_distance_bucket(rows[i].distance), rows[i].bucket);
    assert_int_equal(STACK_DISTANCE_BUCKETS, 34);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_rounds),
                                       cmocka_unit_test(test_buckets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
