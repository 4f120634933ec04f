// The floating-point instructions between registers: operands out of their NaN boxes, the arithmetic of fp.h, results
// back, and what happens to fcsr and mstatus.FS.
//
// FS becomes Dirty when an f register is written, and when an exception flag is raised, whether it was set before or
// not. Without a write (FS Off, or a rounding mode that does not exist) the instruction is illegal.
#include "iss/fp.h"
#include "iss/iss_internal.h"

static const struct insn_info rows[] = {INSN_INFO_ROWS};

enum { RM_DYNAMIC = 7, RM_LAST = FP_RMM };
#define BOX UINT64_C(0xffffffff00000000)

static uint64_t unbox(enum fp_format format, uint64_t value) {
    if (format == FP_DOUBLE) return value;
    return value >= BOX ? (uint32_t)value : fp_canonical_nan(FP_SINGLE);
}

static uint64_t box(enum fp_format format, uint64_t value) {
    return format == FP_DOUBLE ? value : BOX | value;
}

struct operands {
    enum fp_format format;
    uint64_t a, b, c; // floating-point, out of their boxes
    uint64_t x;       // integer
};

static uint64_t sign_injected(const struct operands *o, bool sign) {
    return fp_copy_sign(o->format, o->a, sign);
}

// To a floating-point register.
static uint64_t compute_f(unsigned op, const struct operands *o, enum fp_integer integer, struct fp_env *env) {
    enum fp_format format = o->format, other = format == FP_SINGLE ? FP_DOUBLE : FP_SINGLE;
    uint64_t a = o->a, b = o->b, c = o->c;
    switch (op) {
    case INSN_FMADD_S:
    case INSN_FMADD_D: return fp_fma(format, a, b, c, env);
    case INSN_FMSUB_S:
    case INSN_FMSUB_D: return fp_fma(format, a, b, fp_negate(format, c), env);
    case INSN_FNMSUB_S:
    case INSN_FNMSUB_D: return fp_fma(format, fp_negate(format, a), b, c, env);
    case INSN_FNMADD_S:
    case INSN_FNMADD_D: return fp_fma(format, fp_negate(format, a), b, fp_negate(format, c), env);
    case INSN_FADD_S:
    case INSN_FADD_D: return fp_add(format, a, b, env);
    case INSN_FSUB_S:
    case INSN_FSUB_D: return fp_add(format, a, fp_negate(format, b), env);
    case INSN_FMUL_S:
    case INSN_FMUL_D: return fp_mul(format, a, b, env);
    case INSN_FDIV_S:
    case INSN_FDIV_D: return fp_div(format, a, b, env);
    case INSN_FSQRT_S:
    case INSN_FSQRT_D: return fp_sqrt(format, a, env);
    case INSN_FSGNJ_S:
    case INSN_FSGNJ_D: return sign_injected(o, fp_sign(format, b));
    case INSN_FSGNJN_S:
    case INSN_FSGNJN_D: return sign_injected(o, !fp_sign(format, b));
    case INSN_FSGNJX_S:
    case INSN_FSGNJX_D: return sign_injected(o, fp_sign(format, a) != fp_sign(format, b));
    case INSN_FMIN_S:
    case INSN_FMIN_D: return fp_min(format, a, b, env);
    case INSN_FMAX_S:
    case INSN_FMAX_D: return fp_max(format, a, b, env);
    case INSN_FMV_W_X: return (uint32_t)o->x;
    case INSN_FMV_D_X: return o->x;
    case INSN_FCVT_S_D:
    case INSN_FCVT_D_S: return fp_convert(format, other, a, env);
    default: return fp_from_integer(format, integer, o->x, env); // fcvt.s.w ... fcvt.d.lu
    }
}

// To an integer register. raw: rs1 as the register holds it, box and all.
static uint64_t compute_x(unsigned op, const struct operands *o, uint64_t raw, enum fp_integer integer,
                          struct fp_env *env) {
    switch (op) {
    case INSN_FEQ_S:
    case INSN_FEQ_D: return fp_equal(o->format, o->a, o->b, env);
    case INSN_FLT_S:
    case INSN_FLT_D: return fp_less(o->format, o->a, o->b, env);
    case INSN_FLE_S:
    case INSN_FLE_D: return fp_less_or_equal(o->format, o->a, o->b, env);
    case INSN_FCLASS_S:
    case INSN_FCLASS_D: return fp_classify(o->format, o->a);
    case INSN_FMV_X_W: return (uint64_t)(int64_t)(int32_t)raw;
    case INSN_FMV_X_D: return raw;
    default: return fp_to_integer(o->format, integer, o->a, env); // fcvt.w.s ... fcvt.lu.d
    }
}

// False: there is no such mode.
static bool rounding_mode(const struct hart *h, const struct entry *entry, struct fp_env *env) {
    unsigned mode = FP_RNE, rm = entry->insn >> 12 & 7;
    if (rows[entry->op].rounds) mode = rm == RM_DYNAMIC ? (unsigned)h->csr[CSR_FRM] : rm;
    env->rounding = (enum fp_rounding)mode;
    return mode <= RM_LAST;
}

bool iss_fp_execute(struct hart *h, const struct entry *entry) {
    struct fp_env env = {.inexact = h->csr[CSR_FFLAGS] & FP_NX};
    if (!iss_fp_is_on(h) || !rounding_mode(h, entry, &env)) return false;
    // Bit 25 is the format of the result or, where that is an integer, of the operands.
    enum fp_format format = rows[entry->op].match >> 25 & 1 ? FP_DOUBLE : FP_SINGLE, from = format;
    if (entry->op == INSN_FCVT_S_D) from = FP_DOUBLE;
    if (entry->op == INSN_FCVT_D_S) from = FP_SINGLE;
    struct operands o = {.format = format,
                         .a = unbox(from, h->f[entry->rs1]),
                         .b = unbox(format, h->f[entry->rs2]),
                         .c = unbox(format, h->f[entry->insn >> 27]),
                         .x = h->x[entry->rs1]};
    enum fp_integer integer = entry->rs2 & 3;
    if (rows[entry->op].fp_operands & 1) {
        h->f[entry->rd] = box(format, compute_f(entry->op, &o, integer, &env));
        iss_fp_dirty(h);
    } else {
        h->x[entry->rd] = compute_x(entry->op, &o, h->f[entry->rs1], integer, &env);
        if (env.flags) iss_fp_dirty(h);
    }
    h->csr[CSR_FFLAGS] |= env.flags;
    return true;
}
