// The rules of the commit bundle: silent on good ones, and each broken one named by its number; never a division by no
// owner.
#include "oracle/oracle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct commit_bundle empty = {.rob_empty = true};
static const struct commit_bundle two = {
    .valid = 3, .commit = 3, .first = 3, .oldest = 1, .pc = {0x108, 0x104}}; // lane 1 is the older
static const struct commit_bundle enters = {.rob_empty = true, .dispatch_valid = 1, .dispatch_pc = {0x200}};
static const struct commit_bundle waits = {.valid = 1, .pc = {0x200}};
static const struct commit_bundle traps = {.valid = 1, .pc = {0x200}, .exception = true, .exception_pc = 0x200};
static const struct commit_bundle flushes = {.valid = 1, .commit = 1, .first = 1, .flush = 1, .pc = {0x200}};

// The rule that the last of these bundles breaks, on a core two wide; those before it break none.
static unsigned rule(size_t count, const struct commit_bundle *const *bundles) {
    struct oracle *oracle = oracle_create(2, NULL);
    assert_non_null(oracle);
    for (size_t i = 0; i + 1 < count; i++) {
        assert_int_equal(oracle_rule_broken(oracle, bundles[i]), 0);
        assert_int_equal(oracle_step(oracle, bundles[i], 1), 0);
    }
    unsigned broken = oracle_rule_broken(oracle, bundles[count - 1]);
    struct oracle_difference d;
    const struct sample sample = {0};
    const struct oir oir = {0};
    if (broken) {
        assert_true(oracle_crosscheck(oracle, bundles[count - 1], &sample, &oir, &d));
        assert_string_equal(d.field, "bundle rule");
        assert_int_equal(d.got, broken);
    }
    oracle_destroy(oracle);
    return broken;
}
#define RULE(...)                                                                                                      \
    rule(sizeof((const struct commit_bundle *[]){__VA_ARGS__}) / sizeof(void *),                                       \
         (const struct commit_bundle *[]){__VA_ARGS__})

static void test_good(void **state) {
    (void)state;
    assert_int_equal(RULE(&two), 0);
    assert_int_equal(RULE(&empty, &enters, &waits, &traps, &empty, &enters, &waits, &flushes, &empty), 0);
}

static void test_one_cycle(void **state) {
    (void)state;
    struct commit_bundle b = empty;
    b.valid = 1;
    assert_int_equal(RULE(&b), 1);
    b = two;
    b.valid = 1;
    assert_int_equal(RULE(&b), 1); // the oldest lane is not valid
    b = two;
    b.oldest = 2;
    assert_int_equal(RULE(&b), 1); // no such lane
    b = two;
    b.commit = 1, b.first = 0;
    assert_int_equal(RULE(&b), 2); // the younger alone, and no first micro-op: nobody would own the cycle
    b = two;
    b.valid = 2;
    assert_int_equal(RULE(&b), 2); // commits and is not valid
    b = two;
    b.commit = 7;
    assert_int_equal(RULE(&b), 2); // a lane that the core does not have
    b = traps;
    b.commit = 1;
    assert_int_equal(RULE(&b), 3);
    b = traps;
    b.exception_pc = 0x204;
    assert_int_equal(RULE(&b), 3);
    b = empty;
    b.exception = true;
    assert_int_equal(RULE(&b), 3);
    b = two;
    b.flush = 2;
    assert_int_equal(RULE(&b), 5); // the older flushes, the younger commits
    b.flush = 1;
    assert_int_equal(RULE(&b), 0);
}

static void test_two_cycles(void **state) {
    (void)state;
    assert_int_equal(RULE(&empty, &enters, &waits, &traps, &waits), 4);
    assert_int_equal(RULE(&flushes, &waits), 4);
    assert_int_equal(RULE(&enters, &empty), 6);
    struct commit_bundle other = waits;
    other.pc[0] = 0x204;
    assert_int_equal(RULE(&enters, &other), 6);
    assert_int_equal(RULE(&empty, &waits), 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_one_cycle),
        cmocka_unit_test(test_two_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
