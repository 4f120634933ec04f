// Results that a run leaves besides samples and profiles, as rows (tables/results.tsv). A worker adds its rows, a
// sample file keeps them, a report reads them; results.h, generated, has the structs and one accessor each for every
// result.
#ifndef TIPOFF_PROFILE_RESULT_STORE_H
#define TIPOFF_PROFILE_RESULT_STORE_H

#include "profile/place.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct result_span { // rows of a list that belong to a row of another
    size_t first;
    uint32_t count;
};

// ---- what a result is: rows of the generated tables ----
enum result_kind { RESULT_SCALAR, RESULT_VECTOR, RESULT_TABLE, RESULT_LIST };
enum result_type {
    RESULT_NUMBER,
    RESULT_FLAG,
    RESULT_REAL, // a double, finite
    RESULT_TEXT, // bytes up to a 0
    RESULT_PLACE,
    RESULT_ROWS,
    RESULT_INDEX
};
enum result_merge { RESULT_MERGE_SUM, RESULT_MERGE_MAX, RESULT_MERGE_MIN, RESULT_MERGE_LAST, RESULT_MERGE_NONE };
enum result_stats {
    RESULT_STATS_NONE,
    RESULT_STATS_GROUPS,
    RESULT_STATS_OBJECTS,
    RESULT_STATS_ARRAYS,
    RESULT_STATS_MEMBERS,
    RESULT_STATS_NAMES
};
struct result_field {
    const char *name, *member; // member: of --stats, INNER.NAME or the name
    uint16_t id, since;        // since: version of sample files
    enum result_type type;
    unsigned bytes; // in a file; of a number or text also in the struct
    bool key;
    enum result_merge merge;
    unsigned of; // RESULT_ROWS: number of the result whose rows; RESULT_INDEX: number of the field of rows
    size_t offset;
    uint64_t least, most;       // values; RESULT_ROWS: rows; RESULT_TEXT: bytes. Of others 0
    const char *unit, *written; // written: its type, as results.tsv has it
    const char *const *names;   // of the values; NULL: they have none
};
struct result_info {
    const char *name;
    uint16_t id, since;
    enum result_kind kind;
    enum result_stats stats;
    const char *stats_key, *stats_rows;
    const struct result_field *fields;
    unsigned field_count;
    size_t bytes; // of its struct
};
#define RESULT_NEVER UINT64_MAX // a value of type cycle: of what did not happen, or not before the run ended
enum { RESULT_FIELDS_MOST = 64, RESULT_ROW_MOST = 1024 }; // fields; bytes of a struct: the generated tables keep to it
// number: enum result_number, everywhere.
const struct result_info *result_info(unsigned number);
// The number of the result of that id; false: none that this build knows.
bool result_find(uint16_t id, unsigned *number);
uint64_t result_number(const struct result_field *field, const void *row); // RESULT_REAL: its bits
double result_real(const struct result_field *field, const void *row);     // of any but places and texts
const char *result_text(const struct result_field *field, const void *row);
void result_set_number(const struct result_field *field, void *row, uint64_t value);
struct place result_place(const struct result_field *field, const void *row);

// ---- the rows ----
struct results;
struct results *results_create(void);    // NULL: out of memory
void results_destroy(struct results *r); // NULL is fine
// The run keeps this result, if it may have no rows.
void results_keep(struct results *r, unsigned number);
bool results_known(const struct results *r, unsigned number);
// One row more, copied; of a scalar the second one takes the place of the first. A field of rows counts its rows alone:
// they are the next ones, in order. False: out of memory.
bool results_add(struct results *r, unsigned number, const void *row);
// They live until a row is added. NULL and 0 where there are none.
const void *results_rows(const struct results *r, unsigned number, size_t *count);
void *results_row(struct results *r, unsigned number, size_t i); // to change what is no key of it; likewise
void results_drop(struct results *r, unsigned number);           // it was not kept
// Of several runs, whose rows do not merge (result_merge.h): it is dropped, and what comes later is, too.
void results_set_apart(struct results *r, unsigned number);
bool results_apart(const struct results *r, unsigned number);
// Whether every list has as many rows as the rows that they belong to count. Drops those where not. False: some.
bool results_settle(struct results *r);

#endif
