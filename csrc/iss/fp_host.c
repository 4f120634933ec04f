// Operations that the host's arithmetic may do, many times as fast: those whose value IEEE 754 leaves no choice in, and
// whose flags are known without looking. That is so when rounding is to nearest, NX has been raised before and nobody
// asks whether it is again, the operands are finite, and the result is a normal number above the least
// binade: then it neither overflowed nor is it tiny. All else is left to the integer arithmetic, against which the unit
// tests hold this.
//
// The host's mode is that of a C program at its start: round to nearest, subnormal numbers as they are.
#include "iss/fp_host.h"
#include <math.h>
#include <string.h>

// Biased exponent, and the one of infinity.
static unsigned exponent(enum fp_format format, uint64_t a) {
    return format == FP_SINGLE ? a >> 23 & 0xff : a >> 52 & 0x7ff;
}
static unsigned top_exponent(enum fp_format format) {
    return format == FP_SINGLE ? 0xff : 0x7ff;
}

static bool is_finite(enum fp_format format, uint64_t a) {
    return exponent(format, a) != top_exponent(format);
}

static bool is_plain_result(enum fp_format format, uint64_t a) {
    return exponent(format, a) > 1 && is_finite(format, a);
}

static float as_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float singles(enum fp_operation op, float a, float b, float c) {
    switch (op) {
    case FP_ADD: return a + b;
    case FP_MUL: return a * b;
    case FP_DIV: return a / b;
    case FP_SQRT: return sqrtf(a);
    default: return fmaf(a, b, c);
    }
}

static double doubles(enum fp_operation op, double a, double b, double c) {
    switch (op) {
    case FP_ADD: return a + b;
    case FP_MUL: return a * b;
    case FP_DIV: return a / b;
    case FP_SQRT: return sqrt(a);
    default: return fma(a, b, c);
    }
}

bool fp_host(enum fp_operation op, enum fp_format format, const uint64_t operands[3], const struct fp_env *env,
             uint64_t *result) {
    const uint64_t a = operands[0], b = operands[1], c = operands[2];
    if (!env->inexact || env->rounding != FP_RNE) return false;
    if (!is_finite(format, a) || !is_finite(format, b) || !is_finite(format, c)) return false;
    *result = format == FP_SINGLE ? bits_of_float(singles(op, as_float(a), as_float(b), as_float(c)))
                                  : bits_of_double(doubles(op, as_double(a), as_double(b), as_double(c)));
    return is_plain_result(format, *result);
}

bool fp_host_convert(enum fp_format to, enum fp_format from, uint64_t a, const struct fp_env *env, uint64_t *result) {
    if (!env->inexact || env->rounding != FP_RNE || !is_finite(from, a)) return false;
    *result = to == FP_SINGLE ? bits_of_float((float)as_double(a)) : bits_of_double(as_float(a));
    return is_plain_result(to, *result);
}

// Every integer is within the range of normal numbers, or zero.
bool fp_host_from_integer(enum fp_format to, bool is_signed, uint64_t value, const struct fp_env *env,
                          uint64_t *result) {
    if (!env->inexact || env->rounding != FP_RNE) return false;
    if (to == FP_SINGLE) {
        *result = bits_of_float(is_signed ? (float)(int64_t)value : (float)value);
    } else {
        *result = bits_of_double(is_signed ? (double)(int64_t)value : (double)value);
    }
    return true;
}

// Toward zero, as C converts. Its flags are complete: mstatus.FS hangs on them.
bool fp_host_to_integer(enum fp_format from, unsigned bits, uint64_t a, struct fp_env *env, int64_t *result) {
    if (env->rounding != FP_RTZ || !is_finite(from, a)) return false;
    double value = from == FP_SINGLE ? (double)as_float(a) : as_double(a);
    if (!(fabs(value) < ldexp(1, (int)bits - 1))) return false;
    *result = (int64_t)value;
    if ((double)*result != value) env->flags |= FP_NX;
    return true;
}
