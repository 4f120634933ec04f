// Exact integer arithmetic as reference: the true value first, then one rounding, in any of the five modes.
#include "fp_reference.h"

#include <string.h>

typedef unsigned __int128 u128;

struct number {
    bool sign, nan, snan, inf, zero;
    int exp; // value = mant * 2^exp
    uint64_t mant;
};

static struct number unpack(unsigned format, uint64_t v) {
    v = unbox(format, v);
    struct number n;
    memset(&n, 0, sizeof n);
    int bits = format == DOUBLE ? 52 : 23, max = format == DOUBLE ? 2047 : 255, bias = format == DOUBLE ? 1075 : 150;
    int biased = (int)(v >> bits) & max;
    n.sign = v >> (format == DOUBLE ? 63 : 31) & 1;
    n.mant = v & ((1ull << bits) - 1);
    n.nan = is_nan(format, v);
    n.snan = is_snan(format, v);
    n.inf = biased == max && n.mant == 0;
    n.zero = biased == 0 && n.mant == 0;
    n.exp = (biased ? biased : 1) - bias;
    if (biased) n.mant |= 1ull << bits;
    return n;
}

static int bit_length(u128 m) {
    uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

// (mant + what sticky stands for) * 2^exp in units of 2^unit, rounded to a whole number of them.
static u128 quantise(bool sign, u128 mant, int exp, bool sticky, int unit, unsigned rm, bool *inexact) {
    int drop = unit - exp;
    if (drop <= 0) {
        *inexact = sticky;
        return mant << -drop;
    }
    if (drop > 100) { // bits so far below that they count only as sticky
        int gone = drop - 100;
        sticky = sticky || (gone > 127 ? mant != 0 : (mant & (((u128)1 << gone) - 1)) != 0);
        mant = gone > 127 ? 0 : mant >> gone;
        drop = 100;
    }
    u128 whole = mant >> drop, rest = mant & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1);
    *inexact = rest != 0 || sticky;
    bool above = rest > half || (rest == half && sticky), tie = rest == half && !sticky;
    bool away = false;
    switch (rm) {
    case RNE: away = above || (tie && (whole & 1)); break;
    case RDN: away = sign && *inexact; break;
    case RUP: away = !sign && *inexact; break;
    case RMM: away = above || tie; break;
    default: break;
    }
    return whole + away;
}

static uint64_t pack(unsigned format, bool sign, uint64_t magnitude) {
    return format == DOUBLE ? (uint64_t)sign << 63 | magnitude : BOX | (uint64_t)sign << 31 | magnitude;
}

static struct fp_answer round_number(unsigned format, unsigned rm, bool sign, u128 mant, int exp, bool sticky) {
    struct fp_answer r = {0, 0};
    int precision = format == DOUBLE ? 53 : 24, emin = format == DOUBLE ? -1022 : -126,
        emax = format == DOUBLE ? 1023 : 127;
    if (mant == 0 && !sticky) {
        r.value = pack(format, sign, 0);
        return r;
    }
    int top = exp + bit_length(mant) - 1;
    bool inexact, inexact_unbounded;
    int unit = top - precision + 1;
    // Tiny after rounding: rounded with an unbounded exponent it is still less than 2^emin.
    u128 unbounded = quantise(sign, mant, exp, sticky, unit, rm, &inexact_unbounded);
    bool tiny = unit + bit_length(unbounded) - 1 < emin;
    if (unit < emin - precision + 1) unit = emin - precision + 1;
    u128 q = quantise(sign, mant, exp, sticky, unit, rm, &inexact);
    if (inexact) r.flags |= NX;
    if (inexact && tiny) r.flags |= UF;
    int q_top = unit + bit_length(q) - 1;
    if (q != 0 && q_top > emax) {
        r.flags |= OF | NX;
        bool infinite = rm == RNE || rm == RMM || (rm == RUP && !sign) || (rm == RDN && sign);
        uint64_t infinity = format == DOUBLE ? 0x7ff0000000000000ull : 0x7f800000;
        r.value = pack(format, sign, infinity - !infinite);
        return r;
    }
    if (bit_length(q) > precision) { // rounded up to the next power of two
        q >>= 1;
        unit++;
    }
    uint64_t fraction = (uint64_t)q;
    uint64_t hidden = 1ull << (precision - 1);
    uint64_t biased = 0;
    if (fraction & hidden) {
        biased = (uint64_t)(unit - (emin - precision + 1) + 1);
        fraction &= ~hidden;
    }
    r.value = pack(format, sign, biased << (precision - 1) | fraction);
    return r;
}

