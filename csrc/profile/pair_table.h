// Counts by pair of places: who, and on whose account.
#ifndef TIPOFF_PROFILE_PAIR_TABLE_H
#define TIPOFF_PROFILE_PAIR_TABLE_H

#include "results.h"
#include <stddef.h>

enum { PAIR_COUNTS = 4 };
struct pair {
    struct place from, to; // one of them may be PLACE_END: nowhere
    uint64_t counts[PAIR_COUNTS];
};

struct pair_table;
struct pair_table *pair_table_create(void); // NULL: no memory
void pair_table_destroy(struct pair_table *t);
// Adds to the pair's counts. False: no memory to grow; the table stays as it was.
bool pair_table_add(struct pair_table *t, struct place from, struct place to, const uint64_t counts[PAIR_COUNTS]);
void pair_table_empty(struct pair_table *t);
// Adds all pairs to that result (enum result_number), whose row is two places and then counts, in the order of their
// contexts and addresses: one that is nowhere is in the other's context. False: no memory.
bool pair_table_publish(const struct pair_table *t, struct results *results, unsigned number);

#endif
