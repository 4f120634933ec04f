// The event queue against a sorted list: order by cycle, then by entry; nothing before its time.
#include "harness/timeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CAPACITY = 50 };

static void test_order_of_entry(void **state) {
    (void)state;
    struct timeline *t = timeline_create(4);
    struct event event;
    assert_true(timeline_next(t) == UINT64_MAX);
    assert_false(timeline_take(t, UINT64_MAX - 1, &event));
    const uint64_t cycles[] = {7, 5, 7, 5};
    const uint32_t order[] = {1, 3, 0, 2};
    for (uint32_t i = 0; i < 4; i++)
        timeline_add(t, (struct event){.cycle = cycles[i], .kind = 9, .who = i, .flags = 10 + i});
    assert_int_equal(timeline_next(t), 5);
    assert_false(timeline_take(t, 4, &event));
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(timeline_take(t, 7, &event));
        assert_int_equal(event.who, order[i]);
        assert_int_equal(event.flags, 10 + order[i]);
        assert_int_equal(event.kind, 9);
        assert_int_equal(event.cycle, cycles[order[i]]);
    }
    assert_true(timeline_next(t) == UINT64_MAX);
    timeline_destroy(t);
}

static void test_random(void **state) {
    (void)state;
    struct timeline *t = timeline_create(CAPACITY);
    uint64_t random = 88172645463325252u, now = 0;
    uint64_t due[CAPACITY * 100];
    bool taken[CAPACITY * 100] = {false};
    uint32_t added = 0, inside = 0;
    while (added < CAPACITY * 100) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        if (inside < CAPACITY && random % 2 == 0) {
            due[added] = now + (random >> 8) % 20;
            timeline_add(t, (struct event){.cycle = due[added], .who = added});
            added++, inside++;
            continue;
        }
        // The expected one: the earliest, and of those the one added first.
        uint32_t first = UINT32_MAX;
        for (uint32_t i = 0; i < added; i++) {
            if (!taken[i] && (first == UINT32_MAX || due[i] < due[first])) first = i;
        }
        struct event event = {0};
        bool expected = first != UINT32_MAX && due[first] <= now;
        assert_int_equal(timeline_take(t, now, &event), expected);
        if (expected) {
            assert_int_equal(event.who, first);
            taken[first] = true;
            inside--;
        } else {
            now++;
        }
    }
    timeline_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_of_entry), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
