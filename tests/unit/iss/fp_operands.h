// Operands for tests of floating-point arithmetic: corners, and random numbers that meet in the interesting places.
#ifndef TIPOFF_TESTS_FP_OPERANDS_H
#define TIPOFF_TESTS_FP_OPERANDS_H

#include "iss/fp.h"

static uint64_t operand_state = 1;

static inline uint64_t random_bits(void) {
    operand_state ^= operand_state << 13;
    operand_state ^= operand_state >> 7;
    operand_state ^= operand_state << 17;
    return operand_state * UINT64_C(0x2545f4914f6cdd1d);
}

static inline unsigned random_below(unsigned limit) {
    return (unsigned)((random_bits() >> 32) * limit >> 32);
}

struct layout {
    unsigned fraction_bits, exponent_bits;
};
static inline struct layout layout_of(enum fp_format format) {
    return format == FP_SINGLE ? (struct layout){23, 8} : (struct layout){52, 11};
}

static inline uint64_t assemble(enum fp_format format, bool sign, uint64_t biased, uint64_t fraction) {
    struct layout l = layout_of(format);
    return (uint64_t)sign << (l.fraction_bits + l.exponent_bits) | biased << l.fraction_bits |
           (fraction & ((UINT64_C(1) << l.fraction_bits) - 1));
}

static inline uint64_t biased_exponent(enum fp_format format, uint64_t a) {
    struct layout l = layout_of(format);
    return a >> l.fraction_bits & ((UINT64_C(1) << l.exponent_bits) - 1);
}

// Dense, sparse, runs of ones, a few bits at either end: what rounds in different ways.
static inline uint64_t random_fraction(unsigned bits) {
    const uint64_t all = (UINT64_C(1) << bits) - 1, r = random_bits() & all, one = UINT64_C(1) << random_below(bits);
    switch (random_below(8)) {
    case 0: return 0;
    case 1: return all;
    case 2: return (r & 3) << (bits - 2);
    case 3: return r & 7;
    case 4: return all ^ (r & 7);
    case 5: return one | UINT64_C(1) << random_below(bits);
    case 6: return all & ~(one - 1);
    default: return r;
    }
}

static inline uint64_t corner(enum fp_format format) {
    struct layout l = layout_of(format);
    uint64_t top = (UINT64_C(1) << l.exponent_bits) - 1, bias = top / 2, all = (UINT64_C(1) << l.fraction_bits) - 1;
    uint64_t quiet = UINT64_C(1) << (l.fraction_bits - 1);
    const struct {
        uint64_t biased, fraction;
    } corners[] = {
        {0, 0},           {0, 1},         {0, 2},           {0, all},       {0, quiet},         {1, 0},
        {1, 1},           {1, all},       {2, 0},           {bias, 0},      {bias, 1},          {bias - 1, all},
        {bias - 1, 0},    {bias + 1, 0},  {bias, quiet},    {top - 1, all}, {top - 1, all - 1}, {top - 1, 0},
        {top, 0},         {top, quiet},   {top, quiet | 5}, {top, 1},       {top, quiet - 1},   {bias + 31, 0},
        {bias + 30, all}, {bias + 63, 0}, {bias + 62, all}, {bias + 64, 0}, {bias + 32, 0},     {bias - 1, 1},
    };
    unsigned i = random_below(sizeof corners / sizeof *corners);
    return assemble(format, random_bits() & 1, corners[i].biased, corners[i].fraction);
}

// A finite number or not whose biased exponent is near this one, which may lie outside the range.
static inline uint64_t near(enum fp_format format, int64_t biased, unsigned spread) {
    struct layout l = layout_of(format);
    int64_t top = (INT64_C(1) << l.exponent_bits) - 1;
    biased += (int64_t)random_below(2 * spread + 1) - spread;
    if (biased < 0) biased = 0;
    if (biased >= top) biased = top - 1;
    return assemble(format, random_bits() & 1, (uint64_t)biased, random_fraction(l.fraction_bits));
}

static inline uint64_t any_operand(enum fp_format format) {
    struct layout l = layout_of(format);
    int64_t top = (INT64_C(1) << l.exponent_bits) - 1;
    switch (random_below(8)) {
    case 0: return corner(format);
    case 1: return near(format, 0, 1);
    case 2: return near(format, top - 1, 3);
    case 3: return near(format, top / 2, l.fraction_bits + 3);
    case 4: return format == FP_SINGLE ? (uint32_t)random_bits() : random_bits();
    default: return near(format, random_below((unsigned)top), 0);
    }
}

// A second operand so that a sum with the first has bits to lose, or a product or quotient comes near a limit.
static inline uint64_t second_operand(enum fp_format format, uint64_t a) {
    struct layout l = layout_of(format);
    int64_t top = (INT64_C(1) << l.exponent_bits) - 1, bias = top / 2, e = (int64_t)biased_exponent(format, a);
    switch (random_below(6)) {
    case 0: return near(format, e, 2);
    case 1: return near(format, e, l.fraction_bits + 3);
    case 2: return near(format, bias - e, 3);       // product near the least normal number
    case 3: return near(format, top + bias - e, 3); // near the greatest
    case 4: return near(format, random_below(2) ? e + bias : e - bias, l.fraction_bits / 2); // the quotient
    default: return any_operand(format);
    }
}

#endif
