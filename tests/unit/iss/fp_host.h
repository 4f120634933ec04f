// The host's SSE2 (and FMA3) arithmetic as a reference: each function runs one machine instruction under a rounding
// mode and returns the flags it raised, both in RISC-V's numbering. Rounding modes RNE, RTZ, RDN, RUP.
//
// SSE detects tininess after rounding, as RISC-V demands, so that the underflow flag can be compared as it is.
#ifndef TIPOFF_TESTS_FP_HOST_H
#define TIPOFF_TESTS_FP_HOST_H

#ifndef __x86_64__
#error "this test compares with the floating-point unit of an x86-64 host: build it there"
#endif

#include "iss/fp_host_values.h"
#include <string.h>

static inline uint32_t host_mxcsr(enum fp_rounding rounding) {
    static const uint32_t modes[] = {[FP_RNE] = 0, [FP_RTZ] = 3, [FP_RDN] = 1, [FP_RUP] = 2};
    return 0x1f80 | modes[rounding] << 13;
}

static inline unsigned host_flags(uint32_t mxcsr) {
    unsigned flags = 0;
    if (mxcsr & 1 << 0) flags |= FP_NV;
    if (mxcsr & 1 << 2) flags |= FP_DZ;
    if (mxcsr & 1 << 3) flags |= FP_OF;
    if (mxcsr & 1 << 4) flags |= FP_UF;
    if (mxcsr & 1 << 5) flags |= FP_NX;
    return flags;
}

// One block, so that the compiler moves nothing in between; the default mode is back after it.
#define HOST_BLOCK(instruction) "ldmxcsr %[csr]\n\t" instruction "\n\tstmxcsr %[csr]\n\tldmxcsr %[normal]"

#define HOST_UNIT(name, type, instruction)                                                                             \
    static inline type name(type r, type a, type b, enum fp_rounding rounding, unsigned *flags) {                      \
        uint32_t csr = host_mxcsr(rounding), normal = 0x1f80;                                                          \
        __asm__ volatile(HOST_BLOCK(instruction)                                                                       \
                         : [r] "+x"(r), [csr] "+m"(csr)                                                                \
                         : [a] "x"(a), [b] "x"(b), [normal] "m"(normal));                                              \
        *flags = host_flags(csr);                                                                                      \
        return r;                                                                                                      \
    }
#define HOST_CONVERT(name, to, from, constraint_to, constraint_from, instruction)                                      \
    static inline to name(from a, enum fp_rounding rounding, unsigned *flags) {                                        \
        uint32_t csr = host_mxcsr(rounding), normal = 0x1f80;                                                          \
        to r = 0;                                                                                                      \
        __asm__ volatile(HOST_BLOCK(instruction)                                                                       \
                         : [r] constraint_to(r), [csr] "+m"(csr)                                                       \
                         : [a] constraint_from(a), [normal] "m"(normal));                                              \
        *flags = host_flags(csr);                                                                                      \
        return r;                                                                                                      \
    }

// r = r op b
HOST_UNIT(host_add_s, float, "addss %[b], %[r]")
HOST_UNIT(host_add_d, double, "addsd %[b], %[r]")
HOST_UNIT(host_mul_s, float, "mulss %[b], %[r]")
HOST_UNIT(host_mul_d, double, "mulsd %[b], %[r]")
HOST_UNIT(host_div_s, float, "divss %[b], %[r]")
HOST_UNIT(host_div_d, double, "divsd %[b], %[r]")
HOST_UNIT(host_sqrt_s, float, "sqrtss %[b], %[r]")
HOST_UNIT(host_sqrt_d, double, "sqrtsd %[b], %[r]")
// r = a * b + r
HOST_UNIT(host_fma_s, float, "vfmadd231ss %[b], %[a], %[r]")
HOST_UNIT(host_fma_d, double, "vfmadd231sd %[b], %[a], %[r]")

HOST_CONVERT(host_d_to_s, float, double, "+x", "x", "cvtsd2ss %[a], %[r]")
HOST_CONVERT(host_s_to_d, double, float, "+x", "x", "cvtss2sd %[a], %[r]")
HOST_CONVERT(host_w_to_s, float, int32_t, "+x", "r", "cvtsi2ssl %[a], %[r]")
HOST_CONVERT(host_w_to_d, double, int32_t, "+x", "r", "cvtsi2sdl %[a], %[r]")
HOST_CONVERT(host_l_to_s, float, int64_t, "+x", "r", "cvtsi2ssq %[a], %[r]")
HOST_CONVERT(host_l_to_d, double, int64_t, "+x", "r", "cvtsi2sdq %[a], %[r]")
// Out of range and NaN: FP_NV alone.
HOST_CONVERT(host_s_to_l, int64_t, float, "+r", "x", "cvtss2siq %[a], %[r]")
HOST_CONVERT(host_d_to_l, int64_t, double, "+r", "x", "cvtsd2siq %[a], %[r]")

#endif
