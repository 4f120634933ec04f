// The interrupt controller, register by register as its specification has them: gateways, priorities, thresholds,
// claims.
#include "base/plic.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { PENDING = 0x1000, ENABLE_M = 0x2000, ENABLE_S = 0x2080, THRESHOLD_M = 0x200000, CLAIM_S = 0x201004 };
#define CLAIM_M (THRESHOLD_M + 4)

static void test_one_source(void **state) {
    (void)state;
    struct plic p = {0};
    plic_write(&p, 4 * 10, 1);
    plic_write(&p, ENABLE_M, 1 << 10);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M));
    plic_line(&p, 10, true);
    assert_int_equal(plic_read(&p, PENDING), 1 << 10);
    assert_true(plic_asks(&p, PLIC_CONTEXT_M));
    assert_false(plic_asks(&p, PLIC_CONTEXT_S)); // not enabled there
    assert_int_equal(plic_read(&p, CLAIM_M), 10);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M)); // claimed, though its line is still up
    assert_int_equal(plic_read(&p, PENDING), 0);
    assert_int_equal(plic_read(&p, CLAIM_M), 0);
    plic_write(&p, CLAIM_M, 11); // the completion of another one has no effect
    assert_false(plic_asks(&p, PLIC_CONTEXT_M));
    plic_write(&p, CLAIM_M, 10);
    assert_true(plic_asks(&p, PLIC_CONTEXT_M)); // the line asks again
    plic_line(&p, 10, false);
    assert_true(plic_asks(&p, PLIC_CONTEXT_M)); // a forwarded request is not withdrawn with its line
    assert_int_equal(plic_read(&p, PENDING), 1 << 10);
    assert_int_equal(plic_read(&p, CLAIM_M), 10);
    plic_write(&p, CLAIM_M, 10);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M)); // the line is low by now
    assert_int_equal(plic_read(&p, PENDING), 0);
}

static void test_priorities(void **state) {
    (void)state;
    struct plic p = {0};
    plic_write(&p, 4 * 3, 5);
    plic_write(&p, 4 * 7, 5);
    plic_write(&p, 4 * 9, 6);
    plic_write(&p, 4 * 12, 0); // never
    plic_write(&p, ENABLE_S, 0xffffffff);
    assert_int_equal(plic_read(&p, ENABLE_S), 0xfffffffe); // there is no source 0
    for (unsigned source = 3; source <= 12; source++)
        plic_line(&p, source, source == 3 || source == 7 || source == 9 || source == 12);
    plic_write(&p, 0x201000, 6);
    assert_false(plic_asks(&p, PLIC_CONTEXT_S)); // none is above 6
    plic_write(&p, 0x201000, 5);
    assert_true(plic_asks(&p, PLIC_CONTEXT_S));
    assert_int_equal(plic_read(&p, CLAIM_S), 9);
    assert_false(plic_asks(&p, PLIC_CONTEXT_S));
    assert_int_equal(plic_read(&p, CLAIM_S), 3); // claims ask nothing of the threshold; the lowest of equals first
    assert_int_equal(plic_read(&p, CLAIM_S), 7);
    assert_int_equal(plic_read(&p, CLAIM_S), 0);
}

static void test_source_0(void **state) {
    (void)state;
    struct plic p = {0};
    plic_line(&p, 0, true);
    plic_write(&p, 0, 7);
    plic_write(&p, ENABLE_M, 1);
    assert_false(plic_asks(&p, PLIC_CONTEXT_M));
    assert_int_equal(plic_read(&p, 0) | plic_read(&p, PENDING) | plic_read(&p, CLAIM_M), 0);
    assert_int_equal(plic_read(&p, 0x3fffffc), 0); // beyond all registers
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_source),
        cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_source_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
