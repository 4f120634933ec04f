// Random runs of a toy core of every width: what the Oracle books, against the specification applied afterwards to the
// whole recorded run, where one can simply look ahead; and that quiet cycles may be emitted in lumps.
#include "../profilers/toy_core.h"
#include "oracle/oracle.h"
#include "profile/units.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CYCLES = 8000 };
static struct commit_bundle run[CYCLES], fed[CYCLES];
static unsigned width;
static struct profile_table *expected;

static void add(uint64_t pc, unsigned state, unsigned psv, uint64_t units) {
    assert_true(profile_table_add(expected, toy_place(pc), (uint8_t)state, (uint16_t)psv, units));
}

// Books to the oldest, with the vector that it has when it leaves, or at the end of the run.
static void book_head(unsigned c, unsigned state, uint64_t units) {
    unsigned at = c;
    while (at + 1 < CYCLES && !run[at].commit && !run[at].exception)
        at++;
    const struct commit_bundle *b = &run[at];
    if (b->exception)
        add(b->exception_pc, state, b->exception_psv, units);
    else
        add(b->pc[b->oldest], state, b->psv[b->oldest], units);
}

static void book_empty(unsigned c, uint64_t units) {
    unsigned last = c, next = c;
    while (last > 0 && !run[last - 1].commit && !run[last - 1].exception)
        last--;
    const struct commit_bundle *b = last ? &run[last - 1] : NULL;
    unsigned youngest = b ? (b->oldest + (unsigned)__builtin_popcount(b->commit) + width - 1) % width : 0;
    if (b && b->exception) {
        add(b->exception_pc, STATE_FLUSHED, b->exception_psv, units);
        return;
    }
    if (b && ((b->mispredict | b->flush) >> youngest & 1)) {
        add(b->pc[youngest], STATE_FLUSHED, b->psv[youngest], units);
        return;
    }
    while (next < CYCLES && !(run[next].dispatch_valid & 1))
        next++;
    if (next == CYCLES)
        add(PROFILE_PC_END, STATE_DRAINED, 0, units);
    else if (next + 1 == CYCLES)
        add(run[next].dispatch_pc[0], STATE_DRAINED, 0, units);
    else
        book_head(next + 1, STATE_DRAINED, units);
}

// Cycles from `from` on, up to `to`, without it.
static void book_run(unsigned from, unsigned to) {
    unsigned units = units_per_cycle(width);
    for (unsigned c = from; c < to; c++) {
        const struct commit_bundle *b = &run[c];
        unsigned n = (unsigned)__builtin_popcount(b->commit);
        for (unsigned k = 0; k < n; k++) {
            unsigned lane = (b->oldest + k) % width;
            add(b->pc[lane], STATE_COMPUTING, b->psv[lane], units / n);
        }
        if (!n && b->rob_empty)
            book_empty(c, units);
        else if (!n)
            book_head(c, STATE_STALLED, units);
    }
}

static bool is_quiet(unsigned c) {
    return !run[c].commit && !run[c].exception && !run[c].dispatch_valid;
}

// Of an Oracle that gets the beginning and end of that part.
static void expect_profile(bool lumps, unsigned from, unsigned to) {
    struct error err;
    size_t count, n;
    struct oracle *o = oracle_create(width, &err);
    assert_non_null(o);
    for (unsigned c = 0, next; c < CYCLES; c = next) {
        if (from && c == from) assert_int_equal(oracle_begin(o), 0);
        if (c == to) oracle_end(o);
        next = c + 1;
        while (lumps && is_quiet(c) && next < CYCLES && next != from && next != to &&
               memcmp(&fed[c], &fed[next], sizeof *fed) == 0)
            next++;
        assert_int_equal(oracle_step(o, &fed[c], next - c), 0);
    }
    assert_int_equal(oracle_finish(o, to - from, &err), 0);
    const struct profile_row *got = oracle_rows(o, &count), *want = profile_table_rows(expected, &n);
    assert_int_equal(count, n);
    for (size_t k = 0; k < n; k++) {
        if (place_equal(row_place(&got[k]), row_place(&want[k])) && got[k].state == want[k].state &&
            got[k].psv == want[k].psv && got[k].weight == want[k].weight) {
            continue;
        }
        fail_msg("width %u: pc 0x%llx context 0x%llx state %u psv 0x%x: %llu, expected pc 0x%llx context 0x%llx state "
                 "%u psv "
                 "0x%x: %llu",
                 width, (unsigned long long)got[k].pc, (unsigned long long)got[k].context, got[k].state, got[k].psv,
                 (unsigned long long)got[k].weight, (unsigned long long)want[k].pc, (unsigned long long)want[k].context,
                 want[k].state, want[k].psv, (unsigned long long)want[k].weight);
    }
    oracle_destroy(o);
}

static void test_runs(void **state) {
    (void)state;
    struct toy_core toy;
    for (width = 1; width <= MAX_LANES; width++) {
        for (unsigned i = 0; i < 4; i++) {
            toy_create(&toy, width, 2 + (width + i) % 6, 77 * width + i);
            for (unsigned c = 0; c < CYCLES; c++) {
                struct commit_bundle *b = &run[c];
                toy_cycle(&toy, b);
                fed[c] = toy_fed(b);
            }
            for (unsigned part = 0; part < 12; part++) { // the whole run, then parts that begin and end anywhere
                const unsigned from = part ? 100 + 37 * part + i : 0, to = part ? from + 1 + 91 * part : CYCLES;
                expected = profile_table_create();
                book_run(from, to);
                expect_profile(false, from, to);
                expect_profile(true, from, to);
                profile_table_destroy(expected);
            }
        }
    }
}

// A run that says another number of cycles than the Oracle saw is an error, not a profile.
static void test_conservation(void **state) {
    (void)state;
    struct error err = {""};
    const struct commit_bundle empty = {.rob_empty = true};
    for (int off = -1; off <= 1; off++) {
        struct oracle *o = oracle_create(3, &err);
        assert_int_equal(oracle_step(o, &empty, 10), 0);
        err.text[0] = 0;
        assert_int_equal(oracle_finish(o, (uint64_t)(10 + off), &err), off ? -EBADMSG : 0);
        assert_int_equal(err.text[0] != 0, off != 0);
        oracle_destroy(o);
    }
}

static void test_arguments(void **state) {
    (void)state;
    static const unsigned units[] = {0, 1, 2, 6, 12, 60, 60, 420, 840};
    struct error err = {""};
    for (unsigned i = 1; i <= MAX_LANES; i++)
        assert_int_equal(units_per_cycle(i), units[i]);
    assert_null(oracle_create(0, &err));
    assert_true(err.text[0] != 0);
    err.text[0] = 0;
    assert_null(oracle_create(MAX_LANES + 1, &err));
    assert_true(err.text[0] != 0);
    oracle_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_runs), cmocka_unit_test(test_conservation),
                                       cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
