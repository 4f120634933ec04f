// Tags, replacement and MSHRs of a cache level, by sequences worked out by hand.
#include "harness/cache_level.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SETS = 8, TARGETS = 4 };
static const struct cache_level_config config = {.kib = 1, .ways = 2, .mshrs = 2, .latency = 5}; // 16 lines
static struct cache_level *c;

static int set_up(void **state) {
    (void)state;
    c = cache_level_create("llc", &config, TARGETS, NULL);
    return c ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    cache_level_destroy(c);
    return 0;
}

static struct cache_result read_line(uint64_t line, uint32_t who) {
    return cache_level_read(c, line, (struct cache_target){.who = who, .earliest = 100 + who});
}

// Reads a line and lets it come at once.
static bool hits(uint64_t line) {
    struct cache_target targets[TARGETS];
    struct cache_result result = read_line(line, 0);
    assert_true(result.outcome == CACHE_HIT || result.outcome == CACHE_MISS);
    assert_false(result.evicts);
    if (result.outcome == CACHE_MISS) assert_int_equal(cache_level_fill(c, result.mshr, targets), 1);
    return result.outcome == CACHE_HIT;
}

static void test_least_recently_used(void **state) {
    (void)state;
    assert_false(hits(3));
    assert_false(hits(3 + SETS));
    assert_true(hits(3)); // now 3 + SETS is the older one
    assert_false(hits(3 + 2 * SETS));
    assert_true(hits(3));
    assert_false(hits(3 + SETS));
    assert_false(hits(4)); // another set
    assert_int_equal(cache_level_counts(c).reads, 7);
    assert_int_equal(cache_level_counts(c).misses, 5);
}

static void test_write_back(void **state) {
    (void)state;
    assert_false(cache_level_write(c, 1).evicts);
    assert_true(hits(1)); // a write allocates without a fetch
    assert_false(cache_level_write(c, 1).evicts);
    assert_false(hits(1 + SETS));
    struct cache_result result = read_line(1 + 2 * SETS, 0); // line 1 is the older one, and dirty
    assert_int_equal(result.outcome, CACHE_MISS);
    assert_true(result.evicts);
    assert_int_equal(result.victim, 1);
    assert_false(cache_level_write(c, 1).evicts); // 1 + SETS goes, clean
    assert_int_equal(cache_level_counts(c).writes, 3);
}

static void test_mshrs(void **state) {
    (void)state;
    struct cache_result a = read_line(1, 1), b = read_line(2, 2);
    assert_int_equal(a.outcome, CACHE_MISS);
    assert_int_equal(b.outcome, CACHE_MISS);
    assert_int_not_equal(a.mshr, b.mshr);
    assert_true(cache_level_full(c));
    assert_int_equal(read_line(3, 3).outcome, CACHE_BLOCKED);
    assert_int_equal(cache_level_counts(c).reads, 2); // a blocked one has not been
    assert_int_equal(read_line(2, 3).outcome, CACHE_JOIN);
    assert_int_equal(read_line(2, 4).outcome, CACHE_JOIN);
    assert_int_equal(cache_level_line(c, b.mshr), 2);
    struct cache_target targets[TARGETS];
    assert_int_equal(cache_level_fill(c, b.mshr, targets), 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(targets[i].who, 2 + i);
        assert_int_equal(targets[i].earliest, 102 + i);
    }
    assert_false(cache_level_full(c));
    assert_int_equal(read_line(2, 5).outcome, CACHE_HIT);
    // Three of the four places for targets are free again.
    assert_int_equal(read_line(3, 6).outcome, CACHE_MISS);
    assert_int_equal(read_line(3, 7).outcome, CACHE_JOIN);
    assert_int_equal(read_line(1, 8).outcome, CACHE_JOIN);
    assert_int_equal(cache_level_fill(c, a.mshr, targets), 2);
    assert_int_equal(targets[1].who, 8);
}

// A line that lost its place while it was on its way is still found in its MSHR.
static void test_evicted_on_its_way(void **state) {
    (void)state;
    struct cache_result a = read_line(1, 1);
    cache_level_write(c, 1 + SETS);
    cache_level_write(c, 1 + 2 * SETS); // takes the place of line 1
    struct cache_result again = read_line(1, 2);
    assert_int_equal(again.outcome, CACHE_JOIN);
    assert_true(again.evicts);
    assert_int_equal(again.victim, 1 + SETS);
    struct cache_target targets[TARGETS];
    assert_int_equal(cache_level_fill(c, a.mshr, targets), 2);
    assert_int_equal(read_line(1, 3).outcome, CACHE_HIT);
}

static void test_too_small(void **state) {
    (void)state;
    struct error err = {""};
    struct cache_level_config small = config;
    small.ways = 32;
    assert_null(cache_level_create("l2", &small, TARGETS, &err));
    assert_non_null(strstr(err.text, "l2.kib is less than one set of l2.ways = 32 lines: enlarge it"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_least_recently_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mshrs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_evicted_on_its_way, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_small, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
