// The compressor's two halves. A token is a literal (0..255), END, or MATCH + (length - SHORTEST), which is followed in
// the token array by a distance.
#ifndef WORKLOAD_COMPRESS_H
#define WORKLOAD_COMPRESS_H

#include "runtime.h"

enum {
    END = 256,
    MATCH = 257,
    SHORTEST = 3,
    LENGTHS = 32,
    LONGEST = SHORTEST + LENGTHS - 1,
    SYMBOLS = MATCH + LENGTHS
};
enum { DISTANCE_BITS = 12, WINDOW = 1 << DISTANCE_BITS };

size_t lz_find(const uint8_t *text, size_t bytes, uint16_t *token); // number of array entries, END included
size_t lz_expand(const uint16_t *token, size_t count, uint8_t *text, size_t room); // bytes; 0: malformed

size_t huffman_pack(const uint16_t *token, size_t count, uint8_t *packed); // bytes
size_t huffman_unpack(const uint8_t *packed, uint16_t *token); // array entries; uses the stored code lengths
bool huffman_complete(void);                                   // of the code last unpacked with

#endif
