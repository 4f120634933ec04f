// Time by call stack: whose stack each booking has, in a story of a core with two lanes made by hand, U = 2.
#include "oracle/oracle.h"
#include "profile/stack_table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { A = 0x100, B = 0x104, C = 0x108, D = 0x10c, E = 0x110 };

static struct oracle *oracle;
static struct call_stacks stacks;

static void step(const struct commit_bundle *b, uint64_t cycles) {
    assert_int_equal(oracle_step(oracle, b, cycles), 0);
}

static uint64_t time_of(uint64_t pc, unsigned state, uint32_t stack) {
    size_t count;
    uint64_t found = 0;
    const struct profile_row *rows = oracle_rows(oracle, &count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].pc == pc && rows[i].state == state && rows[i].stack == stack) found += rows[i].weight;
    }
    return found;
}

static void commit(uint64_t first, uint64_t second, bool mispredict) {
    struct commit_bundle b = {.valid = 3, .first = 3, .commit = 3, .oldest = 1, .pc = {second, first}};
    b.mispredict = mispredict ? 1 : 0; // lane 0, the younger
    step(&b, 1);
}

static void test_story(void **state) {
    (void)state;
    struct error err;
    oracle = oracle_create(2, &err);
    assert_non_null(oracle);
    oracle_use_stacks(oracle, &stacks);
    // Drained, then A in the ROB stalls, then it commits with B, a call that was mispredicted.
    const struct commit_bundle empty = {.rob_empty = true};
    struct commit_bundle arrives = {.rob_empty = true, .dispatch_valid = 1, .dispatch_pc = {A}};
    struct commit_bundle waits = {.valid = 2, .first = 2, .oldest = 1, .pc = {0, A}};
    stacks.now = 7;
    step(&empty, 3);
    step(&arrives, 1);
    step(&waits, 5);
    stacks = (struct call_stacks){.cycle = 9, .before = 7, .lane = {8, 7}, .left = 8, .now = 9};
    commit(A, B, true);
    assert_int_equal(time_of(A, STATE_DRAINED, 7), 8);
    assert_int_equal(time_of(A, STATE_STALLED, 7), 10);
    assert_int_equal(time_of(A, STATE_COMPUTING, 7), 1);
    assert_int_equal(time_of(B, STATE_COMPUTING, 8), 1);
    // The refill is B's, in B's stack; C is the callee's first.
    step(&empty, 4);
    assert_int_equal(time_of(B, STATE_FLUSHED, 8), 8);
    waits.pc[1] = C;
    step(&waits, 2);
    // C traps: its own stack, not the handler's; so the refill.
    struct commit_bundle traps = waits;
    traps.exception = true;
    traps.exception_pc = C;
    stacks = (struct call_stacks){.cycle = 16, .before = 9, .left = 9, .now = 12};
    step(&traps, 1);
    assert_int_equal(time_of(C, STATE_STALLED, 9), 6);
    step(&empty, 1);
    assert_int_equal(time_of(C, STATE_FLUSHED, 9), 2);
    // D waits and vanishes, E waits at the end of the run: what is known is the stack of what leaves next.
    waits.pc[1] = D;
    step(&waits, 1);
    step(&empty, 1);
    assert_int_equal(time_of(D, STATE_STALLED, 12), 2);
    waits.pc[1] = E;
    step(&waits, 1);
    assert_int_equal(oracle_finish(oracle, oracle_cycles(oracle), &err), 0);
    assert_int_equal(time_of(E, STATE_STALLED, 12), 2);
    oracle_destroy(oracle);
}

static void test_unknown(void **state) {
    (void)state;
    struct error err;
    oracle = oracle_create(2, &err);
    commit(A, B, false);
    assert_int_equal(time_of(A, STATE_COMPUTING, STACK_UNKNOWN), 1);
    oracle_use_stacks(oracle, NULL);
    commit(A, B, false);
    assert_int_equal(time_of(B, STATE_COMPUTING, STACK_UNKNOWN), 2);
    oracle_destroy(oracle);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_story), cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
