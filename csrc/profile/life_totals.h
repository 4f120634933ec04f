// What all executions of each instruction lived through together: exact, of a run that followed every one (worker
// lives), or estimated from those that ProfileMe sampled. A table by place.
#ifndef TIPOFF_PROFILE_LIFE_TOTALS_H
#define TIPOFF_PROFILE_LIFE_TOTALS_H

#include "profile/place.h"
#include <stddef.h>

// X(name, text). Counts of instructions, and sums of cycles.
#define LIFE_TOTALS(X)                                                                                                 \
    X(FETCHED, "fetched, and since then retired or dead")                                                              \
    X(MAPPED, "came to the ROB")                                                                                       \
    X(RETIRED, "retired")                                                                                              \
    X(MISPREDICTION, "died after a mispredicted branch")                                                               \
    X(REORDERED, "died by a memory-ordering replay, their own or an older one's")                                      \
    X(EXCEPTION, "died by an exception, their own or an older one's")                                                  \
    X(INTERRUPT, "died by an interrupt")                                                                               \
    X(FLUSH, "died after an instruction that flushes")                                                                 \
    X(PAGE, "died as an A or D bit was set")                                                                           \
    X(OWN, "of the dead: by an exception, interrupt or replay of their own")                                           \
    X(DISPATCH, "cycles from fetch to map, of the retired")                                                            \
    X(OPERANDS, "cycles from map to operands ready")                                                                   \
    X(CONTENTION, "cycles from operands ready to issue")                                                               \
    X(EXECUTION, "cycles from issue to retire ready")                                                                  \
    X(RETIRE_WAIT, "cycles from retire ready to retirement")                                                           \
    X(OLDEST, "cycles as the oldest in the ROB")                                                                       \
    X(TAKEN, "retired, taken branches and jumps that EX resolves")                                                     \
    X(MISPREDICTED, "retired, and fetch had gone elsewhere")                                                           \
    X(PROGRESS, "cycles from fetch to retire ready, or to the end; of all")                                            \
    X(USEFUL, "instructions that issued in those cycles and retired, the instruction itself not counted")              \
    X(OVERLAPPED, "instructions with a known USEFUL")                                                                  \
    X(EVENT, "met event 0; the others follow")                                                                         \
    X(EVENT_LAST = TOTAL_EVENT + 15, "")                                                                               \
    X(CONFLICT, "did not find resource 0 at dispatch; the others follow")                                              \
    X(CONFLICT_LAST = TOTAL_CONFLICT + 8, "")
#define LIFE_TOTAL_NAME(name, text) TOTAL_##name,
enum life_total { LIFE_TOTALS(LIFE_TOTAL_NAME) LIFE_TOTAL_COUNT };
#undef LIFE_TOTAL_NAME

struct life_row {
    struct place place;
    uint64_t total[LIFE_TOTAL_COUNT];
};

struct life_table;
struct life_table *life_table_create(void); // NULL: no memory
void life_table_destroy(struct life_table *t);
// The row of a place, made if it is missing; valid until the next call. NULL: no memory.
struct life_row *life_table_row(struct life_table *t, struct place place);
const struct life_row *life_table_find(const struct life_table *t, struct place place); // NULL: there is none
// All of them, by context and address; the table's, until the next call of life_table_row.
const struct life_row *life_table_rows(struct life_table *t, size_t *count);
void life_table_empty(struct life_table *t);

#endif
