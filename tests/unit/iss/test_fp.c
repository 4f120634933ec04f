// The floating-point arithmetic: against the host's machine instructions in the four rounding modes that they have;
// round to nearest, ties to max magnitude against the definition, with ties found in exact binary128 arithmetic; and
// cases written out by hand.
#include "fp_host.h"
#include "fp_operands.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// Of each operation, format and rounding mode. Under the sanitizers a third (all of them: unit/iss, make test-all).
#if __has_feature(address_sanitizer)
enum { CASES = 40000 };
#else
enum { CASES = 120000 };
#endif

static const char *const mode_names[] = {"rne", "rtz", "rdn", "rup", "rmm"};
static const char *const format_names[] = {"single", "double"};

// What an operation gives: an encoding or an integer, and its flags.
struct outcome {
    uint64_t value;
    unsigned flags;
};

enum operation { ADD, MUL, DIV, SQRT, FMA, CONVERT, OPERATIONS };
static const char *const operation_names[] = {"add", "mul", "div", "sqrt", "fma", "convert"};

static bool is_nan(enum fp_format format, uint64_t a) {
    return format == FP_SINGLE ? isnan(fp_as_float(a)) : isnan(fp_as_double(a));
}
static bool is_inf(enum fp_format format, uint64_t a) {
    return format == FP_SINGLE ? isinf(fp_as_float(a)) : isinf(fp_as_double(a));
}
static bool is_signaling(enum fp_format format, uint64_t a) {
    return is_nan(format, a) && !(a >> (layout_of(format).fraction_bits - 1) & 1);
}
static uint64_t canonical(enum fp_format format) {
    return format == FP_SINGLE ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
}

static struct outcome ours(enum operation op, enum fp_format format, uint64_t a, uint64_t b, uint64_t c,
                           enum fp_rounding rounding) {
    struct fp_env env = {rounding, 0, false};
    struct outcome o = {0, 0};
    switch (op) {
    case ADD: o.value = fp_add(format, a, b, &env); break;
    case MUL: o.value = fp_mul(format, a, b, &env); break;
    case DIV: o.value = fp_div(format, a, b, &env); break;
    case SQRT: o.value = fp_sqrt(format, a, &env); break;
    case FMA: o.value = fp_fma(format, a, b, c, &env); break;
    default: o.value = fp_convert(format, format == FP_SINGLE ? FP_DOUBLE : FP_SINGLE, a, &env); break;
    }
    o.flags = env.flags;
    return o;
}

// format: of the result. Conversions come from the other one.
static struct outcome host(enum operation op, enum fp_format format, uint64_t a, uint64_t b, uint64_t c,
                           enum fp_rounding rounding) {
    struct outcome o = {0, 0};
    if (format == FP_SINGLE) {
        float x = fp_as_float(a), y = fp_as_float(b), z = fp_as_float(c), r = 0;
        switch (op) {
        case ADD: r = host_add_s(x, 0, y, rounding, &o.flags); break;
        case MUL: r = host_mul_s(x, 0, y, rounding, &o.flags); break;
        case DIV: r = host_div_s(x, 0, y, rounding, &o.flags); break;
        case SQRT: r = host_sqrt_s(0, 0, x, rounding, &o.flags); break;
        case FMA: r = host_fma_s(z, x, y, rounding, &o.flags); break;
        default: r = host_d_to_s(fp_as_double(a), rounding, &o.flags); break;
        }
        o.value = fp_bits_of_float(r);
    } else {
        double x = fp_as_double(a), y = fp_as_double(b), z = fp_as_double(c), r = 0;
        switch (op) {
        case ADD: r = host_add_d(x, 0, y, rounding, &o.flags); break;
        case MUL: r = host_mul_d(x, 0, y, rounding, &o.flags); break;
        case DIV: r = host_div_d(x, 0, y, rounding, &o.flags); break;
        case SQRT: r = host_sqrt_d(0, 0, x, rounding, &o.flags); break;
        case FMA: r = host_fma_d(z, x, y, rounding, &o.flags); break;
        default: r = host_s_to_d(fp_as_float(a), rounding, &o.flags); break;
        }
        o.value = fp_bits_of_double(r);
    }
    if (is_nan(format, o.value)) o.value = canonical(format);
    // Infinity times zero is invalid for RISC-V even if a quiet NaN is added; the host says nothing then.
    bool a_zero = a << (format == FP_SINGLE ? 33 : 1) == 0, b_zero = b << (format == FP_SINGLE ? 33 : 1) == 0;
    if (op == FMA && ((is_inf(format, a) && b_zero) || (is_inf(format, b) && a_zero))) o.flags |= FP_NV;
    return o;
}

