// What the files of the floating-point arithmetic share: numbers taken apart, and rounding. See fp_round.c.
#ifndef TIPOFF_ISS_FP_INTERNAL_H
#define TIPOFF_ISS_FP_INTERNAL_H

#include "iss/fp.h"
#include "iss/fp_host.h"

typedef unsigned __int128 uint128;

// A format: fraction bits, least exponent of a normal number, greatest exponent.
struct fp_shape {
    int fraction_bits, least, greatest;
    uint64_t infinity, sign;
};
const struct fp_shape *fp_shape(enum fp_format format);

enum fp_kind { FP_FINITE, FP_INFINITE, FP_QUIET_NAN, FP_SIGNALING_NAN };

// A finite number is significand * 2^exponent exactly; zero has significand 0. Nothing is normalised. In numbers on
// their way to fp_round, bit 0 of the significand may be sticky: set also if the value lies strictly between this
// significand and one of its neighbours.
struct fp_number {
    enum fp_kind kind;
    bool negative;
    int exponent;
    uint128 significand;
};

struct fp_number fp_unpack(enum fp_format format, uint64_t a);
// Rounds a finite number and packs it; sets NX, UF, OF.
uint64_t fp_round(enum fp_format format, struct fp_number number, struct fp_env *env);
uint64_t fp_pack_infinity(enum fp_format format, bool negative);
// significand / 2^shift rounded to an integer; whether that is inexact.
uint128 fp_shift_round(uint128 significand, int shift, bool negative, enum fp_rounding rounding, bool *inexact);
// significand / 2^shift with what is lost ORed into bit 0.
uint128 fp_shift_sticky(uint128 significand, int shift);
// The significand's leading one moved to `top`, which must not lie below it; zero stays as it is.
struct fp_number fp_normalise(struct fp_number number, int top);
int fp_top_bit(uint128 value); // of a value that is not 0

static inline bool fp_is_nan(struct fp_number n) {
    return n.kind >= FP_QUIET_NAN;
}
static inline bool fp_is_zero(struct fp_number n) {
    return n.kind == FP_FINITE && n.significand == 0;
}

// The result of an invalid operation, and of one with a NaN among its operands (the others may be finite).
uint64_t fp_invalid(enum fp_format format, struct fp_env *env);
uint64_t fp_propagate(enum fp_format format, struct fp_number a, struct fp_number b, struct fp_env *env);

#endif
