// Columns of a unit's time, by name: profiler, weight (in 1/U cycle), cycles, share, interval (of the share, for text),
// deviation and samples (of what is estimated), why, states, stack (its rows, for JSON); of one of its rows state, psv,
// events (its vector in words) and its weight. Not for other libraries.
#ifndef TIPOFF_REPORT_TIME_COLUMNS_H
#define TIPOFF_REPORT_TIME_COLUMNS_H

#include "analysis/spread.h"
#include "report/columns.h"

struct time_row {
    const struct run *run;
    const struct unit_time *time; // NULL: of one row of the profile, the first of `rows`
    uint64_t full;                // text: the time that a whole bar stands for
    bool estimated;
    struct estimate estimate; // of its weight
    const struct profile_row *rows;
    size_t row_count;
};
// Of an estimate of part of a whole: the half width of its interval, for text.
struct value interval_value(const struct estimate *part, double whole);
// False: none of these columns.
bool time_value(const struct time_row *r, const char *column, char *room, size_t size, struct value *v);

// ---- units of a granularity: these, granularity, those of places, address, executions, met and
// waits_for (reasons.h); code: the instruction there, whatever the unit; counts (text: executions, and cycles of each,
// where the run has them) ----
struct unit_row {
    struct time_row of;
    enum granularity granularity;
    struct place place;
};
struct value unit_value(const void *row, const char *column, char *room, size_t size);
// ... of modes and address spaces, whose names are words.
struct value context_value(const void *row, const char *column, char *room, size_t size);

#endif
