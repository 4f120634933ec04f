// Little-endian integers in byte buffers, for everything that goes to disk.
#ifndef TIPOFF_BASE_BYTES_H
#define TIPOFF_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they lie in memory");

// Writes the low `bytes` bytes of value, 1 to 8, and returns the address after them.
static inline uint8_t *bytes_put(uint8_t *p, uint64_t value, int bytes) {
    memcpy(p, &value, (size_t)bytes); // of a constant length: one instruction
    return p + bytes;
}

// Reads `bytes` bytes, 1 to 8, and moves *p past them.
static inline uint64_t bytes_get(const uint8_t **p, int bytes) {
    uint64_t value = 0;
    memcpy(&value, *p, (size_t)bytes);
    *p += bytes;
    return value;
}

#endif
