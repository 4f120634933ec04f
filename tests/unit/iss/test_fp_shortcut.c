// With NX raised before, the floating-point arithmetic gives the same values as without, and all flags but NX; and
// mostly by the host's (fp_host.c), which this would not test otherwise. The integer arithmetic has a test of its own
// (test_fp.c).
#include "fp_operands.h"
#include "iss/fp_host.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { CASES = 400000 };
enum operation { ADD, MUL, DIV, SQRT, FMA, CONVERT, FROM_INTEGER, TO_INTEGER, OPERATIONS };

struct given {
    enum fp_format format;
    uint64_t a, b, c;
    enum fp_integer integer;
};

static uint64_t compute(enum operation op, const struct given *g, struct fp_env *env) {
    enum fp_format other = g->format == FP_SINGLE ? FP_DOUBLE : FP_SINGLE;
    switch (op) {
    case ADD: return fp_add(g->format, g->a, g->b, env);
    case MUL: return fp_mul(g->format, g->a, g->b, env);
    case DIV: return fp_div(g->format, g->a, g->b, env);
    case SQRT: return fp_sqrt(g->format, g->a, env);
    case FMA: return fp_fma(g->format, g->a, g->b, g->c, env);
    case CONVERT: return fp_convert(other, g->format, g->a, env);
    case FROM_INTEGER: return fp_from_integer(g->format, g->integer, g->b, env);
    default: return fp_to_integer(g->format, g->integer, g->a, env);
    }
}

// Whether the host does it.
static bool shortcut(enum operation op, const struct given *g, struct fp_env *env) {
    uint64_t value;
    int64_t integer;
    static const enum fp_operation operations[] = {FP_ADD, FP_MUL, FP_DIV, FP_SQRT, FP_FMA};
    const uint64_t operands[] = {g->a, op == SQRT ? 0 : g->b, op == FMA ? g->c : 0};
    if (op <= FMA) return fp_host(operations[op], g->format, operands, env, &value);
    if (op == CONVERT)
        return fp_host_convert(g->format == FP_SINGLE ? FP_DOUBLE : FP_SINGLE, g->format, g->a, env, &value);
    if (op == FROM_INTEGER) return fp_host_from_integer(g->format, true, g->b, env, &value);
    return fp_host_to_integer(g->format, 64, g->a, env, &integer);
}

static void test_same(void **state) {
    (void)state;
    for (int op = 0; op < OPERATIONS; op++) {
        unsigned by_host = 0;
        for (unsigned i = 0; i < CASES; i++) {
            struct given g = {.format = random_below(2) ? FP_SINGLE : FP_DOUBLE, .integer = random_below(4)};
            g.a = any_operand(g.format);
            g.b = op == FROM_INTEGER ? random_bits() >> random_below(64) : second_operand(g.format, g.a);
            g.c = random_below(2) ? any_operand(g.format) : second_operand(g.format, g.b);
            enum fp_rounding rounding = random_below(8) ? (op == TO_INTEGER ? FP_RTZ : FP_RNE) : random_below(5);
            struct fp_env before = {rounding, 0, false}, after = {rounding, 0, true};
            uint64_t expected = compute((enum operation)op, &g, &before), got = compute((enum operation)op, &g, &after);
            if (got != expected || ((before.flags ^ after.flags) & (op == TO_INTEGER ? ~0u : ~(unsigned)FP_NX))) {
                fail_msg("operation %d, format %d, rounding %d of %#llx, %#llx, %#llx: %#llx with flags %#x, not %#llx "
                         "with %#x",
                         op, g.format, rounding, (unsigned long long)g.a, (unsigned long long)g.b,
                         (unsigned long long)g.c, (unsigned long long)got, after.flags, (unsigned long long)expected,
                         before.flags);
            }
            by_host += shortcut((enum operation)op, &g, &after);
        }
        // Less would be a test of nothing: corners and exponents near the limits are half of the operands.
        if (by_host < CASES / 10) fail_msg("operation %d: the host did %u of %u", op, by_host, CASES);
    }
}

// Nobody may take the host's way whose flags are asked for.
static void test_asked(void **state) {
    (void)state;
    const uint64_t one = UINT64_C(0x3ff0000000000000), three = UINT64_C(0x4008000000000000);
    const uint64_t operands[] = {one, three, 0};
    uint64_t value;
    struct fp_env env = {FP_RNE, 0, false};
    assert_false(fp_host(FP_DIV, FP_DOUBLE, operands, &env, &value));
    assert_int_equal(fp_div(FP_DOUBLE, one, three, &env), UINT64_C(0x3fd5555555555555));
    assert_int_equal(env.flags, FP_NX);
    env = (struct fp_env){FP_RUP, 0, true};
    assert_false(fp_host(FP_DIV, FP_DOUBLE, operands, &env, &value));
    assert_int_equal(fp_div(FP_DOUBLE, one, three, &env), UINT64_C(0x3fd5555555555556));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
