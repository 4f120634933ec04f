// The host's arithmetic with the interfaces of the integer one: see fp_host_values.h.
#include "iss/fp_host_values.h"

bool fp_host(enum fp_operation op, enum fp_format format, const uint64_t operands[3], const struct fp_env *env,
             uint64_t *result) {
    if (!env->inexact || env->rounding != FP_RNE) return false;
    *result = fp_host_value(op, format, operands[0], operands[1], operands[2]);
    return fp_host_may(op, format, *result);
}

bool fp_host_convert(enum fp_format to, enum fp_format from, uint64_t a, const struct fp_env *env, uint64_t *result) {
    if (!env->inexact || env->rounding != FP_RNE || from == to) return false;
    *result = fp_host_converted(to, a);
    return fp_host_may(FP_MUL, to, *result);
}

// Every integer is within the range of normal numbers, or zero.
bool fp_host_from_integer(enum fp_format to, bool is_signed, uint64_t value, const struct fp_env *env,
                          uint64_t *result) {
    if (!env->inexact || env->rounding != FP_RNE) return false;
    if (to == FP_SINGLE) {
        *result = fp_bits_of_float(is_signed ? (float)(int64_t)value : (float)value);
    } else {
        *result = fp_bits_of_double(is_signed ? (double)(int64_t)value : (double)value);
    }
    return true;
}

// Toward zero, as C converts. Its flags are complete: mstatus.FS depends on them.
bool fp_host_to_integer(enum fp_format from, unsigned bits, uint64_t a, struct fp_env *env, int64_t *result) {
    if (env->rounding != FP_RTZ) return false;
    double value = from == FP_SINGLE ? (double)fp_as_float(a) : fp_as_double(a);
    if (!(fabs(value) < ldexp(1, (int)bits - 1))) return false; // nor of a NaN
    *result = (int64_t)value;
    if ((double)*result != value) env->flags |= FP_NX;
    return true;
}
