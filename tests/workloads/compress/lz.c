// LZ77: the longest match within the window, found through chains of places with the same three-byte hash.
#include "compress.h"

enum { BUCKETS = 1024, CHAIN = 8 };             // CHAIN: candidates tried at a place
static uint32_t newest[BUCKETS], older[WINDOW]; // place + 1; 0: none

static uint32_t hash(const uint8_t *p) {
    return ((uint32_t)p[0] << 16 ^ (uint32_t)p[1] << 8 ^ p[2]) * 2654435761u >> 22;
}

static void enter(const uint8_t *text, size_t at, size_t bytes) {
    if (at + SHORTEST > bytes) return;
    uint32_t h = hash(text + at);
    older[at % WINDOW] = newest[h];
    newest[h] = (uint32_t)at + 1;
}

size_t lz_find(const uint8_t *text, size_t bytes, uint16_t *token) {
    size_t count = 0;
    for (size_t at = 0; at < bytes;) {
        size_t best = 0, distance = 0;
        size_t most = bytes - at < LONGEST ? bytes - at : LONGEST;
        uint32_t candidate = most >= SHORTEST ? newest[hash(text + at)] : 0;
        for (int tries = 0; candidate && tries < CHAIN; tries++) {
            size_t from = candidate - 1;
            if (at - from >= WINDOW) break;
            size_t length = 0;
            while (length < most && text[from + length] == text[at + length])
                length++;
            if (length > best) {
                best = length;
                distance = at - from;
            }
            candidate = older[from % WINDOW];
        }
        size_t step = 1;
        if (best >= SHORTEST) {
            token[count++] = (uint16_t)(MATCH + best - SHORTEST);
            token[count++] = (uint16_t)distance;
            step = best;
        } else {
            token[count++] = text[at];
        }
        while (step--)
            enter(text, at++, bytes);
    }
    token[count++] = END;
    return count;
}

size_t lz_expand(const uint16_t *token, size_t count, uint8_t *text, size_t room) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (token[i] == END) return bytes;
        size_t length = token[i] < END ? 1 : token[i] - MATCH + SHORTEST;
        if (bytes + length > room) return 0;
        if (token[i] < END) {
            text[bytes++] = (uint8_t)token[i];
            continue;
        }
        size_t distance = token[++i];
        if (distance == 0 || distance > bytes) return 0;
        for (; length; length--, bytes++)
            text[bytes] = text[bytes - distance];
    }
    return 0;
}