// ---- ties to max magnitude ----
static __float128 wide(enum fp_format format, uint64_t a) {
    return format == FP_SINGLE ? (__float128)fp_as_float(a) : (__float128)fp_as_double(a);
}

// a + b == m, exactly: the rounding error of the wide sum (Knuth's two-sum) is zero. No overflow is possible.
static bool sum_is(__float128 a, __float128 b, __float128 m) {
    __float128 s = a + b, b_part = s - a, a_part = s - b_part;
    return s == m && (a - a_part) + (b - b_part) == 0;
}

// Whether the exact result is m, which has one bit more than the format: all products here have 107 bits at most, and
// are exact in binary128 (113 bits).
static bool result_is(enum operation op, enum fp_format format, uint64_t a, uint64_t b, uint64_t c, __float128 m) {
    enum fp_format from = op == CONVERT ? !format : format;
    __float128 x = wide(from, a), y = wide(format, b);
    switch (op) {
    case ADD: return sum_is(x, y, m);
    case MUL: return x * y == m;
    case DIV: return m * y == x;
    case SQRT: return m * m == x;
    case FMA: return sum_is(x * y, wide(format, c), m);
    default: return x == m;
    }
}

// The neighbours of the exact result are what the host makes of it towards zero and away from it.
static struct outcome nearest_max_magnitude(enum operation op, enum fp_format format, uint64_t a, uint64_t b,
                                            uint64_t c) {
    struct outcome nearest = host(op, format, a, b, c, FP_RNE), zero = host(op, format, a, b, c, FP_RTZ);
    bool exact = !(nearest.flags & FP_NX) || is_nan(format, nearest.value);
    if (exact) return nearest;
    struct layout l = layout_of(format);
    uint64_t sign = UINT64_C(1) << (l.fraction_bits + l.exponent_bits);
    struct outcome away = host(op, format, a, b, c, zero.value & sign ? FP_RDN : FP_RUP);
    if (nearest.value == away.value) return nearest;
    // Half way between: for overflows to infinity where the next number would be.
    __float128 inner = wide(format, zero.value), outer = wide(format, away.value);
    if (is_inf(format, away.value)) outer = inner + (inner - wide(format, zero.value - 1));
    if (result_is(op, format, a, b, c, (inner + outer) / 2)) {
        // A tie of even and odd; the flags do not depend on which way it goes: ties at the limits are even outwards.
        nearest.value = away.value;
    }
    return nearest;
}

// ---- arithmetic ----
static uint64_t third_operand(enum fp_format format, uint64_t a, uint64_t b) {
    unsigned flags;
    uint64_t product = format == FP_SINGLE
                           ? fp_bits_of_float(host_mul_s(fp_as_float(a), 0, fp_as_float(b), FP_RNE, &flags))
                           : fp_bits_of_double(host_mul_d(fp_as_double(a), 0, fp_as_double(b), FP_RNE, &flags));
    if (is_nan(format, product)) return any_operand(format);
    switch (random_below(4)) {
    case 0: return fp_negate(format, product); // what rounding lost, remains
    case 1: return fp_negate(format, product) ^ random_below(8);
    default: return second_operand(format, product);
    }
}

static void compare_all(enum operation op) {
    for (int format = FP_SINGLE; format <= FP_DOUBLE; format++) {
        for (int i = 0; i < CASES; i++) {
            enum fp_format f = (enum fp_format)format;
            uint64_t a = any_operand(op == CONVERT ? !f : f), b = second_operand(f, a), c = third_operand(f, a, b);
            // Half of the conversions to single with fractions that are short, or tie.
            if (op == CONVERT && f == FP_SINGLE && (i & 1)) {
                a = assemble(FP_DOUBLE, a >> 63, 896 - 30 + random_below(320), random_fraction(25) << 27);
            }
            for (int mode = FP_RNE; mode <= FP_RMM; mode++) {
                struct outcome expected = mode == FP_RMM ? nearest_max_magnitude(op, f, a, b, c)
                                                         : host(op, f, a, b, c, (enum fp_rounding)mode);
                struct outcome got = ours(op, f, a, b, c, (enum fp_rounding)mode);
                if (got.value == expected.value && got.flags == expected.flags) continue;
                fail_msg("%s %s %s of %016llx %016llx %016llx: %016llx flags %02x, should be %016llx flags %02x",
                         format_names[f], operation_names[op], mode_names[mode], (unsigned long long)a,
                         (unsigned long long)b, (unsigned long long)c, (unsigned long long)got.value, got.flags,
                         (unsigned long long)expected.value, expected.flags);
            }
        }
    }
}

