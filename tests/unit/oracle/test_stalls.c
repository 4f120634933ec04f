// Stall lengths and executions by vector: directed bundles with the numbers written out, then random runs of the toy
// core, where all Stalled cycles must be in one stall or another and every execution under the vector it left with.
#include "../profilers/toy_core.h"
#include "oracle/oracle.h"
#include "oracle/stalls.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct stalls *stalls;

static void step(const struct commit_bundle *b, uint64_t cycles) {
    assert_int_equal(stalls_step(stalls, b, cycles, &(struct error){""}), 0);
}
// Width 1: the head at pc with that vector.
static void head(uint64_t pc, uint16_t psv, bool commits, uint64_t cycles) {
    struct commit_bundle b = {.valid = 1, .first = 1, .commit = commits, .pc = {pc}, .psv = {psv}};
    step(&b, cycles);
}
static void empty(void) {
    const struct commit_bundle b = {.rob_empty = true};
    step(&b, 3);
}
static void except(uint64_t pc, uint16_t psv, uint16_t final) {
    struct commit_bundle b = {.valid = 1, .first = 1, .pc = {pc}, .psv = {psv}, .exception = true};
    b.exception_pc = pc;
    b.exception_psv = final;
    step(&b, 1);
}

static void expect(const struct base_stall *expected, size_t expected_count) {
    size_t count;
    const struct base_stall *rows = stalls_base(stalls, &count);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < expected_count; i++) {
        assert_int_equal(rows[i].place.pc, expected[i].place.pc);
        assert_int_equal(rows[i].length, expected[i].length);
        assert_int_equal(rows[i].count, expected[i].count);
    }
}

static void test_lengths(void **state) {
    (void)state;
    struct error err;
    stalls = stalls_create(&err);
    head(0x100, 0, true, 1); // no stall
    head(0x104, 0, false, 1);
    head(0x104, 0, false, 4);
    head(0x104, 0, true, 1); // 5
    head(0x104, 0, false, 2);
    head(0x104, 0, true, 1); // the same instruction again: 2
    head(0x108, 0, false, 7);
    head(0x108, 0x40, true, 1); // the event came with its end: explained
    head(0x10c, 0, false, 9);
    except(0x10c, 0, 0x10); // explained
    empty();                // no stall is open
    head(0x110, 0, false, 6);
    empty(); // vanished: 6
    head(0x104, 0, false, 5);
    head(0x104, 0, true, 1); // 5 once more
    head(0x114, 0, false, 100000);
    head(0x114, 0, true, 1); // counted as the longest there is
    head(0x118, 0, false, 8);
    // open at the end of the run: not a stall yet
    const struct base_stall rows[] = {
        {{0x104, 0}, 2, 1}, {{0x104, 0}, 5, 2}, {{0x110, 0}, 6, 1}, {{0x114, 0}, STALL_LONGEST_KNOWN, 1}};
    expect(rows, 4);
    expect(rows, 4); // they are sorted where they stand
    assert_int_equal(stalls_executions(stalls, 0), 5);
    assert_int_equal(stalls_executions(stalls, 0x40), 1);
    assert_int_equal(stalls_executions(stalls, 0x10), 1);
    stalls_destroy(stalls);
}

// Two micro-ops of one instruction are one execution; lanes are not ages.
static void test_lanes(void **state) {
    (void)state;
    struct error err;
    stalls = stalls_create(&err);
    struct commit_bundle b = {.valid = 7, .first = 6, .oldest = 1, .pc = {1, 2, 3}, .psv = {1, 0, 4}};
    step(&b, 3);
    b.commit = 7;
    step(&b, 1);
    const struct base_stall rows[] = {{{2, 0}, 3, 1}};
    expect(rows, 1);
    assert_int_equal(stalls_executions(stalls, 0), 1); // lane 1
    assert_int_equal(stalls_executions(stalls, 1), 0); // lane 0 goes on with lane 2's instruction
    assert_int_equal(stalls_executions(stalls, 4), 1);
    stalls_destroy(stalls);
}

enum { CYCLES = 20000 };

static void test_random(void **state) {
    (void)state;
    static struct toy_fate fates[CYCLES * MAX_LANES];
    static uint64_t executions[EVENT_SET_ALL + 1];
    for (unsigned width = 1; width <= MAX_LANES; width++) {
        struct toy_core toy;
        struct error err;
        struct commit_bundle b;
        uint64_t explained = 0, open = 0, stalled = 0, base = 0;
        memset(fates, 0, sizeof fates);
        memset(executions, 0, sizeof executions);
        toy_create(&toy, width, 4, width);
        toy.fates = fates;
        stalls = stalls_create(&err);
        for (unsigned c = 0; c < CYCLES; c++) {
            toy_cycle(&toy, &b);
            step(&b, 1);
            bool stall = !b.commit && !b.rob_empty;
            stalled += stall;
            open += stall;
            if (!b.commit && !b.exception) continue;
            unsigned psv = b.exception ? b.exception_psv : b.psv[b.oldest];
            if (psv) explained += open;
            open = 0;
            if (b.exception) executions[psv]++;
        }
        for (unsigned n = 0; n < toy.dispatched; n++)
            if (fates[n].kind == TOY_COMMITTED) executions[fates[n].psv]++;
        for (unsigned psv = 0; psv <= EVENT_SET_ALL; psv++)
            assert_int_equal(stalls_executions(stalls, psv), executions[psv]);
        size_t count;
        const struct base_stall *rows = stalls_base(stalls, &count);
        for (size_t i = 0; i < count; i++)
            base += rows[i].length * rows[i].count;
        assert_true(base > 1000 && explained > 1000);
        assert_int_equal(base + explained + open, stalled);
        stalls_destroy(stalls);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
