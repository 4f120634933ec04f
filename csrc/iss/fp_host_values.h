// Operations that the host's arithmetic may do, many times as fast: those whose value IEEE 754 leaves no choice in, and
// whose flags are known without looking. That is so when rounding is to nearest, NX has been raised before and nobody
// asks whether it is again, and the result is a normal number above the least binade: then it neither overflowed nor is
// it tiny, and no operand was infinite or a NaN: no operation makes such a number of those. A sum that is tiny is
// exact, so it need only be finite. All else is left to the integer arithmetic, against which the unit tests hold this.
//
// The host's mode is that of a C program at its start: round to nearest, subnormal numbers as they are.
// Not for other libraries; apart from fp_internal.h, whose names math.h has, too.
#ifndef TIPOFF_ISS_FP_HOST_VALUES_H
#define TIPOFF_ISS_FP_HOST_VALUES_H

#include "iss/fp_host.h"
#include <math.h>
#include <string.h>

static inline float fp_as_float(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}
static inline double fp_as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t fp_bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline uint64_t fp_bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t fp_host_value(enum fp_operation op, enum fp_format format, uint64_t a, uint64_t b, uint64_t c) {
    const float as = fp_as_float(a), bs = fp_as_float(b), cs = fp_as_float(c);
    const double ad = fp_as_double(a), bd = fp_as_double(b), cd = fp_as_double(c);
    const bool single = format == FP_SINGLE;
    switch (op) {
    case FP_ADD: return single ? fp_bits_of_float(as + bs) : fp_bits_of_double(ad + bd);
    case FP_MUL: return single ? fp_bits_of_float(as * bs) : fp_bits_of_double(ad * bd);
    case FP_DIV: return single ? fp_bits_of_float(as / bs) : fp_bits_of_double(ad / bd);
    case FP_SQRT: return single ? fp_bits_of_float(sqrtf(as)) : fp_bits_of_double(sqrt(ad));
    default: return single ? fp_bits_of_float(fmaf(as, bs, cs)) : fp_bits_of_double(fma(ad, bd, cd));
    }
}

// Whether the value may stand. Of the biased exponent, the greatest means infinity or NaN.
static inline bool fp_host_may(enum fp_operation op, enum fp_format format, uint64_t value) {
    const uint64_t greatest = format == FP_SINGLE ? 0xff : 0x7ff;
    const uint64_t exponent = value >> (format == FP_SINGLE ? 23 : 52) & greatest;
    return op == FP_ADD ? exponent != greatest : exponent - 2 < greatest - 2;
}

static inline uint64_t fp_host_converted(enum fp_format to, uint64_t a) {
    return to == FP_SINGLE ? fp_bits_of_float((float)fp_as_double(a)) : fp_bits_of_double(fp_as_float(a));
}

#endif
