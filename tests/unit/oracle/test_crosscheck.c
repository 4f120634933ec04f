// The cross-check: silent where the hardware shows what it must, and for each field that is wrong, alone, it names it.
#include "oracle/oracle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct oracle *oracle;
static struct commit_bundle bundle;
static struct sample sample;
static struct oir oir;

static int set_up(void **state) {
    (void)state;
    struct error err;
    const struct commit_bundle before = {
        .valid = 1, .commit = 1, .first = 1, .mispredict = 1, .pc = {0x100}, .psv = {8}};
    oracle = oracle_create(2, &err);
    if (!oracle || oracle_step(oracle, &before, 1) < 0) return -1;
    oir = (struct oir){.valid = true, .pc = 0x100, .mispredict = true, .psv = 8};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    oracle_destroy(oracle);
    return 0;
}

// Two commit, the older from lane 1.
static void computing(void) {
    bundle =
        (struct commit_bundle){.valid = 3, .commit = 3, .first = 3, .oldest = 1, .pc = {0x108, 0x104}, .psv = {1, 2}};
    sample = (struct sample){.state = STATE_COMPUTING, .valid = 3, .oldest = 1, .addr = {0x108, 0x104}, .psv = {1, 2}};
}
static void flushed(void) {
    bundle = (struct commit_bundle){.rob_empty = true};
    sample = (struct sample){.state = STATE_FLUSHED, .valid = 1, .addr = {0x100}, .psv = {8}, .mispredict = true};
}

static void expect_none(void) {
    struct oracle_difference d;
    assert_false(oracle_crosscheck(oracle, &bundle, &sample, &oir, &d));
}
static void expect(const char *field, uint64_t expected, uint64_t got) {
    struct oracle_difference d;
    assert_true(oracle_crosscheck(oracle, &bundle, &sample, &oir, &d));
    assert_string_equal(d.field, field);
    assert_int_equal(d.expected, expected);
    assert_int_equal(d.got, got);
}

#define WRONG(FIELD, NAME, VALUE)                                                                                      \
    do {                                                                                                               \
        uint64_t right = FIELD;                                                                                        \
        FIELD = VALUE;                                                                                                 \
        expect(NAME, right, VALUE);                                                                                    \
        FIELD = right;                                                                                                 \
        expect_none();                                                                                                 \
    } while (0)

static void test_computing(void **state) {
    (void)state;
    computing();
    expect_none();
    WRONG(sample.state, "state", STATE_STALLED);
    WRONG(sample.valid, "valid lanes", 1);
    WRONG(sample.oldest, "oldest lane", 0);
    WRONG(sample.exception, "exception", 1);
    WRONG(sample.addr[0], "addr[0]", 0x10a);
    WRONG(sample.addr[1], "addr[1]", 0);
    WRONG(sample.addr[7], "addr[7]", 4);
    WRONG(sample.psv[1], "psv[1]", 3);
}

static void test_flushed(void **state) {
    (void)state;
    flushed();
    expect_none();
    WRONG(sample.state, "state", STATE_DRAINED);
    WRONG(sample.flush, "flush", 1);
    WRONG(sample.mispredict, "mispredict", 0);
    WRONG(sample.addr[0], "addr[0]", 0);
    WRONG(sample.psv[0], "psv[0]", 0);
    WRONG(oir.valid, "oir.valid", 0);
    WRONG(oir.pc, "oir.pc", 0x104);
    WRONG(oir.mispredict, "oir.mispredict", 0);
    WRONG(oir.flush, "oir.flush", 1);
    WRONG(oir.exception, "oir.exception", 1);
    WRONG(oir.psv, "oir.psv", 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_computing, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_flushed, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
