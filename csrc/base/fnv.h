// FNV-1a, a hash of bytes that is the same on every machine (http://www.isthe.com/chongo/tech/comp/fnv/).
#ifndef TIPOFF_BASE_FNV_H
#define TIPOFF_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t fnv_byte(uint64_t hash, uint8_t byte) {
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}
static inline uint64_t fnv_text(uint64_t hash, const char *text) {
    for (; *text; text++)
        hash = fnv_byte(hash, (uint8_t)*text);
    return hash;
}

#endif
