// The floating-point instructions between registers that the host's arithmetic does (fp_host_values.h): the hot ones,
// as far as they are as usual. What is not, they leave to fp_execute.c, which also says what they mean.
#include "iss/execute_statements.h"
#include "iss/fp_host_values.h"

enum { STRIDE = 2 };
#define BOX UINT64_C(0xffffffff00000000)
#define SIGN_S UINT64_C(0x80000000)
#define SIGN_D (UINT64_C(1) << 63)
#define F1 h->f[e->rs1]
#define F2 h->f[e->rs2]
#define F3 h->f[e->insn >> 27]
#define LEAVE_IF(condition)                                                                                            \
    if (__builtin_expect(condition, 0)) GO_TO(iss_body_fp)
// NX raised before, round to nearest: nothing but the value is to be found.
#define IS_USUAL (iss_fp_is_on(h) && h->csr[CSR_FFLAGS] & FP_NX && h->csr[CSR_FRM] == FP_RNE)
#define WRITE_F(value)                                                                                                 \
    do {                                                                                                               \
        h->f[e->rd] = (value);                                                                                         \
        iss_fp_dirty(h);                                                                                               \
        NEXT;                                                                                                          \
    } while (0)

#define DOUBLES(name, op, a, b, c)                                                                                     \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        LEAVE_IF(!IS_USUAL);                                                                                           \
        const uint64_t value = fp_host_value(op, FP_DOUBLE, a, b, c);                                                  \
        LEAVE_IF(!fp_host_may(op, FP_DOUBLE, value));                                                                  \
        WRITE_F(value);                                                                                                \
    }
// Operands that are not boxed are NaNs. A box does not change the value's exponent.
#define SINGLES(name, op, boxed, a, b, c)                                                                              \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        LEAVE_IF(!IS_USUAL || (boxed) < BOX);                                                                          \
        const uint64_t value = fp_host_value(op, FP_SINGLE, a, b, c);                                                  \
        LEAVE_IF(!fp_host_may(op, FP_SINGLE, value));                                                                  \
        WRITE_F(BOX | value);                                                                                          \
    }
DOUBLES(fadd_d, FP_ADD, F1, F2, 0)
DOUBLES(fsub_d, FP_ADD, F1, F2 ^ SIGN_D, 0)
DOUBLES(fmul_d, FP_MUL, F1, F2, 0)
DOUBLES(fdiv_d, FP_DIV, F1, F2, 0)
DOUBLES(fmadd_d, FP_FMA, F1, F2, F3)
DOUBLES(fmsub_d, FP_FMA, F1, F2, F3 ^ SIGN_D)
DOUBLES(fnmsub_d, FP_FMA, F1 ^ SIGN_D, F2, F3)
DOUBLES(fnmadd_d, FP_FMA, F1 ^ SIGN_D, F2, F3 ^ SIGN_D)
SINGLES(fadd_s, FP_ADD, F1 &F2, F1, F2, 0)
SINGLES(fsub_s, FP_ADD, F1 &F2, F1, F2 ^ SIGN_S, 0)
SINGLES(fmul_s, FP_MUL, F1 &F2, F1, F2, 0)
SINGLES(fdiv_s, FP_DIV, F1 &F2, F1, F2, 0)
SINGLES(fmadd_s, FP_FMA, F1 &F2 &F3, F1, F2, F3)
SINGLES(fmsub_s, FP_FMA, F1 &F2 &F3, F1, F2, F3 ^ SIGN_S)
SINGLES(fnmsub_s, FP_FMA, F1 &F2 &F3, F1 ^ SIGN_S, F2, F3)
SINGLES(fnmadd_s, FP_FMA, F1 &F2 &F3, F1 ^ SIGN_S, F2, F3 ^ SIGN_S)

#define SIGNS(name, single, sign_bit, sign)                                                                            \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        LEAVE_IF(!iss_fp_is_on(h) || ((single) && (F1 & F2) < BOX));                                                   \
        WRITE_F((F1 & ~(sign_bit)) | ((sign) & (sign_bit)));                                                           \
    }
