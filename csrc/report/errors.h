// Errors of the samples ("TIP") and of each profile in the file against the Oracle's, pooled samples and chance
// included. Not for other libraries.
#ifndef TIPOFF_REPORT_ERRORS_H
#define TIPOFF_REPORT_ERRORS_H

#include "analysis/chance.h"
#include "report/run.h"

// The rows of the samples, pooled. NULL with err: the file does not have what that needs, or no memory.
struct profile_table *report_pool(const struct run *d, enum pool_kind kind, struct error *err);
// ... as the profile that is reported: one that is not sampled, as no deviations are known of it. False with err.
bool report_use_pool(struct run *d, enum pool_kind kind, struct error *err);

struct report_error {
    const char *profiler;
    bool hidden; // none of its samples found an instruction: the core's bundle does not show what it samples. The
                 // errors below say nothing then
    struct profile_error by[GRANULARITY_COUNT];
    bool has_stacks; // it has events: `stacks` compares vectors as well, the Oracle's cut to the profiler's events
    uint16_t events; // that it distinguishes
    struct profile_error stacks[GRANULARITY_COUNT];
    struct chance_estimate chance[GRANULARITY_COUNT], chance_of_stacks[GRANULARITY_COUNT]; // report_add_chance
};
// Blocks and functions need the program: without it they are not reported.
bool report_error_known(const struct run *d, enum granularity g);
// free() it. NULL with *count 0: nothing to compare with (no Oracle in the file), or nothing to compare.
// NULL with *count 1: no memory.
struct report_error *report_errors(const struct run *d, size_t *count);
extern const char *const report_pool_names[POOL_KINDS];
// ... of the samples, pooled. False with err.
bool report_pool_error(const struct run *d, enum pool_kind kind, struct report_error *e, struct error *err);
// In files: a row a granularity and kind of components; none of a profiler that is hidden. Chance is left out where
// report_add_chance has not been.
struct columns;
struct rows;
extern const struct columns report_error_columns;
void report_error_rows(struct rows *to, const struct run *d, const struct report_error *error);
// ... as an array of objects. NULL: no memory.
struct cJSON *report_error_json(const struct run *d, const struct report_error *errors, size_t count);
// Adds what an unbiased profiler would have with these samples, on each one's events. 0, or a negative errno with
// err.
int report_add_chance(const struct run *d, struct report_error *errors, size_t count, struct error *err);

#endif
