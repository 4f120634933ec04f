// Regions cut out of a run: which instruction meets an edge, and what lies between two of them.
#include "methods/regions/cuts.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The run: addresses in order, ten units of time each; the fourth is an interrupt before the instruction at 0x14.
static const struct {
    uint64_t pc;
    bool interrupt;
} run[] = {{0x10, false}, {0x14, false}, {0x10, false}, {0x14, true}, {0x14, false}, {0x10, false}, {0x2014, false}};
enum { STEPS = sizeof run / sizeof *run };

static struct cuts *cut(const struct regions_file *f) {
    struct error err;
    struct cuts *c = cuts_create(f, &err);
    assert_non_null(c);
    for (size_t i = 0; i < STEPS; i++)
        cuts_step(c, run[i].pc, !run[i].interrupt, 10 * i);
    cuts_end(c, 10 * STEPS);
    assert_int_equal(cuts_steps(c), STEPS);
    return c;
}

static void is(const struct cuts *c, size_t region, uint64_t from_steps, uint64_t to_steps) {
    const struct cut *const got = cuts_of(c, region);
    assert_true(got->begun && got->ended);
    assert_int_equal(got->from_steps, from_steps);
    assert_int_equal(got->to_steps, to_steps);
    assert_int_equal(got->from, 10 * from_steps);
    assert_int_equal(got->to, 10 * to_steps);
}

// Edges are before the instruction; what an interrupt comes before is not executed. 0x2014 and 0x14 share a slot.
static void test_markers(void **state) {
    (void)state;
    struct regions_slices slices[] = {{0, 1, 1, 1, 0}, {1, 4, 3, 3, 1}, {5, 2, 2, 2, 2}};
    struct regions_region regions[] = {
        {.slice = 0, .cluster = 0, .end = {0x14, 1}, .begin = 0, .steps = 1},
        {.slice = 1, .cluster = 1, .start = {0x14, 1}, .end = {0x10, 3}, .begin = 1, .steps = 4},
        {.slice = 2, .cluster = 2, .start = {0x10, 3}, .begin = 5, .steps = 2}};
    struct regions_file f = {.regions = regions, .region_count = 3, .slices = slices, .slice_count = 3};
    struct cuts *c = cut(&f);
    is(c, 0, 0, 1);
    is(c, 1, 1, 5);
    is(c, 2, 5, 7);
    cuts_destroy(c);
    regions[1].start = (struct regions_marker){0x14, 2}; // the one after the interrupt
    c = cut(&f);
    is(c, 1, 4, 5);
    cuts_destroy(c);
    regions[1].start = (struct regions_marker){0x14, 3}; // there is none
    regions[2].start = (struct regions_marker){0x2014, 1};
    c = cut(&f);
    assert_false(cuts_of(c, 1)->begun);
    is(c, 2, 6, 7);
    cuts_destroy(c);
}

// Without markers: by instructions and traps.
static void test_steps(void **state) {
    (void)state;
    struct regions_slices slices[] = {{0, 3, 3, 3, 0}, {3, 2, 1, 1, 1}, {5, 2, 2, 2, 0}};
    struct regions_region regions[] = {{.slice = 1, .begin = 3, .steps = 2}, {.slice = 2, .begin = 5, .steps = 2}};
    struct regions_file f = {.regions = regions, .region_count = 2, .slices = slices, .slice_count = 3};
    struct cuts *c = cut(&f);
    is(c, 0, 3, 5);
    is(c, 1, 5, 7);
    cuts_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_markers), cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
