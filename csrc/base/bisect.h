// Search of a sorted list, by halves.
#ifndef TIPOFF_BASE_BISECT_H
#define TIPOFF_BASE_BISECT_H

#include <stdbool.h>
#include <stddef.h>

// Whether an entry stands before what is looked for; true of a front part of the list only.
typedef bool bisect_before(const void *entry, const void *key);

// The first of `count` entries of `bytes` each that is not before the key; count: all are.
static inline size_t bisect(const void *list, size_t count, size_t bytes, bisect_before *before, const void *key) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (before((const char *)list + middle * bytes, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
