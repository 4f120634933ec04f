// Puts words together byte by byte in memory, and loads them: a load cannot be served from several stores, and waits
// until they are in the cache. FIXED: put together in a register.
#include "advice.h"

enum { WORDS = 2500 };
static volatile union {
    uint8_t bytes[4];
    uint32_t word;
} buffer;

static __attribute__((noinline)) uint64_t pack(void) {
    uint64_t digest = 0, value = 1;
    for (int i = 0; i < WORDS; i++) {
        value = value * 25214903917u + 11;
#ifdef FIXED
        const uint32_t word = (uint32_t)(value >> 8 & 0xff) | (uint32_t)(value >> 16 & 0xff) << 8 |
                              (uint32_t)(value >> 24 & 0xff) << 16 | (uint32_t)(value >> 32 & 0xff) << 24;
#else
        for (int k = 0; k < 4; k++)
            buffer.bytes[k] = (uint8_t)(value >> (8 + 8 * k));
        const uint32_t word = buffer.word; // cause
#endif
        value ^= word;
        digest += word;
    }
    return digest;
}

int main(void) {
    return result(pack());
}
