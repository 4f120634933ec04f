// The instructions of a program by place, among them those whose addresses are alike; and the steps of divisions and
// roots, by hand from rtl/execute/div.sv and fp_divsqrt.sv.
#include "methods/gus/branches.h"
#include "methods/gus/decoder.h"
#include "methods/gus/division.h"
#include "methods/gus/gus.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const units[] = {UNIT_NAMES};

static void table(struct gus_table *t) {
    struct error err = {""};
    for (unsigned u = 0; u < sizeof units / sizeof *units; u++)
        if (units[u][0] && !gus_table_add(t, "kind", units[u], "1", "-", &err)) fail_msg("%s", err.text);
    assert_true(gus_table_finish(t, &err));
}

enum { ADDI = 0x00000013, BEQ = 0x00000063, RET = 0x8082, ECALL = 0x00000073, CSRR = 0x300022f3, ALIKE = 5 * GUS_NEAR };

static void decodes(void **state) {
    (void)state;
    struct gus_table t = {0};
    struct error err = {""};
    table(&t);
    struct gus_decoder *d = gus_decoder_create(&t, &err);
    assert_non_null(d);
    const struct gus_decoded *found = gus_decoder_find(d, 0x1000, BEQ);
    assert_int_equal(found->place, 0);
    assert_int_equal(found->length, 4);
    assert_int_equal(found->transfer, GUS_CONDITIONAL);
    found = gus_decoder_find(d, 0x1004, RET);
    assert_int_equal(found->place, 1);
    assert_int_equal(found->length, 2);
    assert_int_equal(found->transfer, GUS_RETURN);
    found = gus_decoder_find(d, 0x1006, ECALL);
    assert_int_equal(found->flags, GUS_SERIAL);
    assert_false(found->rare);
    found = gus_decoder_find(d, 0x100a, CSRR);
    assert_true(found->rare);
    assert_int_equal(found->operands.rd, 5);
    gus_decoder_destroy(d);
}

// Places stay what they are: of addresses whose low bits are the same, and of one address that had two instructions.
static void places(void **state) {
    (void)state;
    struct gus_table t = {0};
    struct error err = {""};
    table(&t);
    struct gus_decoder *d = gus_decoder_create(&t, &err);
    assert_non_null(d);
    for (unsigned times = 0; times < 3; times++) {
        for (uint32_t i = 0; i < ALIKE; i++) {
            const struct gus_decoded *found = gus_decoder_find(d, 0x80000000 + 2 * i, ADDI + (i << 20 & 0xfff00000));
            assert_int_equal(found->place, i);
            assert_int_equal(found->pc, 0x80000000 + 2 * i);
        }
        assert_int_equal(gus_decoder_find(d, 0x80000000, RET)->place, ALIKE);
    }
    assert_int_equal(d->count, ALIKE + 1);
    gus_decoder_destroy(d);
}

static uint64_t of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return UINT64_C(0xffffffff00000000) | bits;
}

static void integers(void **state) {
    (void)state;
    assert_int_equal(gus_division_steps(INSN_DIV, 1, 2, true), 0);
    assert_int_equal(gus_division_steps(INSN_DIV, 0, 2, true), 0);
    assert_int_equal(gus_division_steps(INSN_DIV, 7, 0, true), 0);
    assert_int_equal(gus_division_steps(INSN_DIV, 3, 2, true), 1);             // one bit, of two
    assert_int_equal(gus_division_steps(INSN_REM, 4, 1, true), 2);             // three bits
    assert_int_equal(gus_division_steps(INSN_DIV, UINT64_MAX, 1, true), 1);    // -1
    assert_int_equal(gus_division_steps(INSN_DIVU, UINT64_MAX, 1, true), 32);  // 64 bits
    assert_int_equal(gus_division_steps(INSN_DIVW, 0x700000001, 1, true), 1);  // of 1
    assert_int_equal(gus_division_steps(INSN_DIVUW, 0xffffffff, 1, true), 16); // 32 bits
    assert_int_equal(gus_division_steps(INSN_REMW, 0xffffffff, 1, true), 1);   // -1
    assert_int_equal(gus_division_steps(INSN_DIV, 1, 2, false), 32);
    assert_int_equal(gus_division_steps(INSN_REMUW, 1, 2, false), 16);
}

static void fractions(void **state) {
    (void)state;
    const uint64_t one = of_double(1), three = of_double(3), two = of_double(2);
    assert_int_equal(gus_fp_steps_less(INSN_FDIV_D, one, three, of_double(1.0 / 3), true), 0);
    assert_int_equal(gus_fp_steps_less(INSN_FDIV_D, three, two, of_double(1.5), true), 1 - 28); // two bits
    assert_int_equal(gus_fp_steps_less(INSN_FDIV_D, one, of_double(0), of_double(1e300 * 1e10), true), -28);
    assert_int_equal(gus_fp_steps_less(INSN_FDIV_D, three, two, of_double(1.5), false), 0);
    assert_int_equal(gus_fp_steps_less(INSN_FSQRT_D, of_double(6.25), 0, of_double(2.5), true), 2 - 28); // three bits
    assert_int_equal(gus_fp_steps_less(INSN_FSQRT_D, of_double(-1), 0, of_double(0), true), -28);
    assert_int_equal(gus_fp_steps_less(INSN_FDIV_S, of_float(3), of_float(2), of_float(1.5F), true), 1 - 13);
    assert_int_equal(gus_fp_steps_less(INSN_FDIV_S, 3, of_float(2), of_float(1.5F), true), -13); // not boxed: no number
    assert_int_equal(gus_fp_steps_less(INSN_FADD_D, one, two, three, true), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(decodes), cmocka_unit_test(places), cmocka_unit_test(integers),
                                       cmocka_unit_test(fractions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
