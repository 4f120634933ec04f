// IEEE 754 arithmetic as RISC-V's F and D define it, in integer operations only. Not for other libraries.
//
// Operands and results are encodings: singles in the low 32 bits, the upper ones 0; NaN boxing is the caller's. Every
// NaN that an operation makes is the canonical one. Flags are ORed into env->flags.
#ifndef TIPOFF_ISS_FP_H
#define TIPOFF_ISS_FP_H

#include <stdbool.h>
#include <stdint.h>

enum fp_format { FP_SINGLE, FP_DOUBLE };
enum fp_rounding { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RMM };     // as in frm
enum { FP_NX = 1, FP_UF = 2, FP_OF = 4, FP_DZ = 8, FP_NV = 16 }; // as in fflags
enum fp_integer { FP_W, FP_WU, FP_L, FP_LU };                    // as in bits 21:20 of fcvt

struct fp_env {
    enum fp_rounding rounding;
    unsigned flags;
    bool inexact; // NX is raised already, so that flags may lack it where the result is floating-point
};

uint64_t fp_add(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);
uint64_t fp_mul(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);
uint64_t fp_fma(enum fp_format format, uint64_t a, uint64_t b, uint64_t c, struct fp_env *env); // a * b + c
uint64_t fp_div(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);
uint64_t fp_sqrt(enum fp_format format, uint64_t a, struct fp_env *env);

uint64_t fp_negate(enum fp_format format, uint64_t a);               // NaNs, too
uint64_t fp_copy_sign(enum fp_format format, uint64_t a, bool sign); // a with this sign
bool fp_sign(enum fp_format format, uint64_t a);
uint64_t fp_min(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);
uint64_t fp_max(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);
bool fp_equal(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);         // quiet
bool fp_less(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env);          // signaling
bool fp_less_or_equal(enum fp_format format, uint64_t a, uint64_t b, struct fp_env *env); // signaling
unsigned fp_classify(enum fp_format format, uint64_t a);                                  // fclass's bit mask

uint64_t fp_convert(enum fp_format to, enum fp_format from, uint64_t a, struct fp_env *env);
uint64_t fp_from_integer(enum fp_format to, enum fp_integer from, uint64_t value, struct fp_env *env);
// As an instruction writes it to a register: 32-bit results sign-extended, FP_WU's too.
uint64_t fp_to_integer(enum fp_format from, enum fp_integer to, uint64_t a, struct fp_env *env);

uint64_t fp_canonical_nan(enum fp_format format);

#endif
