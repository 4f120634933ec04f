// Errors of profilers for programs: the columns of CSV and JSON.
#include "report/errors.h"
#include "report/sheet.h"
#include <math.h>

void report_error_columns(struct sheet *s) {
    static const char *const names[] = {"file",  "profiler", "granularity", "components", "error",
                                        "total", "correct",  "booked",      "samples"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        sheet_column(s, names[i], "", SHEET_FILES);
    sheet_column(s, "chance", "", SHEET_KNOWN);
    sheet_column(s, "chance_deviation", "", SHEET_KNOWN);
}

static void add_row(struct sheet *s, const struct run *d, const struct report_error *error, int g, bool stacks) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    const struct profile_error *e = stacks ? &error->stacks[g] : &error->by[g];
    const struct chance_estimate *chance = stacks ? &error->chance_of_stacks[g] : &error->chance[g];
    sheet_text(s, d->path);
    sheet_text(s, error->profiler);
    sheet_text(s, granularities[g]);
    sheet_text(s, stacks ? "events" : "time");
    sheet_number(s, e->error);
    sheet_count(s, e->total);
    sheet_count(s, e->correct);
    sheet_count(s, e->booked);
    sheet_count(s, d->sample_count);
    sheet_number(s, chance->draws > 0 ? chance->error : NAN);
    sheet_number(s, chance->draws > 0 ? chance->deviation : NAN);
}

void report_error_rows(struct sheet *s, const struct run *d, const struct report_error *error) {
    for (int g = 0; g < GRANULARITY_COUNT && !error->hidden; g++) {
        if (!report_error_known(d, (enum granularity)g)) continue;
        add_row(s, d, error, g, false);
        if (error->has_stacks) add_row(s, d, error, g, true);
    }
}

struct cJSON *report_error_json(const struct run *d, const struct report_error *errors, size_t count) {
    struct sheet *s = sheet_create();
    if (!s) return NULL;
    report_error_columns(s);
    for (size_t i = 0; i < count; i++)
        report_error_rows(s, d, &errors[i]);
    struct cJSON *array = sheet_good(s) ? sheet_json(s) : NULL;
    sheet_destroy(s);
    return array;
}
