// Profiles: time by (address, context, state, PSV, call stack), in integer units of 1/U cycle, and the hash table that
// sums them up.
#ifndef TIPOFF_PROFILE_PROFILE_TABLE_H
#define TIPOFF_PROFILE_PROFILE_TABLE_H

#include "profile/place.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_row {
    uint64_t pc;      // or PROFILE_PC_END
    uint8_t state;    // enum commit_state, or STATE_COUNT where a profiler does not know states
    uint16_t psv;     // performance signature vector, bit i: event i of events.h
    uint64_t weight;  // in 1/U cycles
    uint64_t context; // of pc: struct place
    uint32_t stack;   // that it was called from (profile/stack_table.h); 0: not known
};

static inline struct place row_place(const struct profile_row *row) {
    return (struct place){row->pc, row->context};
}

// Rows by pc, context, state, psv, stack: for qsort and bsearch.
int profile_row_compare(const void *a, const void *b);

struct profile_table;
struct profile_table *profile_table_create(void); // NULL: no memory
// ... for a few rows, to be cleared again and again.
struct profile_table *profile_table_create_small(void);
void profile_table_clear(struct profile_table *t);
void profile_table_destroy(struct profile_table *t);
// Adds to the row of that key. False: no memory to grow; the table stays as it was.
bool profile_table_add_stack(struct profile_table *t, struct place place, uint32_t stack, uint8_t state, uint16_t psv,
                             uint64_t weight);
// ... of stack 0.
bool profile_table_add(struct profile_table *t, struct place place, uint8_t state, uint16_t psv, uint64_t weight);
uint64_t profile_table_total(const struct profile_table *t); // sum of all weights
// The rows, by profile_row_compare. They live until the next call of add or destroy. NULL with *count 0: no
// memory, or none.
const struct profile_row *profile_table_rows(struct profile_table *t, size_t *count);
// Likewise, and destroys the table: free() them. NULL table: NULL.
struct profile_row *profile_table_take(struct profile_table *t, size_t *count);

#endif
