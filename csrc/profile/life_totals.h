// What all executions of each instruction lived through together: exact, of a run that followed every one (worker
// lives), or estimated from those that ProfileMe sampled. A table by place.
#ifndef TIPOFF_PROFILE_LIFE_TOTALS_H
#define TIPOFF_PROFILE_LIFE_TOTALS_H

#include "results.h"

struct life_table;
struct life_table *life_table_create(void); // NULL: no memory
void life_table_destroy(struct life_table *t);
// The row of a place, made if it is missing; valid until the next call. NULL: no memory.
struct lifetime *life_table_row(struct life_table *t, struct place place);
const struct lifetime *life_table_find(const struct life_table *t, struct place place); // NULL: there is none
// All of them, by context and address; the table's, until the next call of life_table_row.
const struct lifetime *life_table_rows(struct life_table *t, size_t *count);
void life_table_empty(struct life_table *t);

#endif