static void test_add(void **state) {
    (void)state;
    compare_all(ADD);
}
static void test_mul(void **state) {
    (void)state;
    compare_all(MUL);
}
static void test_div(void **state) {
    (void)state;
    compare_all(DIV);
}
static void test_sqrt(void **state) {
    (void)state;
    compare_all(SQRT);
}
static void test_fma(void **state) {
    (void)state;
    // No skip: a suite that has not compared must not pass.
    if (!__builtin_cpu_supports("fma"))
        fail_msg("this host has no fused multiply-add (FMA3): run the suite on one that has");
    compare_all(FMA);
}
static void test_convert(void **state) {
    (void)state;
    compare_all(CONVERT);
}

// ---- integers ----
static uint64_t random_integer(void) {
    uint64_t r = random_bits() >> random_below(64);
    switch (random_below(4)) {
    case 0: return 0 - r;
    case 1: return (UINT64_C(1) << random_below(64)) + (random_bits() % 5) - 2;
    case 2: return (~UINT64_C(0) << random_below(64)) ^ (random_bits() & 7);
    default: return r;
    }
}

static uint64_t host_from_integer(enum fp_format format, enum fp_integer from, uint64_t value,
                                  enum fp_rounding rounding, unsigned *flags) {
    bool single = format == FP_SINGLE;
    if (from == FP_W) {
        return single ? fp_bits_of_float(host_w_to_s((int32_t)value, rounding, flags))
                      : fp_bits_of_double(host_w_to_d((int32_t)value, rounding, flags));
    }
    if (from == FP_WU) value = (uint32_t)value;
    bool halved = from == FP_LU && value >> 63; // the host has signed conversions only
    if (halved) value = value >> 1 | (value & 1);
    float s = single ? host_l_to_s((int64_t)value, rounding, flags) : 0;
    double d = single ? 0 : host_l_to_d((int64_t)value, rounding, flags);
    return single ? fp_bits_of_float(halved ? 2 * s : s) : fp_bits_of_double(halved ? 2 * d : d);
}

static void test_from_integer(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        uint64_t value = random_integer();
        for (int mode = FP_RNE; mode <= FP_RUP; mode++) {
            for (int k = 0; k < 8; k++) {
                enum fp_format format = k & 1 ? FP_DOUBLE : FP_SINGLE;
                enum fp_integer from = (enum fp_integer)(k >> 1);
                struct fp_env env = {(enum fp_rounding)mode, 0, false};
                unsigned flags;
                uint64_t expected = host_from_integer(format, from, value, env.rounding, &flags);
                uint64_t got = fp_from_integer(format, from, value, &env);
                if (got == expected && env.flags == flags) continue;
                fail_msg("%s from integer %d %s of %llx: %llx flags %02x, should be %llx flags %02x",
                         format_names[format], from, mode_names[mode], (unsigned long long)value,
                         (unsigned long long)got, env.flags, (unsigned long long)expected, flags);
            }
        }
    }
}

// In the host's rounding and out of its range: NaN and +inf to the greatest, -inf to the least value, NV.
static struct outcome host_to_integer(enum fp_format format, enum fp_integer to, uint64_t a, enum fp_rounding mode) {
    static const double limits[] = {0x1p31, 0x1p32, 0x1p63, 0x1p64};
    static const uint64_t greatest[] = {0x7fffffff, UINT64_MAX, INT64_MAX, UINT64_MAX};
    static const uint64_t least[] = {UINT64_C(0xffffffff80000000), 0, UINT64_C(1) << 63, 0};
    bool is_signed = to == FP_W || to == FP_L;
    double value = format == FP_SINGLE ? (double)fp_as_float(a) : fp_as_double(a); // exact
    struct outcome o = {0, 0}, invalid = {value < 0 ? least[to] : greatest[to], FP_NV};
    if (to == FP_LU && value >= 0x1p63 && value < 0x1p64) { // has no fraction
        o.value = (uint64_t)(int64_t)(value - 0x1p63) + (UINT64_C(1) << 63);
        return o;
    }
    if (is_nan(format, a)) return invalid;
    int64_t r = format == FP_SINGLE ? host_s_to_l(fp_as_float(a), mode, &o.flags)
                                    : host_d_to_l(fp_as_double(a), mode, &o.flags);
    if (o.flags & FP_NV) return invalid;
    // r is the rounded value; it fits 63 bits
    if ((double)r >= limits[to] && to <= FP_WU) return invalid;
    if (is_signed ? (double)r < -limits[to] : r < 0) return invalid;
    o.value = to <= FP_WU ? (uint64_t)(int64_t)(int32_t)r : (uint64_t)r;
    return o;
}

