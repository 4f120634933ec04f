// Profiles as CSV (docs/guide/profiling.md, "Files for other programs"): a row a unit, state and vector, weights in 1/U
// cycle, by address.
#include "report/contexts.h"
#include "report/csv.h"
#include "report/formats.h"
#include "report/run.h"
#include "report/words.h"

enum { TEXT = REPORT_WHOLE };

static void print_row(const struct run *d, enum granularity g, const struct profile_row *row, FILE *out) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    char text[TEXT];
    csv_text(out, d->profiler);
    fprintf(out, ",%s,", granularities[g]);
    report_unit(d, g, row_place(row), text, sizeof text);
    csv_text(out, text);
    fprintf(out, ",%s,%u,%llu,", report_state_name(row->state), row->psv, (unsigned long long)row->weight);
    report_name(d, g, row_place(row), text, sizeof text);
    csv_text(out, text);
    unsigned line;
    const char *file = g == BY_APPLICATION ? NULL : report_source(d, row_place(row), &line);
    text[0] = '\0';
    if (file) snprintf(text, sizeof text, "%s:%u", file, line);
    fputc(',', out);
    csv_text(out, text);
    text[0] = '\0';
    if (g == BY_INSTRUCTION) report_instruction(d, row_place(row), text, sizeof text);
    fputc(',', out);
    csv_text(out, text);
    const bool end = row->pc == PROFILE_PC_END;
    fprintf(out, ",%s,0x%llx,", end || g == BY_APPLICATION ? "" : report_mode_name(d, row->context),
            (unsigned long long)place_space(row->context));
    csv_text(out, g == BY_APPLICATION ? "" : report_image(d, row_place(row)));
    fputc('\n', out);
}

int report_csv(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct profile_table *t = booking_aggregate(d->rows, d->row_count, d->images, o->granularity, UINT16_MAX);
    if (!t) return report_out_of_memory(d->path, err);
    size_t count;
    const struct profile_row *rows = profile_table_rows(t, &count);
    fprintf(out, "# U=%u cycles=%llu samples=%zu\n", d->header->units, (unsigned long long)d->cycles, d->sample_count);
    fputs("profiler,granularity,unit,state,psv,weight,name,source,instruction,mode,space,image\n", out);
    for (size_t i = 0; i < count; i++)
        print_row(d, o->granularity, &rows[i], out);
    profile_table_destroy(t);
    return 0;
}
