// Three queues, merged by cycle.
#include "harness/waiting_samples.h"
#include "base/array.h"
#include "events.h"
#include <stdlib.h>
#include <string.h>

void waiting_samples_free(struct waiting_samples *w) {
    free(w->records);
    free(w->stacks);
    free(w->data);
}

int waiting_samples_add(struct waiting_samples *w, const struct sample_record *record, struct error *err) {
    if (!array_reserve(&w->records, &w->capacity, w->count, sizeof *w->records)) return error_nomem(err, "samples");
    w->records[w->count++] = *record;
    return 0;
}

// The instruction that a sample names, by its state (docs/guide/profiling.md, "What a cycle is given to").
static void give(struct sample_record *r, const struct sample_stacks *s) {
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (!(r->sample.valid >> lane & 1)) continue;
        r->stack[lane] = r->sample.state == STATE_COMPUTING ? s->lane[lane]
                         : r->sample.state == STATE_FLUSHED ? s->offending
                                                            : s->oldest;
    }
}

// What it waits for: its own data, or those of the store that drains.
static void give_data(struct sample_record *r, const struct sample_data *d) {
    const bool drained = r->sample.state == STATE_DRAINED && r->sample.valid & 1 && r->sample.psv[0] >> EVENT_DR_SQ & 1;
    const bool stalled = r->sample.state == STATE_STALLED, drains = d->drain && (drained || (stalled && d->waits));
    r->data = drains ? d->drain : stalled ? d->own : 0;
    r->data_of = !r->data ? SAMPLES_DATA_NONE : drains ? SAMPLES_DATA_DRAIN : SAMPLES_DATA_ACCESS;
}

// What has come of a cycle before that of the first sample belongs to no sample any more. Whether the sample has all
// that it waits for: something has come of its own cycle or of a later one.
static bool take_stack(const struct waiting_samples *w, struct sample_record *r, size_t *used) {
    while (*used < w->stack_count && w->stacks[*used].cycle < r->cycle)
        ++*used;
    if (*used == w->stack_count) return w->no_stacks;
    if (w->stacks[*used].cycle == r->cycle) give(r, &w->stacks[*used]);
    return true;
}

static bool take_data(const struct waiting_samples *w, struct sample_record *r, size_t *used) {
    while (*used < w->data_count && w->data[*used].cycle < r->cycle)
        ++*used;
    if (*used == w->data_count) return w->no_data;
    if (w->data[*used].cycle == r->cycle) give_data(r, &w->data[*used]);
    return true;
}

// all: those, too, that have not got all.
static int file(struct waiting_samples *w, bool all, struct samples_writer *writer, struct error *err) {
    size_t filed = 0, stacks = 0, data = 0;
    int result = 0;
    while (result == 0 && filed < w->count) {
        struct sample_record *r = &w->records[filed];
        const bool known = take_stack(w, r, &stacks);
        if (!(take_data(w, r, &data) & known) && !all) break;
        filed++;
        result = samples_add(writer, r, err);
    }
    w->count -= filed;
    w->stack_count -= stacks;
    w->data_count -= data;
    if (w->count) memmove(w->records, w->records + filed, w->count * sizeof *w->records);
    if (w->stack_count) memmove(w->stacks, w->stacks + stacks, w->stack_count * sizeof *w->stacks);
    if (w->data_count) memmove(w->data, w->data + data, w->data_count * sizeof *w->data);
    return result;
}

int waiting_samples_stacks(struct waiting_samples *w, const struct sample_stacks *stacks, size_t count,
                           struct samples_writer *writer, struct error *err) {
    const size_t all = w->stack_count + count;
    if (!array_reserve_all(&w->stacks, &w->stack_capacity, all, sizeof *w->stacks)) return error_nomem(err, "samples");
    if (count) memcpy(w->stacks + w->stack_count, stacks, count * sizeof *stacks);
    w->stack_count = all;
    return file(w, false, writer, err);
}

int waiting_samples_data(struct waiting_samples *w, const struct sample_data *data, size_t count,
                         struct samples_writer *writer, struct error *err) {
    const size_t all = w->data_count + count;
    if (!array_reserve_all(&w->data, &w->data_capacity, all, sizeof *w->data)) return error_nomem(err, "samples");
    if (count) memcpy(w->data + w->data_count, data, count * sizeof *data);
    w->data_count = all;
    return file(w, false, writer, err);
}

int waiting_samples_file(struct waiting_samples *w, struct samples_writer *writer, struct error *err) {
    return file(w, true, writer, err);
}
