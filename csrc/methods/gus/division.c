// The steps that rtl/execute/div.sv and fp_divsqrt.sv take.
#include "methods/gus/division.h"
#include <math.h>
#include <string.h>

enum {
    DOUBLE_BITS = 53,
    SINGLE_BITS = 24,
    DOUBLE_STEPS = 28,
    SINGLE_STEPS = 13,
    LONGEST = 32 // steps of a division
};

static bool is_word(enum insn_op op) {
    return op == INSN_DIVW || op == INSN_DIVUW || op == INSN_REMW || op == INSN_REMUW;
}

static bool is_unsigned(enum insn_op op) {
    return op == INSN_DIVU || op == INSN_DIVUW || op == INSN_REMU || op == INSN_REMUW;
}

int16_t gus_division_steps(enum insn_op op, uint64_t a, uint64_t b, bool early) {
    if (!early) return is_word(op) ? LONGEST / 2 : LONGEST;
    if (is_word(op)) {
        a = is_unsigned(op) ? (uint32_t)a : (uint64_t)(int32_t)a;
        b = is_unsigned(op) ? (uint32_t)b : (uint64_t)(int32_t)b;
    }
    if (!is_unsigned(op)) {
        a = (int64_t)a < 0 ? -a : a;
        b = (int64_t)b < 0 ? -b : b;
    }
    if (b == 0 || a == 0) return 0;
    const int zeros_a = __builtin_clzll(a), zeros_b = __builtin_clzll(b);
    return zeros_b >= zeros_a ? (int16_t)((zeros_b - zeros_a + 2) / 2) : 0;
}

// Whether a quotient or a root needs no rounding.
static bool exact(uint64_t a, uint64_t b, uint64_t result, bool is_double) {
    if (is_double) {
        double x, y, z;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        memcpy(&z, &result, sizeof z);
        return fma(z, y, -x) == 0;
    }
    float x, y, z;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    memcpy(&z, &result, sizeof z);
    return (double)z * y == x;
}

// Zero, infinite, or no number, as a single one unless it is boxed.
static bool special(uint64_t x, bool is_double) {
    if (is_double) return x << 1 == 0 || (x >> 52 & 0x7ff) == 0x7ff;
    return x >> 32 != UINT32_MAX || (uint32_t)x << 1 == 0 || (x >> 23 & 0xff) == 0xff;
}

int16_t gus_fp_steps_less(enum insn_op op, uint64_t a, uint64_t b, uint64_t result, bool early) {
    const bool is_double = op == INSN_FDIV_D || op == INSN_FSQRT_D, root = op == INSN_FSQRT_D || op == INSN_FSQRT_S;
    if (!early || (!is_double && !root && op != INSN_FDIV_S)) return 0;
    const int bits = is_double ? DOUBLE_BITS : SINGLE_BITS, steps = is_double ? DOUBLE_STEPS : SINGLE_STEPS;
    const bool negative = root && a >> (is_double ? 63 : 31) & 1;
    if (special(a, is_double) || negative || (!root && special(b, is_double))) return (int16_t)-steps;
    const uint64_t fraction = result & ((UINT64_C(1) << (bits - 1)) - 1);
    const int used = fraction ? bits - __builtin_ctzll(fraction) : 1;
    if (used == bits || !exact(a, root ? result : b, result, is_double)) return 0;
    return (int16_t)((used + 1) / 2 - steps);
}
