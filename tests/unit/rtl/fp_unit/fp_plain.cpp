// Operations that do not round: sign injection, minimum, maximum, comparison, classification, moves.
#include "fp_reference.h"

#include <string.h>

const char *const fp_op_names[OPS] = {"madd",   "msub",     "nmsub",     "nmadd",    "add",      "sub", "mul",  "div",
                                      "sqrt",   "sgnj",     "sgnjn",     "sgnjx",    "min",      "max", "mv.f", "cvt.w",
                                      "cvt.wu", "cvt.l",    "cvt.lu",    "cvt.f.f",  "eq",       "lt",  "le",   "class",
                                      "mv.x",   "cvt.to.w", "cvt.to.wu", "cvt.to.l", "cvt.to.lu"};

bool plain_knows(const struct fp_case *c) {
    return (c->op >= SGNJ && c->op <= X_TO_F_BITS) || (c->op >= EQ && c->op <= F_TO_X_BITS);
}

// Singles are exact as doubles; no NaN comes here.
static double number(unsigned format, uint64_t v) {
    if (format == DOUBLE) {
        double d;
        memcpy(&d, &v, 8);
        return d;
    }
    uint32_t w = (uint32_t)v;
    float f;
    memcpy(&f, &w, 4);
    return (double)f;
}

static unsigned classify(unsigned format, uint64_t v) {
    if (is_nan(format, v)) return is_snan(format, v) ? 1u << 8 : 1u << 9;
    bool negative = v >> (format == DOUBLE ? 63 : 31) & 1;
    uint64_t magnitude = format == DOUBLE ? v & ~(1ull << 63) : v & 0x7fffffff;
    uint64_t normal = format == DOUBLE ? 1ull << 52 : 1ull << 23;
    uint64_t infinity = format == DOUBLE ? 0x7ff0000000000000ull : 0x7f800000;
    unsigned kind = magnitude == infinity ? 0 : magnitude >= normal ? 1 : magnitude ? 2 : 3;
    return 1u << (negative ? kind : 7 - kind);
}

struct fp_answer plain_answer(const struct fp_case *c) {
    struct fp_answer r = {0, 0};
    if (c->op == X_TO_F_BITS) {
        r.value = c->format == DOUBLE ? c->a : BOX | c->a;
        return r;
    }
    if (c->op == F_TO_X_BITS) {
        r.value = c->format == DOUBLE ? c->a : (uint64_t)(int64_t)(int32_t)c->a;
        return r;
    }
    uint64_t a = unbox(c->format, c->a), b = unbox(c->format, c->b);
    uint64_t sign = c->format == DOUBLE ? 1ull << 63 : 1ull << 31;
    bool nan_a = is_nan(c->format, a), nan_b = is_nan(c->format, b);
    bool signalling = is_snan(c->format, a) || is_snan(c->format, b);
    bool less = false, equal = false;
    if (!nan_a && !nan_b) {
        less = number(c->format, a) < number(c->format, b);
        equal = number(c->format, a) == number(c->format, b);
    }
    switch (c->op) {
    case SGNJ: r.value = (a & ~sign) | (b & sign); break;
    case SGNJN: r.value = (a & ~sign) | (~b & sign); break;
    case SGNJX: r.value = a ^ (b & sign); break;
    case MIN:
    case MAX:
        if (signalling) r.flags = NV;
        if (nan_a && nan_b)
            r.value = canonical(c->format);
        else if (nan_a || nan_b)
            r.value = nan_a ? b : a;
        else if (equal)
            r.value = c->op == MIN ? a | (b & sign) : (a & b & sign) | (a & ~sign); // zeros: by sign
        else
            r.value = less == (c->op == MIN) ? a : b;
        break;
    case CLASS: r.value = classify(c->format, a); break;
    case EQ:
        r.value = equal;
        if (signalling) r.flags = NV;
        break;
    default:
        r.value = less || (c->op == LE && equal);
        if (nan_a || nan_b) r.flags = NV;
        break;
    }
    return r;
}
