// Profiles as CSV (docs/guide/profiling.md, "Files for other programs"): a row a unit, state and vector, in cycles, by
// address.
#include "report/csv.h"
#include "report/formats.h"
#include "report/time_columns.h"

int report_csv(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    static const struct columns alone = {
        .csv = "profiler,granularity,unit,state,events,psv,cycles,name,source,instruction,mode,space,image",
        .get = unit_value};
    static const struct columns harts = {
        .csv = "profiler,granularity,unit,state,events,psv,cycles,name,source,instruction,mode,space,image,hart",
        .get = unit_value};
    const struct columns *columns = d->harts > 1 ? &harts : &alone;
    size_t count;
    const struct profile_row *rows = run_rows(d, o->granularity, &count);
    if (!rows && d->total) return report_out_of_memory(d->path, err);
    csv_run(out, d, o);
    columns_csv_heading(columns, out);
    for (size_t i = 0; rows && i < count; i++) {
        const struct time_row time = {.run = d, .rows = &rows[i], .row_count = 1};
        columns_csv(columns, &(struct unit_row){time, o->granularity, row_place(&rows[i])}, out);
    }
    return 0;
}
