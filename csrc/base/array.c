// Growing arrays, by doubling.
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST = 64 }; // entries

bool array_reserve_all(void *list, size_t *capacity, size_t need, size_t bytes) {
    void *old;
    if (need <= *capacity) return true;
    memcpy(&old, list, sizeof old); // a pointer of whatever type
    size_t more = *capacity ? 2 * *capacity : FIRST;
    if (more < need) more = need;
    size_t size;
    void *grown = __builtin_mul_overflow(more, bytes, &size) ? NULL : realloc(old, size);
    if (!grown) return false;
    memcpy(list, &grown, sizeof grown);
    *capacity = more;
    return true;
}

bool array_reserve(void *list, size_t *capacity, size_t count, size_t bytes) {
    return array_reserve_all(list, capacity, count + 1, bytes);
}