static void test_to_integer(void **state) {
    (void)state;
    for (int i = 0; i < 2 * CASES; i++) {
        for (int k = 0; k < 8; k++) {
            enum fp_format format = k & 1 ? FP_DOUBLE : FP_SINGLE;
            enum fp_integer to = (enum fp_integer)(k >> 1);
            struct layout l = layout_of(format);
            uint64_t bias = (UINT64_C(1) << (l.exponent_bits - 1)) - 1, a = any_operand(format);
            if (i & 1) a = near(format, (int64_t)bias + random_below(67) - 2, 1);
            if (i % 16 == 3) { // an integer and a half
                unsigned exponent = random_below(l.fraction_bits);
                a = assemble(format, random_bits() & 1, bias + exponent,
                             (random_bits() | UINT64_C(1) << (l.fraction_bits - 1 - exponent)) &
                                 ~UINT64_C(0) << (l.fraction_bits - 1 - exponent));
            }
            for (int mode = FP_RNE; mode <= FP_RUP; mode++) {
                struct fp_env env = {(enum fp_rounding)mode, 0, false};
                struct outcome expected = host_to_integer(format, to, a, env.rounding);
                uint64_t got = fp_to_integer(format, to, a, &env);
                if (got == expected.value && env.flags == expected.flags) continue;
                fail_msg("%s to integer %d %s of %llx: %llx flags %02x, should be %llx flags %02x",
                         format_names[format], to, mode_names[mode], (unsigned long long)a, (unsigned long long)got,
                         env.flags, (unsigned long long)expected.value, expected.flags);
            }
        }
    }
}

// ---- comparisons, classes, signs ----
static void check_comparisons(enum fp_format format, uint64_t a, uint64_t b) {
    double x = format == FP_SINGLE ? (double)fp_as_float(a) : fp_as_double(a);
    double y = format == FP_SINGLE ? (double)fp_as_float(b) : fp_as_double(b);
    bool nan = is_nan(format, a) || is_nan(format, b);
    unsigned quiet = is_signaling(format, a) || is_signaling(format, b) ? FP_NV : 0, loud = nan ? FP_NV : 0;
    struct fp_env env = {FP_RNE, 0, false};
    assert_int_equal(fp_equal(format, a, b, &env), x == y);
    assert_int_equal(env.flags, quiet);
    env.flags = 0;
    assert_int_equal(fp_less(format, a, b, &env), x < y);
    assert_int_equal(env.flags, loud);
    env.flags = 0;
    assert_int_equal(fp_less_or_equal(format, a, b, &env), x <= y);
    assert_int_equal(env.flags, loud);

    uint64_t least = canonical(format), greatest = canonical(format);
    if (nan) {
        if (!is_nan(format, a)) least = greatest = a;
        if (!is_nan(format, b)) least = greatest = b;
    } else {
        bool a_first = x < y || (x == y && signbit(x) > signbit(y));
        least = a_first ? a : b;
        greatest = a_first ? b : a;
    }
    env.flags = 0;
    assert_int_equal(fp_min(format, a, b, &env), least);
    assert_int_equal(env.flags, quiet);
    env.flags = 0;
    assert_int_equal(fp_max(format, a, b, &env), greatest);
    assert_int_equal(env.flags, quiet);
}

