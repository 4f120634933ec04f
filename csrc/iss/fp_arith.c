// Sum, product, fused multiply-add, quotient and square root.
#include "iss/fp_internal.h"

// Leading one of the operands of a sum: room for the carry above it, and 20 bits below a product of two doubles.
enum { SUM_TOP = 125 };

// a + b of finite numbers of at most 106 significant bits. Aligning loses bits only if the exponents differ by 20 or
// more, and then the sum keeps its leading one within a bit of SUM_TOP: the sticky bit is far below what rounding
// needs.
static uint64_t sum(enum fp_format format, struct fp_number a, struct fp_number b, struct fp_env *env) {
    if (a.significand == 0 && b.significand == 0) {
        a.negative = a.negative == b.negative ? a.negative : env->rounding == FP_RDN;
        return fp_round(format, a, env);
    }
    if (a.significand == 0) return fp_round(format, b, env);
    if (b.significand == 0) return fp_round(format, a, env);
    a = fp_normalise(a, SUM_TOP);
    b = fp_normalise(b, SUM_TOP);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        struct fp_number swap = a;
        a = b;
        b = swap;
    }
    uint128 aligned = fp_shift_sticky(b.significand, a.exponent - b.exponent);
    if (a.negative == b.negative) {
        a.significand += aligned;
    } else {
        a.significand -= aligned;
        if (a.significand == 0) a.negative = env->rounding == FP_RDN;
    }
    return fp_round(format, a, env);
}

static uint64_t sum_of(enum fp_format format, struct fp_number a, struct fp_number b, struct fp_env *env) {
    if (fp_is_nan(a) || fp_is_nan(b)) return fp_propagate(format, a, b, env);
    if (a.kind == FP_INFINITE && b.kind == FP_INFINITE && a.negative != b.negative) return fp_invalid(format, env);
    if (a.kind == FP_INFINITE) return fp_pack_infinity(format, a.negative);
    if (b.kind == FP_INFINITE) return fp_pack_infinity(format, b.negative);
    return sum(format, a, b, env);
}

uint64_t fp_add(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    uint64_t quick;
    if (fp_host(FP_ADD, format, (const uint64_t[]){a, b, 0}, env, &quick)) return quick;
    return sum_of(format, fp_unpack(format, a), fp_unpack(format, b), env);
}

// Exact, or infinite, or a NaN; infinity times zero is a signaling one, as it is invalid.
static struct fp_number product(struct fp_number a, struct fp_number b) {
    struct fp_number p = {.kind = FP_FINITE, .negative = a.negative != b.negative};
    bool invalid = (a.kind == FP_INFINITE && fp_is_zero(b)) || (b.kind == FP_INFINITE && fp_is_zero(a));
    if (invalid || a.kind == FP_SIGNALING_NAN || b.kind == FP_SIGNALING_NAN) {
        p.kind = FP_SIGNALING_NAN;
    } else if (fp_is_nan(a) || fp_is_nan(b)) {
        p.kind = FP_QUIET_NAN;
    } else if (a.kind == FP_INFINITE || b.kind == FP_INFINITE) {
        p.kind = FP_INFINITE;
    } else {
        p.exponent = a.exponent + b.exponent;
        p.significand = a.significand * b.significand;
    }
    return p;
}

uint64_t fp_mul(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    uint64_t quick;
    if (fp_host(FP_MUL, format, (const uint64_t[]){a, b, 0}, env, &quick)) return quick;
    struct fp_number p = product(fp_unpack(format, a), fp_unpack(format, b));
    if (fp_is_nan(p)) return fp_propagate(format, p, p, env);
    if (p.kind == FP_INFINITE) return fp_pack_infinity(format, p.negative);
    return fp_round(format, p, env);
}

uint64_t fp_fma(enum fp_format format, uint64_t a, uint64_t b, uint64_t c, struct fp_env *env) {
    uint64_t quick;
    if (fp_host(FP_FMA, format, (const uint64_t[]){a, b, c}, env, &quick)) return quick;
    return sum_of(format, product(fp_unpack(format, a), fp_unpack(format, b)), fp_unpack(format, c), env);
}

uint64_t fp_div(enum fp_format format, uint64_t a_bits, uint64_t b_bits, struct fp_env *env) {
    uint64_t quick;
    if (fp_host(FP_DIV, format, (const uint64_t[]){a_bits, b_bits, 0}, env, &quick)) return quick;
    struct fp_number a = fp_unpack(format, a_bits), b = fp_unpack(format, b_bits);
    if (fp_is_nan(a) || fp_is_nan(b)) return fp_propagate(format, a, b, env);
    bool negative = a.negative != b.negative;
    if (a.kind == b.kind && (a.kind == FP_INFINITE || (fp_is_zero(a) && fp_is_zero(b)))) return fp_invalid(format, env);
    if (a.kind == FP_INFINITE) return fp_pack_infinity(format, negative);
    if (b.kind == FP_INFINITE || fp_is_zero(a)) return negative ? fp_shape(format)->sign : 0;
    if (fp_is_zero(b)) {
        env->flags |= FP_DZ;
        return fp_pack_infinity(format, negative);
    }
    // At least 63 bits of quotient; what remains is the sticky bit.
    a = fp_normalise(a, 126);
    b = fp_normalise(b, 63);
    uint128 quotient = a.significand / b.significand;
    bool remains = a.significand % b.significand != 0;
    struct fp_number q = {FP_FINITE, negative, a.exponent - b.exponent - 1, quotient << 1 | remains};
    return fp_round(format, q, env);
}

// The greatest root with root * root <= value < 2^126, bit by bit.
static uint64_t integer_root(uint128 value) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 62; bit; bit >>= 1) {
        uint64_t candidate = root | bit;
        if ((uint128)candidate * candidate <= value) root = candidate;
    }
    return root;
}

uint64_t fp_sqrt(enum fp_format format, uint64_t a_bits, struct fp_env *env) {
    uint64_t quick;
    if (fp_host(FP_SQRT, format, (const uint64_t[]){a_bits, 0, 0}, env, &quick)) return quick;
    struct fp_number a = fp_unpack(format, a_bits);
    if (fp_is_nan(a)) return fp_propagate(format, a, a, env);
    if (fp_is_zero(a)) return a_bits; // -0 stays
    if (a.negative) return fp_invalid(format, env);
    if (a.kind == FP_INFINITE) return a_bits;
    a = fp_normalise(a, 125);
    if (a.exponent % 2 != 0) { // an even exponent, by a bit that is 0 here
        a.significand >>= 1;
        a.exponent++;
    }
    uint64_t root = integer_root(a.significand);
    bool remains = (uint128)root * root != a.significand;
    struct fp_number r = {FP_FINITE, false, a.exponent / 2 - 1, (uint128)root << 1 | remains};
    return fp_round(format, r, env);
}
