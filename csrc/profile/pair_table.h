// Counts by pair of places: who, and on whose account. A hash table, and its rows as JSON for the statistics of a run.
#ifndef TIPOFF_PROFILE_PAIR_TABLE_H
#define TIPOFF_PROFILE_PAIR_TABLE_H

#include "profile/place.h"
#include <cjson/cJSON.h>
#include <stddef.h>

enum { PAIR_COUNTS = 4 };
struct pair {
    struct place from, to;        // one of them may be PLACE_END: nowhere
    uint64_t counts[PAIR_COUNTS]; // a pair with counts[0] = 0 is none
};

struct pair_table;
struct pair_table *pair_table_create(void); // NULL: no memory
void pair_table_destroy(struct pair_table *t);
// Adds to the pair's counts; counts[0] is at least 1. False: no memory to grow; the table stays as it was.
bool pair_table_add(struct pair_table *t, struct place from, struct place to, const uint64_t counts[PAIR_COUNTS]);
void pair_table_empty(struct pair_table *t);
// Adds to `statistics` an array of that name, a group for each pair of contexts, all in a fixed order:
//   NAME  [{from_mode, from_space, to_mode, to_space, ROWS: ["FROM TO COUNT ...", ...]}, ...]
// addresses in hex, "-" for nowhere, which is in the other place's context; `columns` of the counts. False: no memory.
bool pair_table_write(const struct pair_table *t, cJSON *statistics, const char *name, const char *rows,
                      unsigned columns);

#endif
