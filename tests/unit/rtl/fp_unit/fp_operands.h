// Operands that hurt: corner values of a format, and random ones biased to ties, cancellations and the format's ends.
#ifndef TIPOFF_FP_OPERANDS_H
#define TIPOFF_FP_OPERANDS_H

#include "bench.h"
#include "fp_reference.h"

#include <string.h>

struct layout {
    unsigned bits;     // of the fraction
    uint64_t exp_mask; // all ones
    int bias;
    uint64_t box;
};

static const struct layout LAYOUTS[2] = {{23, 0xff, 127, BOX}, {52, 0x7ff, 1023, 0}};

static inline uint64_t make(unsigned format, bool sign, uint64_t biased, uint64_t fraction) {
    const struct layout *l = &LAYOUTS[format];
    uint64_t magnitude = (biased & l->exp_mask) << l->bits | (fraction & ((1ull << l->bits) - 1));
    return l->box | magnitude | (uint64_t)sign << (format == DOUBLE ? 63 : 31);
}

// Both signs of each corner value; for single two unboxed values as well. Returns how many.
static inline unsigned corner_values(unsigned format, uint64_t *out) {
    const struct layout *l = &LAYOUTS[format];
    const uint64_t ones = (1ull << l->bits) - 1, top = 1ull << (l->bits - 1), bias = (uint64_t)l->bias;
    const uint64_t p = l->bits + 1, inf = l->exp_mask;
    const uint64_t list[][2] = {
        {0, 0},
        {0, 1},
        {0, 2},
        {0, 3},
        {0, top - 1},
        {0, top},
        {0, ones - 1},
        {0, ones},
        {1, 0},
        {1, 1},
        {1, ones},
        {2, 0},
        {bias - 1, ones},
        {bias, 0},
        {bias, 1},
        {bias, 3},
        {bias, top},
        {bias, ones},
        {bias + 1, 0},
        {bias + 1, top},
        {bias - 1, 0},
        {bias - p, 0},
        {bias - p, 1},
        {bias - p - 1, 0},
        {bias - 2 * p, 0},
        {bias + p - 1, 0},
        {bias + p, 0},
        {bias + p, 1},
        {bias / 2, 0},
        {bias / 2, ones},
        {inf - 1, 0},
        {inf - 1, ones},
        {inf - 1, ones - 1},
        {inf - 2, ones},
        {inf, 0},
        {inf, top},
        {inf, top | 5},
        {inf, 1},
        {inf, top - 1},
    };
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned sign = 0; sign < 2; sign++)
            out[n++] = make(format, sign, list[i][0], list[i][1]);
    if (format == SINGLE) {
        out[n++] = 0x3f800000;            // 1.0, but not boxed
        out[n++] = 0xfffffffe3f800000ull; // not boxed by one bit
    }
    return n;
}

static inline uint64_t random_fraction(void) {
    uint64_t r = bench_random();
    switch (bench_below(5)) {
    case 0: return r & bench_random() & bench_random() & bench_random();    // few ones
    case 1: return ~(r & bench_random() & bench_random() & bench_random()); // few zeros
    case 2: return (1ull << (r % 53)) - (bench_random() & 1);               // a power of two, or ones below it
    case 3: return ~((1ull << (r % 53)) - (bench_random() & 1));
    default: return r;
    }
}

static inline uint64_t random_value(unsigned format, const uint64_t *corners, unsigned n) {
    const struct layout *l = &LAYOUTS[format];
    bool sign = bench_random() & 1;
    switch (bench_below(16)) {
    case 0: return corners[bench_below(n)];
    case 1: { // a corner value, a little off
        uint64_t v = corners[bench_below(n)] + bench_below(9) - 4;
        return format == SINGLE ? BOX | v : v;
    }
    case 2: return l->box | (format == DOUBLE ? bench_random() : bench_random() >> 32);
    case 3: return make(format, sign, 0, random_fraction() >> bench_below(l->bits));
    case 4: return make(format, sign, l->exp_mask - 1 - bench_below(4), random_fraction());
    case 5: return make(format, sign, bench_below(2 * l->bits + 4), random_fraction());
    case 6: return make(format, sign, (uint64_t)l->bias / 2 + bench_below(8) - 4, random_fraction());
    case 7: return make(format, sign, (uint64_t)l->bias * 3 / 2 + bench_below(8) - 4, random_fraction());
    case 8:
    case 9:
    case 10: return make(format, sign, (uint64_t)l->bias + bench_below(4) - 2, random_fraction());
    default:
        return make(format, sign, (uint64_t)l->bias + bench_below(2 * l->bits + 8) - l->bits - 4, random_fraction());
    }
}

// An addend that interacts with the product: near it, at its half unit, or about to cancel it.
static inline uint64_t related_addend(unsigned format, uint64_t a, uint64_t b) {
    const struct layout *l = &LAYOUTS[format];
    int exp_a = (int)(a >> l->bits & l->exp_mask), exp_b = (int)(b >> l->bits & l->exp_mask);
    int near = exp_a + exp_b - l->bias;
    bool sign = bench_random() & 1;
    if (bench_below(2)) { // the negated product, a few units off
        struct fp_case product = {MUL, format, bench_below(5), a, b, 0};
        uint64_t v = exact_answer(&product).value ^ (format == DOUBLE ? 1ull << 63 : 1ull << 31);
        v += bench_below(3) ? 0 : bench_below(7) - 3;
        return format == SINGLE ? BOX | v : v;
    }
    int span = (int)l->bits * 2 + 6;
    int biased = near + (int)bench_below((unsigned)(2 * span)) - span;
    if (biased < 0) biased = 0;
    if (biased >= (int)l->exp_mask) biased = (int)l->exp_mask - 1;
    return make(format, sign, (uint64_t)biased, random_fraction());
}

// A double near a value that single can just, or just not, represent.
static inline uint64_t near_single(const uint64_t *corners, unsigned n) {
    float f;
    uint32_t w = (uint32_t)random_value(SINGLE, corners, n);
    memcpy(&f, &w, 4);
    double d = (double)f;
    uint64_t v;
    memcpy(&v, &d, 8);
    switch (bench_below(4)) {
    case 0: return v;
    case 1: return v + bench_below(5) - 2;
    case 2: return v ^ 1ull << bench_below(30);
    default: return v + (1ull << 28) + bench_below(3) - 1;
    }
}

// A number around the limits and halves of the integers.
static inline uint64_t near_integer(unsigned format) {
    static const unsigned exps[] = {0, 1, 2, 7, 22, 23, 24, 30, 31, 32, 33, 51, 52, 53, 54, 61, 62, 63, 64, 65};
    const struct layout *l = &LAYOUTS[format];
    uint64_t biased = (uint64_t)l->bias + exps[bench_below(20)];
    if (bench_below(4) == 0) biased -= 1 + bench_below(3);
    return make(format, bench_random() & 1, biased, random_fraction());
}

static inline uint64_t random_integer(void) {
    uint64_t r = random_fraction() >> bench_below(64);
    r += bench_below(5) - 2;
    return bench_below(2) ? r : -r;
}

#endif
