// Errors of profilers for programs: a row a granularity and kind of components.
#include "report/columns.h"
#include "report/errors.h"
#include <cjson/cJSON.h>
#include <math.h>

struct error_row {
    const struct run *run;
    const struct report_error *error;
    int granularity;
    bool stacks;
};

static struct value error_value(const void *row, const char *column, char *room, size_t size) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    const struct error_row *r = row;
    const struct profile_error *e = (r->stacks ? r->error->stacks : r->error->by) + r->granularity;
    const struct chance_estimate *chance = (r->stacks ? r->error->chance_of_stacks : r->error->chance) + r->granularity;
    (void)room;
    (void)size;
    if (column_is(column, "file")) return value_text(r->run->path);
    if (column_is(column, "profiler")) return value_text(r->error->profiler);
    if (column_is(column, "granularity")) return value_word(granularities[r->granularity]);
    if (column_is(column, "components")) return value_word(r->stacks ? "events" : "time");
    if (column_is(column, "error")) return value_number(e->error);
    if (column_is(column, "total")) return value_count(e->total);
    if (column_is(column, "correct")) return value_count(e->correct);
    if (column_is(column, "booked")) return value_count(e->booked);
    if (column_is(column, "total_cycles")) return value_cycles(e->total, r->run->header->units);
    if (column_is(column, "correct_cycles")) return value_cycles(e->correct, r->run->header->units);
    if (column_is(column, "booked_cycles")) return value_cycles(e->booked, r->run->header->units);
    if (column_is(column, "samples")) return value_count(r->run->sample_count);
    return value_number(chance->draws <= 0 ? NAN : column_is(column, "chance") ? chance->error : chance->deviation);
}

const struct columns report_error_columns = {
    .csv = "file,profiler,granularity,components,error,total_cycles,correct_cycles,booked_cycles,samples,chance,chance_"
           "deviation",
    .json = "file,profiler,granularity,components,error,total,correct,booked,samples,?chance,?chance_deviation",
    .get = error_value};

void report_error_rows(struct rows *to, const struct run *d, const struct report_error *error) {
    for (struct error_row r = {.run = d, .error = error}; r.granularity < GRANULARITY_COUNT && !error->hidden;
         r.granularity++) {
        if (!report_error_known(d, (enum granularity)r.granularity)) continue;
        for (int stacks = 0; stacks <= error->has_stacks; stacks++) {
            r.stacks = stacks;
            rows_add(to, &report_error_columns, &r);
        }
    }
}

struct cJSON *report_error_json(const struct run *d, const struct report_error *errors, size_t count) {
    struct rows to = {.array = cJSON_CreateArray()};
    for (size_t i = 0; to.array && i < count; i++)
        report_error_rows(&to, d, &errors[i]);
    if (!to.failed) return to.array;
    cJSON_Delete(to.array);
    return NULL;
}