static unsigned expected_class(enum fp_format format, uint64_t a) {
    bool negative = format == FP_SINGLE ? signbit(fp_as_float(a)) : signbit(fp_as_double(a));
    switch (format == FP_SINGLE ? fpclassify(fp_as_float(a)) : fpclassify(fp_as_double(a))) {
    case FP_INFINITE: return negative ? 1 << 0 : 1 << 7;
    case FP_NORMAL: return negative ? 1 << 1 : 1 << 6;
    case FP_SUBNORMAL: return negative ? 1 << 2 : 1 << 5;
    case FP_ZERO: return negative ? 1 << 3 : 1 << 4;
    default: return is_signaling(format, a) ? 1 << 8 : 1 << 9;
    }
}

static void test_comparisons(void **state) {
    (void)state;
    for (int i = 0; i < 4 * CASES; i++) {
        enum fp_format format = i & 1 ? FP_DOUBLE : FP_SINGLE;
        uint64_t a = any_operand(format), b = any_operand(format);
        switch (random_below(4)) {
        case 0: b = a; break;
        case 1: b = fp_negate(format, a); break;
        case 2: b = a ^ 1; break;
        default: break;
        }
        check_comparisons(format, a, b);
        assert_int_equal(fp_classify(format, a), expected_class(format, a));
    }
}

// ---- by hand ----
#define D(value) fp_bits_of_double(value)
#define S(value) fp_bits_of_float(value)
#define NAN_D UINT64_C(0x7ff8000000000000)
#define NAN_S UINT64_C(0x7fc00000)
#define SNAN_D UINT64_C(0x7ff0000000000001)
#define QNAN_D UINT64_C(0xfff8000000000123)

static void expect(enum operation op, enum fp_format format, uint64_t a, uint64_t b, uint64_t c,
                   enum fp_rounding rounding, uint64_t value, unsigned flags) {
    struct outcome got = ours(op, format, a, b, c, rounding);
    assert_int_equal(got.value, value);
    assert_int_equal(got.flags, flags);
}

static void test_special(void **state) {
    (void)state;
    const uint64_t inf = D(INFINITY);
    expect(ADD, FP_DOUBLE, inf, D(-INFINITY), 0, FP_RNE, NAN_D, FP_NV);
    expect(ADD, FP_DOUBLE, QNAN_D, D(1.0), 0, FP_RNE, NAN_D, 0); // sign and payload are lost
    expect(ADD, FP_DOUBLE, QNAN_D, SNAN_D, 0, FP_RNE, NAN_D, FP_NV);
    expect(ADD, FP_DOUBLE, D(1.0), D(-1.0), 0, FP_RNE, D(0.0), 0);
    expect(ADD, FP_DOUBLE, D(1.0), D(-1.0), 0, FP_RDN, D(-0.0), 0);
    expect(ADD, FP_DOUBLE, D(-0.0), D(-0.0), 0, FP_RUP, D(-0.0), 0);
    expect(ADD, FP_DOUBLE, D(0.0), D(-0.0), 0, FP_RDN, D(-0.0), 0);
    expect(MUL, FP_DOUBLE, inf, D(0.0), 0, FP_RNE, NAN_D, FP_NV);
    expect(FMA, FP_DOUBLE, inf, D(0.0), QNAN_D, FP_RNE, NAN_D, FP_NV); // although the addend is quiet
    expect(FMA, FP_DOUBLE, inf, D(1.0), D(-INFINITY), FP_RNE, NAN_D, FP_NV);
    expect(FMA, FP_DOUBLE, QNAN_D, D(0.0), D(1.0), FP_RNE, NAN_D, 0);
    expect(DIV, FP_DOUBLE, D(-1.0), D(0.0), 0, FP_RNE, D(-INFINITY), FP_DZ);
    expect(DIV, FP_DOUBLE, D(0.0), D(0.0), 0, FP_RNE, NAN_D, FP_NV);
    expect(DIV, FP_DOUBLE, inf, D(0.0), 0, FP_RNE, inf, 0);
    expect(SQRT, FP_DOUBLE, D(-0.0), 0, 0, FP_RNE, D(-0.0), 0);
    expect(SQRT, FP_DOUBLE, D(-1.0), 0, 0, FP_RNE, NAN_D, FP_NV);
    expect(SQRT, FP_SINGLE, S(2.0f), 0, 0, FP_RNE, 0x3fb504f3, FP_NX);
    expect(CONVERT, FP_SINGLE, SNAN_D, 0, 0, FP_RNE, NAN_S, FP_NV);
    // overflow: infinity or the greatest number, by mode and sign
    const uint64_t greatest = UINT64_C(0x7fefffffffffffff);
    expect(MUL, FP_DOUBLE, greatest, D(2.0), 0, FP_RNE, inf, FP_OF | FP_NX);
    expect(MUL, FP_DOUBLE, greatest, D(2.0), 0, FP_RMM, inf, FP_OF | FP_NX);
    expect(MUL, FP_DOUBLE, greatest, D(2.0), 0, FP_RTZ, greatest, FP_OF | FP_NX);
    expect(MUL, FP_DOUBLE, greatest, D(2.0), 0, FP_RDN, greatest, FP_OF | FP_NX);
    expect(MUL, FP_DOUBLE, greatest, D(-2.0), 0, FP_RDN, D(-INFINITY), FP_OF | FP_NX);
    expect(MUL, FP_DOUBLE, greatest, D(-2.0), 0, FP_RUP, greatest | UINT64_C(1) << 63, FP_OF | FP_NX);
    // ties: 1 + 2^-53 lies half way between 1 and the next number
    const uint64_t one = D(1.0), next = one + 1;
    expect(ADD, FP_DOUBLE, one, D(0x1p-53), 0, FP_RNE, one, FP_NX);
    expect(ADD, FP_DOUBLE, one, D(0x1p-53), 0, FP_RMM, next, FP_NX);
    expect(ADD, FP_DOUBLE, D(-1.0), D(-0x1p-53), 0, FP_RMM, next | UINT64_C(1) << 63, FP_NX);
    expect(ADD, FP_DOUBLE, one, D(0x1p-200), 0, FP_RMM, one, FP_NX);
    expect(ADD, FP_DOUBLE, one, D(0x1p-200), 0, FP_RUP, next, FP_NX);
    expect(ADD, FP_DOUBLE, one, D(-0x1p-200), 0, FP_RTZ, one - 1, FP_NX);
    // single rounding: (1 + 2^-30)^2 - (1 + 2^-29) is 2^-60
    expect(FMA, FP_DOUBLE, D(1 + 0x1p-30), D(1 + 0x1p-30), D(-1 - 0x1p-29), FP_RNE, D(0x1p-60), 0);
}

