// The host's arithmetic as reference. Operands are volatile, so that each operation stays where the rounding mode is set
// and its flags are read. Tininess is detected after rounding by x86, as RISC-V demands; a host that detects it before
// would differ from the exact model in the underflow flag.
#include "fp_reference.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static double to_double(uint64_t v) {
    double d;
    memcpy(&d, &v, 8);
    return d;
}

static float to_float(uint64_t v) {
    uint32_t w = (uint32_t)v;
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static uint64_t from_double(double d) {
    uint64_t v;
    memcpy(&v, &d, 8);
    return v;
}

static uint64_t from_float(float f) {
    uint32_t w;
    memcpy(&w, &f, 4);
    return BOX | w;
}

bool host_knows(const struct fp_case *c) {
    if (c->rm == RMM) return false;
    return c->op <= SQRT || c->op == W_TO_F || c->op == WU_TO_F || c->op == L_TO_F || c->op == F_TO_F ||
           c->op >= F_TO_W;
}

static double calculate_double(unsigned op, volatile double a, volatile double b, volatile double c, int64_t i) {
    volatile int64_t integer = i;
    volatile float s;
    switch (op) {
    case MADD: return fma(a, b, c);
    case MSUB: return fma(a, b, -c);
    case NMSUB: return fma(-a, b, c);
    case NMADD: return fma(-a, b, -c);
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case DIV: return a / b;
    case SQRT: return sqrt(a);
    case F_TO_F: s = to_float((uint64_t)i); return s;
    default: return (double)integer;
    }
}

static float calculate_float(unsigned op, volatile float a, volatile float b, volatile float c, int64_t i) {
    volatile int64_t integer = i;
    volatile double d;
    switch (op) {
    case MADD: return fmaf(a, b, c);
    case MSUB: return fmaf(a, b, -c);
    case NMSUB: return fmaf(-a, b, c);
    case NMADD: return fmaf(-a, b, -c);
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case DIV: return a / b;
    case SQRT: return sqrtf(a);
    case F_TO_F: d = to_double((uint64_t)i); return (float)d;
    default: return (float)integer;
    }
}

// Rounded by the host to an integral value; range and what lies outside it as the manual says.
static struct fp_answer to_integer(const struct fp_case *c, double value) {
    struct fp_answer r = {0, 0};
    double low = 0, end = 0; // end: the first value that is too large
    uint64_t lowest = 0, highest = 0;
    switch (c->op) {
    case F_TO_W: low = -0x1p31, end = 0x1p31, lowest = ~0x7fffffffull, highest = 0x7fffffff; break;
    case F_TO_WU: end = 0x1p32, highest = ~0ull; break;
    case F_TO_L: low = -0x1p63, end = 0x1p63, lowest = 1ull << 63, highest = ~lowest; break;
    default: end = 0x1p64, highest = ~0ull; break;
    }
    volatile double x = value;
    volatile double rounded = rint(x);
    if (isnan(x) || rounded >= end) {
        r.value = highest;
        r.flags = NV;
    } else if (rounded < low) {
        r.value = lowest;
        r.flags = NV;
    } else {
        if (c->op == F_TO_LU)
            r.value = (uint64_t)rounded;
        else
            r.value = (uint64_t)(int64_t)rounded;
        if (c->op == F_TO_WU) r.value = (uint64_t)(int64_t)(int32_t)r.value;
        r.flags = rounded != x ? NX : 0;
    }
    return r;
}

struct fp_answer host_answer(const struct fp_case *c) {
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    struct fp_answer r;
    unsigned from = c->op == F_TO_F ? !c->format : c->format;
    bool integer_in = c->op >= W_TO_F && c->op <= LU_TO_F;
    uint64_t a = integer_in ? c->a : unbox(from, c->a);
    uint64_t b = unbox(c->format, c->b), d = unbox(c->format, c->c);
    if (c->op == W_TO_F) a = (uint64_t)(int64_t)(int32_t)a;
    if (c->op == WU_TO_F) a = (uint32_t)a;

    fesetround(modes[c->rm]);
    if (c->op >= F_TO_W) {
        r = to_integer(c, c->format == DOUBLE ? to_double(a) : (double)to_float(a));
        fesetround(FE_TONEAREST);
        return r;
    }
    feclearexcept(FE_ALL_EXCEPT);
    if (c->format == DOUBLE) {
        volatile double result = calculate_double(c->op, to_double(a), to_double(b), to_double(d), (int64_t)a);
        r.value = from_double(result);
    } else {
        volatile float result = calculate_float(c->op, to_float(a), to_float(b), to_float(d), (int64_t)a);
        r.value = from_float(result);
    }
    int raised = fetestexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
    r.flags = (raised & FE_INVALID ? NV : 0) | (raised & FE_DIVBYZERO ? DZ : 0) | (raised & FE_OVERFLOW ? OF : 0) |
              (raised & FE_UNDERFLOW ? UF : 0) | (raised & FE_INEXACT ? NX : 0);
    if (is_nan(c->format, r.value)) r.value = canonical(c->format);
    // The manual wants infinity times zero plus a quiet NaN to be invalid; hosts differ.
    if (c->op <= NMADD) {
        uint64_t mask = c->format == DOUBLE ? ~0ull >> 1 : 0x7fffffff;
        uint64_t infinity = c->format == DOUBLE ? 0x7ff0000000000000ull : 0x7f800000;
        if (((a & mask) == 0 && (b & mask) == infinity) || ((a & mask) == infinity && (b & mask) == 0)) r.flags |= NV;
    }
    return r;
}
