// Memory and string functions, a word at a time where both sides are aligned alike.
#include "runtime.h"

// Words of another type's bytes: may_alias keeps the compiler from assuming otherwise.
typedef uint64_t __attribute__((may_alias)) word;
enum { WORD = sizeof(word) };

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    uint8_t *d = to;
    const uint8_t *s = from;
    if (((uintptr_t)d ^ (uintptr_t)s) % WORD == 0) {
        for (; bytes && (uintptr_t)d % WORD; bytes--)
            *d++ = *s++;
        for (; bytes >= WORD; bytes -= WORD, d += WORD, s += WORD)
            *(word *)d = *(const word *)s;
    }
    while (bytes--)
        *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
    uint8_t *d = to;
    const uint8_t *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= bytes) return memcpy(to, from, bytes);
    while (bytes--)
        d[bytes] = s[bytes];
    return to;
}

void *memset(void *to, int byte, size_t bytes) {
    uint8_t *d = to;
    uint64_t pattern = (uint8_t)byte * 0x0101010101010101u;
    for (; bytes && (uintptr_t)d % WORD; bytes--)
        *d++ = (uint8_t)byte;
    for (; bytes >= WORD; bytes -= WORD, d += WORD)
        *(word *)d = pattern;
    while (bytes--)
        *d++ = (uint8_t)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes) {
    const uint8_t *p = a, *q = b;
    for (; bytes; bytes--, p++, q++)
        if (*p != *q) return *p - *q;
    return 0;
}

size_t strlen(const char *s) {
    const char *end = s;
    while (*end)
        end++;
    return (size_t)(end - s);
}

int strcmp(const char *a, const char *b) {
    if (((uintptr_t)a | (uintptr_t)b) % WORD == 0) {
        // A word has a zero byte if subtracting 1 from each byte borrows from a high bit that was not set. An aligned
        // word does not leave the page of its first byte, so reading past the end of the string is harmless.
        const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
        for (uint64_t w; (w = *(const word *)a) == *(const word *)b && !((w - ones) & ~w & highs);)
            a += WORD, b += WORD;
    }
    while (*a && *a == *b)
        a++, b++;
    return (uint8_t)*a - (uint8_t)*b;
}

char *strcpy(char *restrict to, const char *restrict from) {
    char *d = to;
    while ((*d++ = *from++))
        ;
    return to;
}
