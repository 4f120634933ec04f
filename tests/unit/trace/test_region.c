// Regions of a trace: edges by cycle, by address and by sample, clipping of rows of cycles, bad edges. And the lines of
// a Kanata log.
#include "trace/kanata.h"
#include "trace/region.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int parse(struct trace_region *r, const char *from, const char *to, struct error *err) {
    return trace_region_parse(r, "trace", from, to, POSITIONS_SEEN, NULL, err);
}

static void test_cycles(void **state) {
    (void)state;
    struct error err = {""};
    struct trace_region r;
    assert_int_equal(parse(&r, "10", "20", &err), 0);
    assert_false(trace_region_holds(&r, 9));
    assert_true(trace_region_holds(&r, 10) && trace_region_holds(&r, 20));
    assert_false(trace_region_holds(&r, 21));
    uint64_t first = 5;
    assert_int_equal(trace_region_clip(&r, &first, 100), 11);
    assert_int_equal(first, 10);
    first = 21;
    assert_int_equal(trace_region_clip(&r, &first, 7), 0);
    assert_int_equal(parse(&r, NULL, "12x", &err), -EINVAL);
    assert_non_null(strstr(err.text, "'12x': not a cycle"));
}

static void test_addresses(void **state) {
    (void)state;
    struct error err = {""};
    struct trace_region r;
    assert_int_equal(parse(&r, "0x100", "0x200", &err), 0);
    trace_region_commit(&r, 5, 0x200); // the end does not count before the beginning
    assert_false(trace_region_holds(&r, 6));
    trace_region_commit(&r, 7, 0x100);
    assert_true(trace_region_holds(&r, 7) && trace_region_holds(&r, 1000));
    trace_region_commit(&r, 9, 0x200);
    trace_region_commit(&r, 11, 0x200);
    assert_true(trace_region_holds(&r, 9));
    assert_false(trace_region_holds(&r, 10));
}

// In the order of age, from the oldest lane on: an end that is younger than the beginning counts, an older one not.
static void test_bundles(void **state) {
    (void)state;
    struct error err = {""};
    struct trace_region r;
    const struct commit_bundle b = {.valid = 7, .commit = 7, .first = 7, .oldest = 1, .pc = {0x108, 0x100, 0x104}};
    assert_int_equal(parse(&r, "0x100", "0x108", &err), 0);
    trace_region_bundle(&r, 4, &b);
    assert_true(trace_region_holds(&r, 4));
    assert_false(trace_region_holds(&r, 5));
    assert_int_equal(parse(&r, "0x108", "0x100", &err), 0);
    trace_region_bundle(&r, 4, &b);
    assert_true(trace_region_holds(&r, 4) && trace_region_holds(&r, 5));
    const struct commit_bundle other = {.valid = 7, .commit = 5, .first = 7, .oldest = 2, .pc = {0x108, 0x100, 0x104}};
    assert_int_equal(parse(&r, "0x100", NULL, &err), 0);
    trace_region_bundle(&r, 4, &other); // it is in the ROB, but does not commit
    assert_false(trace_region_holds(&r, 4));
}

// The N-th time: of the run, where it is given; else of the end the next one after the beginning. Micro-ops that go on
// with an instruction are no further time.
static void test_counts(void **state) {
    (void)state;
    struct error err = {""};
    struct trace_region r;
    struct commit_bundle b = {.valid = 1, .commit = 1, .first = 1, .pc = {0x100}};
    assert_int_equal(parse(&r, "0x100:2", "0x100:4", &err), 0);
    for (uint64_t cycle = 10; cycle < 20; cycle++) {
        b.first = cycle % 2 == 0; // executed in cycles 10, 12, 14, 16
        trace_region_bundle(&r, cycle, &b);
        assert_true(trace_region_holds(&r, cycle) == (cycle >= 12 && cycle <= 16));
    }
    assert_false(trace_region_needs_commits(&r));
    b.first = 1;
    assert_int_equal(parse(&r, "0x100:2", "0x100", &err), 0);
    assert_true(trace_region_needs_commits(&r));
    for (uint64_t cycle = 10; cycle < 20; cycle++) {
        trace_region_bundle(&r, cycle, &b);
        assert_true(trace_region_holds(&r, cycle) == (cycle == 11 || cycle == 12));
    }
    assert_int_equal(parse(&r, "0x100:3", "0x100:2", &err), -EINVAL);
    assert_non_null(strstr(err.text, "--trace-from 0x100:3 is after --trace-to 0x100:2: swap them"));
    assert_int_equal(parse(&r, "0x100:3", "0x104:2", &err), 0); // which of them comes first is not known
}

static void test_samples(void **state) {
    (void)state;
    struct error err = {""};
    struct trace_region r;
    assert_int_equal(parse(&r, "sample:2", "sample:3", &err), 0);
    trace_region_sample(&r, 10);
    assert_false(trace_region_holds(&r, 11));
    trace_region_sample(&r, 20);
    assert_false(trace_region_holds(&r, 20));
    assert_true(trace_region_holds(&r, 21) && trace_region_holds(&r, 1000));
    trace_region_sample(&r, 30);
    assert_true(trace_region_holds(&r, 30));
    assert_false(trace_region_holds(&r, 31));
    trace_region_sample(&r, 40);
    assert_false(trace_region_holds(&r, 40));
    static const char *const bad[] = {"sample:", "sample:0", "sample:x", "sample:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(parse(&r, bad[i], NULL, &err), -EINVAL);
        assert_non_null(strstr(err.text, "the first is sample:1"));
    }
    assert_int_equal(parse(&r, "sample:3", "sample:2", &err), -EINVAL);
    assert_non_null(strstr(err.text, "swap them"));
}

static void test_kanata(void **state) {
    (void)state;
    char path[] = "/tmp/test_kanata_XXXXXX";
    close(mkstemp(path));
    struct error err = {""};
    struct kanata *k = kanata_create(path, &err);
    assert_non_null(k);
    kanata_time(k, 40);
    kanata_begin(k, 0, 0);
    kanata_label(k, 0, KANATA_PANE, "80000000: add\ta0");
    kanata_start(k, 0, 'F');
    kanata_time(k, 41); // nothing happens: no line
    kanata_time(k, 43);
    kanata_start(k, 0, 'Q');
    kanata_leave(k, 0, 0, true);
    assert_int_equal(kanata_close(k, &err), 0);
    char text[256] = "";
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    assert_string_equal(text, "Kanata\t0004\nC=\t40\nI\t0\t0\t0\nL\t0\t0\t80000000: add a0\nS\t0\t0\tF\nC\t3\n"
                              "S\t0\t0\tQ\nR\t0\t0\t1\n");
    assert_null(kanata_create("/nowhere/log", &err));
    assert_non_null(strstr(err.text, "/nowhere/log: cannot create"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles), cmocka_unit_test(test_addresses), cmocka_unit_test(test_bundles),
        cmocka_unit_test(test_counts), cmocka_unit_test(test_samples),   cmocka_unit_test(test_kanata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
