// The samples of a run, each as the rows of the profile that it added to.
#include "report/export.h"
#include <stdlib.h>

struct reading {
    const struct run *data;
    export_take *take;
    void *context;
    struct profile_table *table; // of one sample
};

static uint64_t first_address(const struct sample *s) {
    return s->valid ? s->addr[__builtin_ctz(s->valid)] : PROFILE_PC_END;
}

static bool hand_on(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct reading *r = context;
    struct export_share shares[MAX_LANES + 1];
    struct export_sample sample = {.record = record, .shares = shares};
    size_t count = 0;
    struct profile_table *t = r->table;
    profile_table_clear(t);
    const bool good = booking_add_sample(t, record, header->units);
    const struct profile_row *rows = good ? profile_table_rows(t, &count) : NULL;
    for (size_t i = 0; rows && i < count && sample.count < sizeof shares / sizeof *shares; i++) {
        const struct profile_row *row =
            bsearch(&rows[i], r->data->rows, r->data->row_count, sizeof *r->data->rows, profile_row_compare);
        if (!row) continue;
        shares[sample.count++] = (struct export_share){(size_t)(row - r->data->rows), rows[i].weight};
    }
    sample.first = sample.count ? shares[0].row : 0;
    for (size_t i = sample.count; i-- > 0;) {
        if (r->data->rows[shares[i].row].pc == first_address(&record->sample)) sample.first = shares[i].row;
    }
    return good && (sample.count == 0 || r->take(r->context, &sample));
}

bool export_samples(const struct export *e, export_take *take, void *context, struct error *err) {
    struct reading reading = {e->data, take, context, profile_table_create_small()};
    if (!reading.table) return report_out_of_memory(e->data->path, err) == 0;
    const bool good = sample_store_each(e->data->store, e->data->header, hand_on, &reading);
    profile_table_destroy(reading.table);
    return good || report_out_of_memory(e->data->path, err) == 0;
}

bool export_has_times(const struct run *d, const char *what, struct error *err) {
    if (d->by_samples) return true;
    error_set(err, "%s: %s needs samples in time, which the profile of %s lacks: leave --profiler out%s", d->path, what,
              d->profiler, d->sample_count ? "" : ", and run again with a shorter --period");
    return false;
}