// Tininess is judged after rounding with an exponent range without end: a product just below the least normal number
// that rounds up to it is not tiny if it would do so with 24 bits, too.
static void test_tininess(void **state) {
    (void)state;
    const uint64_t least_normal = 0x00800000;
    // (2^-126 (2 - 2^-23)) * (1/2) = 2^-126 (1 - 2^-24): 24 bits hold it exactly, so that it is tiny.
    expect(MUL, FP_SINGLE, 0x00ffffff, S(0.5f), 0, FP_RNE, least_normal, FP_UF | FP_NX);
    // (1 - 2^-24) * (1 + 2^-23) * 2^-126 = 2^-126 (1 + 2^-24 - 2^-47) rounds down to 2^-126: normal in any case.
    expect(MUL, FP_SINGLE, S(0x1.fffffep-1f), S(0x1.000002p-126f), 0, FP_RNE, least_normal, FP_NX);
    // (1 - 2^-23)(1 + 2^-23) 2^-126 = 2^-126 (1 - 2^-46): not tiny to nearest or upwards, tiny towards zero.
    expect(MUL, FP_SINGLE, S(0x1.fffffcp-1f), S(0x1.000002p-126f), 0, FP_RNE, least_normal, FP_NX);
    expect(MUL, FP_SINGLE, S(0x1.fffffcp-1f), S(0x1.000002p-126f), 0, FP_RUP, least_normal, FP_NX);
    expect(MUL, FP_SINGLE, S(0x1.fffffcp-1f), S(0x1.000002p-126f), 0, FP_RTZ, 0x007fffff, FP_UF | FP_NX);
    // exact subnormals raise nothing; inexact ones do
    expect(MUL, FP_SINGLE, least_normal, S(0.5f), 0, FP_RNE, 0x00400000, 0);
    expect(MUL, FP_SINGLE, 1, S(0.5f), 0, FP_RNE, 0, FP_UF | FP_NX);
    expect(MUL, FP_SINGLE, 1, S(0.5f), 0, FP_RMM, 1, FP_UF | FP_NX);
    expect(MUL, FP_SINGLE, 1, S(-0x1p-100f), 0, FP_RDN, 0x80000001, FP_UF | FP_NX);
}

