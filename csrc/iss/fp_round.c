// Taking numbers apart, rounding them and putting them together.
//
// The method: operations make their result exactly, or to far more bits than are needed with a sticky bit 0, as an
// integer times a power of two. fp_round finds the weight that the format's last bit has at that magnitude and rounds
// to a multiple of it once. Carries into the exponent, up to infinity, come from adding the encodings as integers.
#include "iss/fp_internal.h"

const struct fp_shape *fp_shape(enum fp_format format) {
    static const struct fp_shape shapes[] = {
        [FP_SINGLE] = {23, -126, 127, UINT64_C(0x7f800000), UINT64_C(0x80000000)},
        [FP_DOUBLE] = {52, -1022, 1023, UINT64_C(0x7ff0000000000000), UINT64_C(0x8000000000000000)},
    };
    return &shapes[format];
}

uint64_t fp_canonical_nan(enum fp_format format) {
    const struct fp_shape *shape = fp_shape(format);
    return shape->infinity | UINT64_C(1) << (shape->fraction_bits - 1);
}

uint64_t fp_pack_infinity(enum fp_format format, bool negative) {
    const struct fp_shape *shape = fp_shape(format);
    return shape->infinity | (negative ? shape->sign : 0);
}

uint64_t fp_invalid(enum fp_format format, struct fp_env *env) {
    env->flags |= FP_NV;
    return fp_canonical_nan(format);
}

uint64_t fp_propagate(enum fp_format format, struct fp_number a, struct fp_number b, struct fp_env *env) {
    if (a.kind == FP_SIGNALING_NAN || b.kind == FP_SIGNALING_NAN) env->flags |= FP_NV;
    return fp_canonical_nan(format);
}

struct fp_number fp_unpack(enum fp_format format, uint64_t a) {
    const struct fp_shape *shape = fp_shape(format);
    uint64_t hidden = UINT64_C(1) << shape->fraction_bits, fraction = a & (hidden - 1);
    uint64_t biased = (a & shape->infinity) >> shape->fraction_bits;
    struct fp_number n = {.kind = FP_FINITE, .negative = a & shape->sign};
    if ((a & shape->infinity) == shape->infinity) {
        n.kind = fraction == 0 ? FP_INFINITE : fraction & hidden >> 1 ? FP_QUIET_NAN : FP_SIGNALING_NAN;
        return n;
    }
    // Subnormals have the weight of the least normal exponent, without the hidden one.
    n.exponent = shape->least - shape->fraction_bits + (biased ? (int)biased - 1 : 0);
    n.significand = biased ? hidden | fraction : fraction;
    return n;
}

int fp_top_bit(uint128 value) {
    uint64_t high = (uint64_t)(value >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
}

struct fp_number fp_normalise(struct fp_number number, int top) {
    if (number.significand == 0) return number;
    int shift = top - fp_top_bit(number.significand);
    number.significand <<= shift;
    number.exponent -= shift;
    return number;
}

uint128 fp_shift_sticky(uint128 significand, int shift) {
    if (shift <= 0) return significand;
    if (shift > 127) return significand != 0;
    uint128 lost = significand & (((uint128)1 << shift) - 1);
    return significand >> shift | (lost != 0);
}

static bool rounds_up(enum fp_rounding rounding, bool negative, bool odd, bool at_least_half, bool exactly_half) {
    switch (rounding) {
    case FP_RNE: return exactly_half ? odd : at_least_half;
    case FP_RMM: return at_least_half;
    case FP_RDN: return negative;
    case FP_RUP: return !negative;
    default: return false;
    }
}

uint128 fp_shift_round(uint128 significand, int shift, bool negative, enum fp_rounding rounding, bool *inexact) {
    *inexact = false;
    if (significand == 0) return 0;
    if (shift <= 0) return significand << -shift;
    // No significand has bit 127 set; it is all below one half: the same as a 1 at the far end.
    if (shift > 127) {
        significand = 1;
        shift = 127;
    }
    uint128 half = (uint128)1 << (shift - 1), kept = significand >> shift;
    uint128 lost = significand & (half | (half - 1));
    if (lost == 0) return kept;
    *inexact = true;
    return kept + rounds_up(rounding, negative, kept & 1, lost >= half, lost == half);
}

// Tiny after rounding: with an exponent range without end, too, the rounded number is below the least normal one.
static bool is_tiny(const struct fp_shape *shape, struct fp_number n, int top, enum fp_rounding rounding) {
    int magnitude = n.exponent + top;
    if (magnitude != shape->least - 1) return magnitude < shape->least;
    bool inexact;
    uint128 rounded = fp_shift_round(n.significand, top - shape->fraction_bits, n.negative, rounding, &inexact);
    return rounded >> shape->fraction_bits < 2;
}

static uint64_t overflow(const struct fp_shape *shape, bool negative, struct fp_env *env) {
    env->flags |= FP_OF | FP_NX;
    bool to_infinity =
        env->rounding == FP_RNE || env->rounding == FP_RMM || env->rounding == (negative ? FP_RDN : FP_RUP);
    return shape->infinity - !to_infinity; // below infinity: the greatest number
}

uint64_t fp_round(enum fp_format format, struct fp_number number, struct fp_env *env) {
    const struct fp_shape *shape = fp_shape(format);
    uint64_t sign = number.negative ? shape->sign : 0;
    if (number.significand == 0) return sign;
    int top = fp_top_bit(number.significand), magnitude = number.exponent + top;
    if (magnitude > shape->greatest) return sign | overflow(shape, number.negative, env);
    int binade = magnitude < shape->least ? shape->least : magnitude;
    int last = binade - shape->fraction_bits; // exponent of the result's last bit
    bool inexact;
    uint128 rounded =
        fp_shift_round(number.significand, last - number.exponent, number.negative, env->rounding, &inexact);
    // The hidden one, if present, counts as one binade more.
    uint64_t packed = ((uint64_t)(binade - shape->least) << shape->fraction_bits) + (uint64_t)rounded;
    if (packed >= shape->infinity) return sign | overflow(shape, number.negative, env);
    if (inexact) {
        env->flags |= FP_NX;
        if (is_tiny(shape, number, top, env->rounding)) env->flags |= FP_UF;
    }
    return sign | packed;
}
