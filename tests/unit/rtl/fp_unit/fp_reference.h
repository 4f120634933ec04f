// What the floating-point units must give, from two sources that know nothing of the RTL or of each other.
//
// host_*: the host's arithmetic in the host's rounding mode, flags by fenv (four rounding modes). exact_*: integer
// arithmetic without bounds, rounded once at the end (five modes). plain_*: what does not round, from the manual.
#ifndef TIPOFF_FP_REFERENCE_H
#define TIPOFF_FP_REFERENCE_H

#include <stdint.h>

// In the order of fp_pkg::fp_op_e, fp_format_e, fp_rm_e; the bench checks the count against the RTL.
enum fp_op {
    MADD,
    MSUB,
    NMSUB,
    NMADD,
    ADD,
    SUB,
    MUL,
    DIV,
    SQRT,
    SGNJ,
    SGNJN,
    SGNJX,
    MIN,
    MAX,
    X_TO_F_BITS,
    W_TO_F,
    WU_TO_F,
    L_TO_F,
    LU_TO_F,
    F_TO_F,
    EQ,
    LT,
    LE,
    CLASS,
    F_TO_X_BITS,
    F_TO_W,
    F_TO_WU,
    F_TO_L,
    F_TO_LU,
    OPS
};
enum fp_format { SINGLE, DOUBLE };
enum fp_rm { RNE, RTZ, RDN, RUP, RMM };
enum fp_flag { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16 };

struct fp_case {
    unsigned op, format, rm;
    uint64_t a, b, c;
};

struct fp_answer {
    uint64_t value;
    unsigned flags;
};

extern const char *const fp_op_names[OPS];

static const uint64_t BOX = 0xffffffff00000000ull;
static const uint64_t CANONICAL_S = 0xffffffff7fc00000ull, CANONICAL_D = 0x7ff8000000000000ull;

static inline uint64_t canonical(unsigned format) {
    return format == DOUBLE ? CANONICAL_D : CANONICAL_S;
}

// A single that is not NaN-boxed counts as the canonical NaN.
static inline uint64_t unbox(unsigned format, uint64_t v) {
    return format == SINGLE && (v & BOX) != BOX ? CANONICAL_S : v;
}

static inline bool is_nan(unsigned format, uint64_t v) {
    return format == DOUBLE ? (v & ~(1ull << 63)) > 0x7ff0000000000000ull : (v & 0x7fffffff) > 0x7f800000;
}

static inline bool is_snan(unsigned format, uint64_t v) {
    return is_nan(format, v) && !(v >> (format == DOUBLE ? 51 : 22) & 1);
}

// Can this source answer this case?
bool host_knows(const struct fp_case *c);
bool exact_knows(const struct fp_case *c);
bool plain_knows(const struct fp_case *c);

struct fp_answer host_answer(const struct fp_case *c);
struct fp_answer exact_answer(const struct fp_case *c);
struct fp_answer plain_answer(const struct fp_case *c);

#endif