// ---- sums of products in fixed point: bit 0 weighs 2^-2200, wide enough for any product of doubles ----
enum { WORDS = 70, LOWEST = -2200 };

static void place(uint64_t *w, u128 mant, int exp) {
    unsigned at = (unsigned)(exp - LOWEST), word = at / 64, shift = at % 64;
    memset(w, 0, WORDS * sizeof *w);
    uint64_t low = (uint64_t)mant, high = (uint64_t)(mant >> 64);
    w[word] = low << shift;
    w[word + 1] = high << shift | (shift ? low >> (64 - shift) : 0);
    w[word + 2] = shift ? high >> (64 - shift) : 0;
}

static struct fp_answer add_exact(unsigned format, unsigned rm, bool sign_x, const uint64_t *x, bool sign_y,
                                  const uint64_t *y) {
    uint64_t sum[WORDS];
    bool sign = sign_x;
    int order = 0;
    for (int i = WORDS - 1; i >= 0 && order == 0; i--)
        order = x[i] > y[i] ? 1 : x[i] < y[i] ? -1 : 0;
    if (sign_x == sign_y) {
        unsigned carry = 0;
        for (int i = 0; i < WORDS; i++) {
            u128 s = (u128)x[i] + y[i] + carry;
            sum[i] = (uint64_t)s;
            carry = (unsigned)(s >> 64);
        }
    } else {
        if (order < 0) {
            const uint64_t *t = x;
            x = y;
            y = t;
            sign = sign_y;
        }
        unsigned borrow = 0;
        for (int i = 0; i < WORDS; i++) {
            u128 s = (u128)x[i] - y[i] - borrow;
            sum[i] = (uint64_t)s;
            borrow = (unsigned)(s >> 64) & 1;
        }
        if (order == 0) sign = rm == RDN;
    }
    int top = WORDS - 1;
    while (top > 1 && sum[top] == 0)
        top--;
    bool sticky = false;
    for (int i = 0; i < top - 1; i++)
        sticky = sticky || sum[i] != 0;
    return round_number(format, rm, sign, (u128)sum[top] << 64 | sum[top - 1], LOWEST + 64 * (top - 1), sticky);
}

static struct fp_answer nan_answer(unsigned format, bool invalid) {
    struct fp_answer r = {canonical(format), invalid ? (unsigned)NV : 0};
    return r;
}

static struct fp_answer infinite(unsigned format, bool sign, unsigned flags) {
    struct fp_answer r = {pack(format, sign, format == DOUBLE ? 0x7ff0000000000000ull : 0x7f800000), flags};
    return r;
}

static struct fp_answer multiply_add(const struct fp_case *c) {
    struct number a = unpack(c->format, c->a), b = unpack(c->format, c->b), d = unpack(c->format, c->c);
    if (c->op == ADD || c->op == SUB) {
        d = b;
        memset(&b, 0, sizeof b);
        b.mant = 1;
        b.exp = 0;
    }
    bool sign = a.sign ^ b.sign;
    if (c->op == MUL) {
        memset(&d, 0, sizeof d);
        d.zero = true;
        d.sign = sign;
    }
    if (c->op == MSUB || c->op == NMADD || c->op == SUB) d.sign = !d.sign;
    if (c->op == NMSUB || c->op == NMADD) sign = !sign;
    bool invalid = (a.inf && b.zero) || (a.zero && b.inf);
    if (a.nan || b.nan || d.nan || invalid) return nan_answer(c->format, a.snan || b.snan || d.snan || invalid);
    if (a.inf || b.inf) return d.inf && d.sign != sign ? nan_answer(c->format, true) : infinite(c->format, sign, 0);
    if (d.inf) return infinite(c->format, d.sign, 0);
    uint64_t x[WORDS], y[WORDS];
    place(x, (u128)a.mant * b.mant, a.mant && b.mant ? a.exp + b.exp : 0);
    place(y, d.mant, d.exp);
    return add_exact(c->format, c->rm, sign, x, d.sign, y);
}

