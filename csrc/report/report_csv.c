// Profiles as CSV (docs/guide/profiling.md, "Files for other programs"): a row a unit, state and vector, weights in 1/U
// cycle, by address.
#include "report/csv.h"
#include "report/formats.h"
#include "report/place_columns.h"
#include "report/run.h"
#include "report/words.h"

static void print_row(const struct run *d, enum granularity g, const struct profile_row *row, FILE *out) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    csv_text(out, d->profiler);
    fprintf(out, ",%s,", granularities[g]);
    place_csv(out, d, g, row_place(row), "unit");
    fprintf(out, ",%s,%u,%llu,", report_state_name(row->state), row->psv, (unsigned long long)row->weight);
    place_csv(out, d, g, row_place(row), "name", "source", "instruction", "mode", "space", "image");
    fputc('\n', out);
}

int report_csv(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->images, o->granularity, UINT16_MAX);
    if (!t) return report_out_of_memory(d->path, err);
    size_t count;
    const struct profile_row *rows = profile_table_rows(t, &count);
    csv_run(out, d);
    fputs("profiler,granularity,unit,state,psv,weight,name,source,instruction,mode,space,image\n", out);
    for (size_t i = 0; i < count; i++)
        print_row(d, o->granularity, &rows[i], out);
    profile_table_destroy(t);
    return 0;
}
