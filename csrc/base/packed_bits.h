// A value that the simulation passes as bits (DPI's svBitVecVal), taken apart. C and C++.
#ifndef TIPOFF_BASE_PACKED_BITS_H
#define TIPOFF_BASE_PACKED_BITS_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error two words of 32 bits are read as one of 64: the lower one must come first
#endif

// `width` bits from bit `at` on, 1 to 64, of a value of `total` bits, 33 at least. All but the words are constants:
// what is left is a load and two or three operations.
static inline __attribute__((always_inline)) uint64_t packed_bits(const uint32_t *words, unsigned total, unsigned at,
                                                                  unsigned width) {
    const unsigned last = (total - 1) / 32 - 1; // where the last two words begin
    const unsigned from = at / 32 < last ? at / 32 : last, shift = at - 32 * from;
    uint64_t value;
    memcpy(&value, words + from, sizeof value);
    value >>= shift;
    if (shift + width > 64) value |= (uint64_t)words[from + 2] << (64 - shift);
    return value & UINT64_MAX >> (64 - width);
}

// The same, assigned to a field of whatever unsigned type.
#define PACKED_BITS(field, words, total, at, width)                                                                    \
    ((field) = (__typeof__(field))packed_bits((words), (total), (at), (width)))

#endif
