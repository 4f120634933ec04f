// How much memory (DRAM) the machine has: the sizes that --memory takes, and the message for others.
//
// A size is a run's choice, and a power of two: the tile compares an address's upper bits alone (its port region_i), so
// that one model serves all sizes.
#ifndef TIPOFF_BASE_MEMORY_SIZE_H
#define TIPOFF_BASE_MEMORY_SIZE_H

#include "base/error.h"
#include "memory_map.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_LEAST (UINT64_C(16) << 20)         // holds a program of tipoff-cc, whose stack has 8 MiB
#define MEMORY_MOST (DRAM_BASE & (0 - DRAM_BASE)) // a region begins at a multiple of its size

// Bytes of memory: a power of two from MEMORY_LEAST to MEMORY_MOST. Without --memory: DRAM_BYTES.
static inline bool memory_size_is(uint64_t bytes) {
    return bytes >= MEMORY_LEAST && bytes <= MEMORY_MOST && !(bytes & (bytes - 1));
}
static inline uint64_t memory_size_or_default(uint64_t bytes) { // 0: none was chosen
    return bytes ? bytes : DRAM_BYTES;
}
// "512M", "1G", "65536K": KiB, MiB, GiB. False with why (a line that begins with the text): none, or no size of a
// machine.
bool memory_size_parse(const char *text, uint64_t *bytes, struct error *why);
// The shortest such text of bytes, a multiple of 1 KiB.
enum { MEMORY_SIZE_TEXT = 24 };
const char *memory_size_text(uint64_t bytes, char text[MEMORY_SIZE_TEXT]);
// The least size that has [address, address + bytes) in it; 0: none has.
uint64_t memory_size_for(uint64_t address, uint64_t bytes);

// Address space for that much memory, all zero; pages of the host are taken as they are written to. NULL with err:
// there is not so much.
uint8_t *memory_reserve(uint64_t bytes, struct error *err);
void memory_clear(uint8_t *memory, uint64_t bytes);   // all zero again, and no page is taken
void memory_release(uint8_t *memory, uint64_t bytes); // NULL is fine

#endif