SIGNS(fsgnj_d, false, SIGN_D, F2)
SIGNS(fsgnjn_d, false, SIGN_D, ~F2)
SIGNS(fsgnjx_d, false, SIGN_D, F1 ^ F2)
SIGNS(fsgnj_s, true, SIGN_S, F2)
SIGNS(fsgnjn_s, true, SIGN_S, ~F2)
SIGNS(fsgnjx_s, true, SIGN_S, F1 ^ F2)

// Of numbers that are not NaNs: no flag is raised.
#define COMPARES(name, single, as, relation)                                                                           \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        LEAVE_IF(!iss_fp_is_on(h) || ((single) && (F1 & F2) < BOX) || isunordered(as(F1), as(F2)));                    \
        RD = as(F1) relation as(F2);                                                                                   \
        NEXT;                                                                                                          \
    }
COMPARES(feq_d, false, fp_as_double, ==)
COMPARES(flt_d, false, fp_as_double, <)
COMPARES(fle_d, false, fp_as_double, <=)
COMPARES(feq_s, true, fp_as_float, ==)
COMPARES(flt_s, true, fp_as_float, <)
COMPARES(fle_s, true, fp_as_float, <=)

#define MOVES_TO_X(name, value)                                                                                        \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        LEAVE_IF(!iss_fp_is_on(h));                                                                                    \
        RD = (value);                                                                                                  \
        NEXT;                                                                                                          \
    }
MOVES_TO_X(fmv_x_w, (uint64_t)(int64_t)(int32_t)F1)
MOVES_TO_X(fmv_x_d, F1)

#define TO_F(name, condition, value)                                                                                   \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        LEAVE_IF(!(condition));                                                                                        \
        WRITE_F(value);                                                                                                \
    }
TO_F(fmv_w_x, iss_fp_is_on(h), BOX | (uint32_t)RS1)
TO_F(fmv_d_x, iss_fp_is_on(h), RS1)
// Every integer is within the range of normal numbers, or zero.
TO_F(fcvt_d_w, IS_USUAL, fp_bits_of_double((int32_t)RS1))
TO_F(fcvt_d_l, IS_USUAL, fp_bits_of_double((double)SIGNED(RS1)))
TO_F(fcvt_s_w, IS_USUAL, BOX | fp_bits_of_float((float)(int32_t)RS1))
TO_F(fcvt_s_l, IS_USUAL, BOX | fp_bits_of_float((float)SIGNED(RS1)))

uint64_t iss_body_fcvt_s_d(ARGUMENTS) {
    LEAVE_IF(!IS_USUAL);
    const uint64_t value = fp_host_converted(FP_SINGLE, F1);
    LEAVE_IF(!fp_host_may(FP_MUL, FP_SINGLE, value));
    WRITE_F(BOX | value);
}
uint64_t iss_body_fcvt_d_s(ARGUMENTS) {
    LEAVE_IF(!IS_USUAL || F1 < BOX);
    const uint64_t value = fp_host_converted(FP_DOUBLE, F1);
    LEAVE_IF(!fp_host_may(FP_MUL, FP_DOUBLE, value));
    WRITE_F(value);
}

// Toward zero, as C converts. Of a NaN, no comparison holds.
#define TO_INTEGER(name, type, limit)                                                                                  \
    uint64_t iss_body_##name(ARGUMENTS) {                                                                              \
        const double value = fp_as_double(F1);                                                                         \
        LEAVE_IF(!iss_fp_is_on(h) || !(fabs(value) < (limit)));                                                        \
        const type integer = (type)value;                                                                              \
        if ((double)integer != value) {                                                                                \
            h->csr[CSR_FFLAGS] |= FP_NX;                                                                               \
            iss_fp_dirty(h);                                                                                           \
        }                                                                                                              \
        RD = (uint64_t)(int64_t)integer;                                                                               \
        NEXT;                                                                                                          \
    }
TO_INTEGER(fcvt_w_d, int32_t, 0x1p31)
TO_INTEGER(fcvt_l_d, int64_t, 0x1p63)