static struct fp_answer divide(const struct fp_case *c) {
    struct number a = unpack(c->format, c->a), b = unpack(c->format, c->b);
    bool sign = a.sign ^ b.sign, invalid = (a.zero && b.zero) || (a.inf && b.inf);
    if (a.nan || b.nan || invalid) return nan_answer(c->format, a.snan || b.snan || invalid);
    if (a.inf) return infinite(c->format, sign, 0);
    if (b.inf || a.zero) return round_number(c->format, c->rm, sign, 0, 0, false);
    if (b.zero) return infinite(c->format, sign, DZ);
    // At least 126 - 53 bits of quotient.
    u128 dividend = a.mant;
    int shift = 126 - bit_length(dividend);
    dividend <<= shift;
    return round_number(c->format, c->rm, sign, dividend / b.mant, a.exp - shift - b.exp, dividend % b.mant != 0);
}

static struct fp_answer square_root(const struct fp_case *c) {
    struct number a = unpack(c->format, c->a);
    if (a.nan) return nan_answer(c->format, a.snan);
    if (a.zero) return round_number(c->format, c->rm, a.sign, 0, 0, false);
    if (a.sign) return nan_answer(c->format, true);
    if (a.inf) return infinite(c->format, false, 0);
    u128 radicand = a.mant;
    int shift = 126 - bit_length(radicand);
    if ((a.exp - shift) & 1) shift--;
    radicand <<= shift;
    uint64_t root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t trial = root | 1ull << bit;
        if ((u128)trial * trial <= radicand) root = trial;
    }
    return round_number(c->format, c->rm, false, root, (a.exp - shift) / 2, (u128)root * root != radicand);
}

static struct fp_answer from_integer(const struct fp_case *c) {
    uint64_t v = c->a;
    if (c->op == W_TO_F) v = (uint64_t)(int64_t)(int32_t)v;
    if (c->op == WU_TO_F) v = (uint32_t)v;
    bool sign = (c->op == W_TO_F || c->op == L_TO_F) && v >> 63;
    return round_number(c->format, c->rm, sign, sign ? -v : v, 0, false);
}

static struct fp_answer to_integer(const struct fp_case *c) {
    struct number a = unpack(c->format, c->a);
    bool is_signed = c->op == F_TO_W || c->op == F_TO_L;
    int width = c->op == F_TO_W || c->op == F_TO_WU ? 32 : 64;
    uint64_t highest = is_signed ? (1ull << (width - 1)) - 1 : width == 64 ? ~0ull : 0xffffffff;
    uint64_t most_negative = is_signed ? highest + 1 : 0; // magnitude
    struct fp_answer r = {0, 0};
    bool too_large = a.nan || a.inf || (!a.zero && a.exp + bit_length(a.mant) > 65), inexact = false;
    u128 q = too_large ? (u128)1 << 100 : quantise(a.sign, a.mant, a.exp, false, 0, c->rm, &inexact);
    bool negative = a.sign && !a.nan;
    if (q > (negative ? most_negative : highest)) {
        r.flags = NV;
        r.value = negative ? -most_negative : highest;
    } else {
        r.flags = inexact ? NX : 0;
        r.value = negative ? -(uint64_t)q : (uint64_t)q;
    }
    if (width == 32) r.value = (uint64_t)(int64_t)(int32_t)r.value;
    return r;
}

bool exact_knows(const struct fp_case *c) {
    return c->op <= SQRT || (c->op >= W_TO_F && c->op <= F_TO_F) || c->op >= F_TO_W;
}

struct fp_answer exact_answer(const struct fp_case *c) {
    struct number a;
    switch (c->op) {
    case DIV: return divide(c);
    case SQRT: return square_root(c);
    case W_TO_F:
    case WU_TO_F:
    case L_TO_F:
    case LU_TO_F: return from_integer(c);
    case F_TO_F:
        a = unpack(!c->format, c->a);
        if (a.nan) return nan_answer(c->format, a.snan);
        if (a.inf) return infinite(c->format, a.sign, 0);
        return round_number(c->format, c->rm, a.sign, a.mant, a.exp, false);
    case F_TO_W:
    case F_TO_WU:
    case F_TO_L:
    case F_TO_LU: return to_integer(c);
    default: return multiply_add(c);
    }
}
