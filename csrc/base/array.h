// Growing arrays: a list, its capacity, and the number of its entries, which its owner counts.
#ifndef TIPOFF_BASE_ARRAY_H
#define TIPOFF_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

// Makes space for one more entry of `bytes` in a list that has `count` of them. list: the address of the pointer, NULL
// at first, which its owner frees; *capacity: in entries, 0 at first. False: out of memory, and the list is unchanged.
bool array_reserve(void *list, size_t *capacity, size_t count, size_t bytes);
// Likewise, for `need` entries in all.
bool array_reserve_all(void *list, size_t *capacity, size_t need, size_t bytes);

#endif
