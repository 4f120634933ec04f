// A row has the samples of an instruction, a state and a call stack, whatever each of them waits for.
#include "report/row_data.h"
#include "base/array.h"
#include <stdlib.h>

struct reading {
    struct row_data *found;
    const struct profile_row *rows;
};

// In Stalled after Drained the instruction itself is waited for.
static bool take(void *context, const struct export_sample *sample) {
    const struct reading *reading = context;
    struct row_data *r = reading->found;
    const struct sample_record *record = sample->record;
    bool counted = false;
    for (size_t i = 0; record->data_of && i < sample->count; i++) {
        const struct export_share *share = &sample->shares[i];
        if (reading->rows[share->row].state != record->sample.state) continue;
        if (!array_reserve(&r->parts, &r->capacity, r->count, sizeof *r->parts)) return false;
        const bool first = !counted && share->row == sample->first;
        r->parts[r->count++] = (struct row_part){
            .row = share->row, .data = record->data, .weight = share->weight, .samples = first, .of = record->data_of};
        counted = counted || first;
    }
    r->samples[sample->first] += !counted;
    return true;
}

static int compare(const void *x, const void *y) {
    const struct row_part *a = x, *b = y;
    if (a->row != b->row) return a->row < b->row ? -1 : 1;
    if (a->data != b->data) return a->data < b->data ? -1 : 1;
    return a->of < b->of ? -1 : a->of > b->of;
}

static void add_up(struct row_data *r) {
    size_t kept = 0;
    if (r->count) qsort(r->parts, r->count, sizeof *r->parts, compare);
    for (size_t i = 0; i < r->count; i++) {
        if (kept && compare(&r->parts[kept - 1], &r->parts[i]) == 0) {
            r->parts[kept - 1].weight += r->parts[i].weight;
            r->parts[kept - 1].samples += r->parts[i].samples;
        } else {
            r->parts[kept++] = r->parts[i];
        }
    }
    r->count = kept;
}

static void round_cycles(struct row_data *r, const struct export *e) {
    uint64_t sum = 0, before = 0;
    for (size_t i = 0; i < r->count; i++) {
        struct row_part *part = &r->parts[i];
        const uint64_t weight = e->data->rows[part->row].weight, cycles = e->cycles[part->row];
        if (i == 0 || part[-1].row != part->row) sum = before = 0;
        sum += part->weight;
        const uint64_t after = sum == weight ? cycles : (uint64_t)((double)cycles * (double)sum / (double)weight + 0.5);
        part->cycles = after - before;
        before = after;
    }
}

bool row_data_find(struct row_data *r, const struct export *e, struct error *err) {
    const struct run *d = e->data;
    struct reading reading = {r, d->rows};
    *r = (struct row_data){.samples = calloc(d->row_count + 1, sizeof *r->samples)};
    if (!r->samples) return report_out_of_memory(d->path, err) == 0;
    if (d->by_samples && !export_samples(e, take, &reading, err)) return false;
    add_up(r);
    round_cycles(r, e);
    return true;
}

void row_data_free(struct row_data *r) {
    free(r->parts);
    free(r->samples);
    *r = (struct row_data){0};
}
