// A binary heap in an array: the entry that comes before all others is the first.
#ifndef TIPOFF_BASE_HEAP_H
#define TIPOFF_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef bool heap_before(const void *a, const void *b); // of two entries

// Puts a further entry, of `bytes`, into a heap of `count` that has space for it.
static inline void heap_put(void *heap, size_t count, size_t bytes, heap_before *before, const void *entry) {
    char *const list = heap;
    size_t i = count;
    for (; i && before(entry, list + (i - 1) / 2 * bytes); i = (i - 1) / 2)
        memcpy(list + i * bytes, list + (i - 1) / 2 * bytes, bytes);
    memcpy(list + i * bytes, entry, bytes);
}

// Takes the first of `count` entries, which are at least one, out.
static inline void heap_drop(void *heap, size_t count, size_t bytes, heap_before *before) {
    char *const list = heap, *const last = list + (count - 1) * bytes;
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < count - 1; i = child) {
        if (child + 1 < count - 1 && before(list + (child + 1) * bytes, list + child * bytes)) child++;
        if (!before(list + child * bytes, last)) break;
        memcpy(list + i * bytes, list + child * bytes, bytes);
    }
    memmove(list + i * bytes, last, bytes);
}

#endif