static void test_integer_corners(void **state) {
    (void)state;
    static const struct {
        enum fp_integer to;
        enum fp_rounding rounding;
        double from;
        uint64_t value;
        unsigned flags;
    } cases[] = {
        {FP_W, FP_RMM, 2.5, 3, FP_NX},
        {FP_W, FP_RMM, -2.5, UINT64_C(-3), FP_NX},
        {FP_W, FP_RNE, 2.5, 2, FP_NX},
        {FP_W, FP_RMM, 0.49999999999999994, 0, FP_NX},
        {FP_W, FP_RMM, 2147483647.5, 0x7fffffff, FP_NV},
        {FP_W, FP_RTZ, 2147483647.5, 0x7fffffff, FP_NX},
        {FP_W, FP_RTZ, -2147483648.5, UINT64_C(0xffffffff80000000), FP_NX},
        {FP_W, FP_RDN, -2147483648.5, UINT64_C(0xffffffff80000000), FP_NV},
        {FP_WU, FP_RTZ, -0.75, 0, FP_NX},
        {FP_WU, FP_RMM, -0.5, 0, FP_NV},
        {FP_WU, FP_RNE, -0.5, 0, FP_NX},
        {FP_WU, FP_RNE, 4294967295.0, UINT64_MAX, 0}, // sign-extended
        {FP_WU, FP_RNE, 4294967296.0, UINT64_MAX, FP_NV},
        {FP_L, FP_RNE, 0x1p63, INT64_MAX, FP_NV},
        {FP_L, FP_RNE, -0x1p63, UINT64_C(1) << 63, 0},
        {FP_LU, FP_RNE, 0x1p63, UINT64_C(1) << 63, 0},
        {FP_LU, FP_RNE, 0x1p64, UINT64_MAX, FP_NV},
        {FP_LU, FP_RDN, -0x1p-1000, 0, FP_NV},
        {FP_LU, FP_RUP, -0x1p-1000, 0, FP_NX},
        {FP_LU, FP_RUP, 0x1p-1000, 1, FP_NX},
        {FP_LU, FP_RNE, -INFINITY, 0, FP_NV},
        {FP_W, FP_RNE, INFINITY, 0x7fffffff, FP_NV},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fp_env env = {cases[i].rounding, 0, false};
        assert_int_equal(fp_to_integer(FP_DOUBLE, cases[i].to, D(cases[i].from), &env), cases[i].value);
        assert_int_equal(env.flags, cases[i].flags);
    }
    for (int to = FP_W; to <= FP_LU; to++) { // a NaN is the greatest, whatever its sign
        static const uint64_t greatest[] = {0x7fffffff, UINT64_MAX, INT64_MAX, UINT64_MAX};
        struct fp_env env = {FP_RNE, 0, false};
        assert_int_equal(fp_to_integer(FP_DOUBLE, (enum fp_integer)to, QNAN_D, &env), greatest[to]);
        assert_int_equal(env.flags, FP_NV);
    }
    struct fp_env env = {FP_RMM, 0, false}; // 2^53 + 1 ties
    assert_int_equal(fp_from_integer(FP_DOUBLE, FP_L, (UINT64_C(1) << 53) + 1, &env), D(0x1p53) + 1);
    assert_int_equal(env.flags, FP_NX);
}

static void test_signs(void **state) {
    (void)state;
    assert_int_equal(fp_negate(FP_SINGLE, 0x7fc00001), 0xffc00001);
    assert_int_equal(fp_negate(FP_DOUBLE, D(-0.0)), 0);
    assert_int_equal(fp_copy_sign(FP_DOUBLE, QNAN_D, false), QNAN_D ^ UINT64_C(1) << 63);
    assert_int_equal(fp_copy_sign(FP_SINGLE, S(2.0f), true), S(-2.0f));
    assert_true(fp_sign(FP_SINGLE, 0x80000000));
    assert_false(fp_sign(FP_SINGLE, 0x7fffffff));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special),     cmocka_unit_test(test_tininess),     cmocka_unit_test(test_integer_corners),
        cmocka_unit_test(test_signs),       cmocka_unit_test(test_add),          cmocka_unit_test(test_mul),
        cmocka_unit_test(test_div),         cmocka_unit_test(test_sqrt),         cmocka_unit_test(test_fma),
        cmocka_unit_test(test_convert),     cmocka_unit_test(test_from_integer), cmocka_unit_test(test_to_integer),
        cmocka_unit_test(test_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
