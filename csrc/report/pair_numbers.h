// Pairs of numbers, numbered themselves as they come. Not for other libraries.
#ifndef TIPOFF_REPORT_PAIR_NUMBERS_H
#define TIPOFF_REPORT_PAIR_NUMBERS_H

#include "base/hash_index.h"
#include <stdbool.h>
#include <stddef.h>

#define PAIR_NONE SIZE_MAX
struct pair_numbers { // begins as zeros
    uint64_t (*keys)[2];
    size_t count, capacity;
    struct hash_index index;
};
// Its number, p->count being the next new one; PAIR_NONE: not there, or, to be added, no memory.
size_t pair_number(struct pair_numbers *p, uint64_t a, uint64_t b, bool add);
void pair_numbers_free(struct pair_numbers *p);

#endif
