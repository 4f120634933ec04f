// Little-endian integers in byte buffers, for everything that goes to disk.
#ifndef TIPOFF_BASE_BYTES_H
#define TIPOFF_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

// Writes the low `bytes` bytes of value, 1 to 8, and returns the place behind them.
static inline uint8_t *bytes_put(uint8_t *p, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        *p++ = (uint8_t)(value >> (8 * i));
    return p;
}

// Reads so many bytes, 1 to 8, and moves *p behind them.
static inline uint64_t bytes_get(const uint8_t **p, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t) * (*p)++ << (8 * i);
    return value;
}

#endif
