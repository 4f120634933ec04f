// Two queues, merged by cycle.
#include "harness/waiting_samples.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

void waiting_samples_free(struct waiting_samples *w) {
    free(w->records);
    free(w->stacks);
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

// Stacks of a cycle before that of the first sample belong to no sample any more.
static int file_known(struct waiting_samples *w, struct samples_writer *writer, struct error *err) {
    size_t filed = 0, used = 0;
    int result = 0;
    while (result == 0 && filed < w->count && used < w->stack_count) {
        struct sample_record *r = &w->records[filed];
        const struct sample_stacks *s = &w->stacks[used];
        if (s->cycle < r->cycle) {
            used++;
            continue;
        }
        if (s->cycle == r->cycle) {
            give(r, s);
            used++;
        }
        filed++;
        result = samples_add(writer, r, err);
    }
    w->count -= filed;
    w->stack_count -= used;
    memmove(w->records, w->records + filed, w->count * sizeof *w->records);
    memmove(w->stacks, w->stacks + used, w->stack_count * sizeof *w->stacks);
    return result;
}

int waiting_samples_stacks(struct waiting_samples *w, const struct sample_stacks *stacks, size_t count,
                           struct samples_writer *writer, struct error *err) {
    const size_t all = w->stack_count + count;
    if (!array_reserve_all(&w->stacks, &w->stack_capacity, all, sizeof *w->stacks)) return error_nomem(err, "samples");
    if (count) memcpy(w->stacks + w->stack_count, stacks, count * sizeof *stacks);
    w->stack_count = all;
    return w->count && all ? file_known(w, writer, err) : 0;
}

int waiting_samples_file(struct waiting_samples *w, struct samples_writer *writer, struct error *err) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < w->count; i++)
        result = samples_add(writer, &w->records[i], err);
    w->count = 0;
    return result;
}
