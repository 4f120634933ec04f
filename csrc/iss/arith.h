// Integer arithmetic with RISC-V's corner cases. Not for other libraries.
#ifndef TIPOFF_ISS_ARITH_H
#define TIPOFF_ISS_ARITH_H

#include <stdint.h>

typedef __int128 int128;
typedef unsigned __int128 uint128;

static inline uint64_t divide(int64_t a, int64_t b) {
    if (b == 0) return UINT64_MAX;
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b); // the one overflow, -2^63 / -1, gives -2^63
}

static inline uint64_t remainder_of(int64_t a, int64_t b) {
    if (b == 0) return (uint64_t)a;
    return b == -1 ? 0 : (uint64_t)(a % b);
}

static inline uint64_t sext32(uint64_t value) {
    return (uint64_t)(int64_t)(int32_t)value;
}

#endif
