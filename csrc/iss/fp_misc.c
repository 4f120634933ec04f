// Signs, comparisons, classes, and conversions between the formats and to and from integers.
#include "iss/fp_internal.h"

uint64_t fp_negate(enum fp_format format, uint64_t a) {
    return a ^ fp_shape(format)->sign;
}

bool fp_sign(enum fp_format format, uint64_t a) {
    return a & fp_shape(format)->sign;
}

uint64_t fp_copy_sign(enum fp_format format, uint64_t a, bool sign) {
    return (a & ~fp_shape(format)->sign) | (sign ? fp_shape(format)->sign : 0);
}

// The encoding as an integer in the order of the numbers, -0 below +0. Not for NaNs.
static int64_t order(enum fp_format format, uint64_t a) {
    int64_t magnitude = (int64_t)(a & ~fp_shape(format)->sign);
    return fp_sign(format, a) ? -1 - magnitude : magnitude;
}

static bool are_zero(enum fp_format format, uint64_t a, uint64_t b) {
    return ((a | b) & ~fp_shape(format)->sign) == 0;
}

// Whether one is a NaN; NV for a signaling one, or for any if `signaling`.
static bool unordered(enum fp_format format, uint64_t a, uint64_t b, bool signaling, struct fp_env *env) {
    enum fp_kind ka = fp_unpack(format, a).kind, kb = fp_unpack(format, b).kind;
    bool nan = ka >= FP_QUIET_NAN || kb >= FP_QUIET_NAN;
    if (ka == FP_SIGNALING_NAN || kb == FP_SIGNALING_NAN || (nan && signaling)) env->flags |= FP_NV;
    return nan;
}

bool fp_equal(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    return !unordered(format, a, b, false, env) && (a == b || are_zero(format, a, b));
}

bool fp_less(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    return !unordered(format, a, b, true, env) && order(format, a) < order(format, b) && !are_zero(format, a, b);
}

bool fp_less_or_equal(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    return !unordered(format, a, b, true, env) && (order(format, a) <= order(format, b) || are_zero(format, a, b));
}

static uint64_t pick(enum fp_format format, uint64_t a, uint64_t b, bool maximum, struct fp_env *env) {
    if (unordered(format, a, b, false, env)) {
        bool a_is_nan = fp_is_nan(fp_unpack(format, a)), b_is_nan = fp_is_nan(fp_unpack(format, b));
        return !a_is_nan ? a : !b_is_nan ? b : fp_canonical_nan(format);
    }
    return (order(format, a) < order(format, b)) != maximum ? a : b;
}

uint64_t fp_min(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    return pick(format, a, b, false, env);
}

uint64_t fp_max(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env) {
    return pick(format, a, b, true, env);
}

unsigned fp_classify(enum fp_format format, uint64_t a) {
    enum { NEG_INF, NEG_NORMAL, NEG_SUBNORMAL, NEG_ZERO, POS_ZERO, POS_SUBNORMAL, POS_NORMAL, POS_INF, SNAN, QNAN };
    struct fp_number n = fp_unpack(format, a);
    if (fp_is_nan(n)) return 1u << (n.kind == FP_SIGNALING_NAN ? SNAN : QNAN);
    if (n.kind == FP_INFINITE) return 1u << (n.negative ? NEG_INF : POS_INF);
    if (n.significand == 0) return 1u << (n.negative ? NEG_ZERO : POS_ZERO);
    bool subnormal = n.significand >> fp_shape(format)->fraction_bits == 0;
    if (subnormal) return 1u << (n.negative ? NEG_SUBNORMAL : POS_SUBNORMAL);
    return 1u << (n.negative ? NEG_NORMAL : POS_NORMAL);
}

uint64_t fp_convert(enum fp_format to, enum fp_format from, uint64_t a, struct fp_env *env) {
    uint64_t quick;
    if (fp_host_convert(to, from, a, env, &quick)) return quick;
    struct fp_number n = fp_unpack(from, a);
    if (fp_is_nan(n)) return fp_propagate(to, n, n, env);
    if (n.kind == FP_INFINITE) return fp_pack_infinity(to, n.negative);
    return fp_round(to, n, env);
}

uint64_t fp_from_integer(enum fp_format to, enum fp_integer from, uint64_t value, struct fp_env *env) {
    if (from == FP_W) value = (uint64_t)(int64_t)(int32_t)value;
    if (from == FP_WU) value = (uint32_t)value;
    bool is_signed = from == FP_W || from == FP_L, negative = is_signed && (int64_t)value < 0;
    uint64_t quick;
    if (fp_host_from_integer(to, is_signed, value, env, &quick)) return quick;
    struct fp_number n = {FP_FINITE, negative, 0, negative ? 0 - value : value};
    return fp_round(to, n, env);
}

uint64_t fp_to_integer(enum fp_format from, enum fp_integer to, uint64_t a, struct fp_env *env) {
    // Magnitudes of the least and the greatest value.
    static const uint64_t least[] = {[FP_W] = UINT64_C(1) << 31, [FP_WU] = 0, [FP_L] = UINT64_C(1) << 63, [FP_LU] = 0};
    static const uint64_t greatest[] = {
        [FP_W] = INT32_MAX, [FP_WU] = UINT32_MAX, [FP_L] = INT64_MAX, [FP_LU] = UINT64_MAX};
    int64_t quick;
    if ((to == FP_W || to == FP_L) && fp_host_to_integer(from, to == FP_W ? 32 : 64, a, env, &quick))
        return (uint64_t)quick;
    struct fp_number n = fp_unpack(from, a);
    bool inexact = false, negative = n.negative && !fp_is_nan(n); // a NaN counts as above all
    uint128 magnitude = (uint128)1 << 64;                         // out of every range
    if (n.kind == FP_FINITE && (n.significand == 0 || n.exponent + fp_top_bit(n.significand) < 64)) {
        magnitude = fp_shift_round(n.significand, -n.exponent, negative, env->rounding, &inexact);
    }
    uint64_t limit = negative ? least[to] : greatest[to];
    if (magnitude > limit) {
        env->flags |= FP_NV; // and not NX
        magnitude = limit;
    } else if (inexact) {
        env->flags |= FP_NX;
    }
    uint64_t result = negative ? 0 - (uint64_t)magnitude : (uint64_t)magnitude;
    return to <= FP_WU ? (uint64_t)(int64_t)(int32_t)result : result;
}
