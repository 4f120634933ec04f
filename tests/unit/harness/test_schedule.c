// Turns of cores: who is next, and up to which cycle nothing can reach it from another one.
#include "harness/schedule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void next_is(const struct schedule_core *cores, size_t count, uint64_t latency, size_t which, uint64_t until) {
    size_t got = 99;
    uint64_t stop = 0;
    assert_true(schedule_next(cores, count, latency, &got, &stop));
    assert_int_equal(got, which);
    assert_true(stop == until);
}

static void test_alone(void **state) {
    (void)state;
    struct schedule_core one = {.now = 7, .quiet_until = 7};
    next_is(&one, 1, 4, 0, UINT64_MAX); // nobody to wait for
    one.over = true;
    size_t which;
    uint64_t until;
    assert_false(schedule_next(&one, 1, 4, &which, &until));
}

// No core is quiet: each may run `latency` cycles beyond the one that is furthest behind.
static void test_never_quiet(void **state) {
    (void)state;
    struct schedule_core cores[] = {{10, 10, false}, {8, 8, false}, {9, 9, false}};
    next_is(cores, 3, 4, 1, 13); // core 2's cycle 9 reaches it in 13
    cores[1].now = cores[1].quiet_until = 13;
    next_is(cores, 3, 4, 2, 14);
    cores[0].over = true; // sends nothing any more
    next_is(cores, 3, 4, 2, 17);
    cores[1].over = true;
    next_is(cores, 3, 4, 2, UINT64_MAX);
}

static void test_no_links(void **state) {
    (void)state;
    const struct schedule_core cores[] = {{10, 10, false}, {10, 10, false}};
    next_is(cores, 2, SCHEDULE_NO_LINKS, 0, UINT64_MAX); // the first of equals
}

// A quiet core sends nothing by itself; but it answers what it is sent, a latency there and one back.
static void test_quiet(void **state) {
    (void)state;
    struct schedule_core cores[] = {{0, 0, false}, {5, 1000, false}};
    next_is(cores, 2, 4, 0, 8); // cycle 0 reaches the other one in 4, its answer is back in 8
    cores[1].quiet_until = 6;
    next_is(cores, 2, 4, 0, 8);
    cores[0].now = cores[0].quiet_until = 3;
    next_is(cores, 2, 4, 0, 10); // it speaks by itself in 6
    // Between two quiet ones a third runs as far as answers let it.
    struct schedule_core three[] = {{50, 900, false}, {20, 20, false}, {60, 800, false}};
    next_is(three, 3, 4, 1, 28);
}

// Whatever the promises, cores come forward, and none runs beyond what another one may still send it.
static void test_order(void **state) {
    (void)state;
    enum { CORES = 4, LATENCY = 4, END = 2000 };
    struct schedule_core cores[CORES] = {{0}};
    uint64_t random = 1, until;
    size_t which, turns = 0;
    while (schedule_next(cores, CORES, LATENCY, &which, &until)) {
        struct schedule_core *c = &cores[which];
        assert_true(until > c->now);
        for (size_t i = 0; i < CORES; i++)
            assert_true(cores[i].over || cores[i].now >= c->now);
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t most = until - c->now > 50 ? 50 : until - c->now;
        // It sends in its last cycle, if it has not promised to be quiet: everybody has to hear of that in time.
        const uint64_t promised = c->quiet_until;
        c->now += 1 + (random >> 33) % most;
        for (size_t i = 0; i < CORES; i++)
            assert_true(i == which || cores[i].over || c->now <= promised || cores[i].now <= c->now - 1 + LATENCY);
        c->quiet_until = c->now + (random >> 40) % 3;
        c->over = c->now >= END;
        turns++;
    }
    assert_true(turns > END / LATENCY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone), cmocka_unit_test(test_never_quiet),
                                       cmocka_unit_test(test_no_links), cmocka_unit_test(test_quiet),
                                       cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
