// Two batches: one fills, the other one is shown aside. A batch, and the workers, belong to the thread that has it.
#include "workers/feed.h"
#include "workers/aside.h"
#include "workers/batch_internal.h"
#include "workers/harts.h"
#include <errno.h>
#include <stdlib.h>

struct feed {
    struct workers *workers;
    feed_shown *shown;   // NULL: not asked for
    void *context;       // of it
    struct harts *harts; // NULL: a hart alone. Else they take what is in `filling`, and show `other`
    unsigned hart;       // of them
    struct batch *filling, *other;
    struct trace_cycle now; // as the workers see it
    int result;             // of the workers, so far; whoever shows writes it
    struct error fault;     // with it
    bool reported;          // it has been printed
    struct aside *aside;    // that shows `other`
};

static void show(void *context) {
    struct feed *f = context;
    if (f->result == 0) f->result = batch_show(f->other, f->workers, &f->now, &f->fault);
}

// ---- handing over ----
// What was found in the batches that have been shown.
static int tell_result(struct feed *f, struct error *err) {
    if (f->harts) f->result = harts_result(f->harts, f->hart, &f->fault);
    if (f->result == 0) return 0;
    if (!f->reported) workers_explain(f->workers, stderr);
    f->reported = true;
    *err = f->fault;
    return f->result;
}

static int call_shown(void *context, struct error *err) {
    struct feed *f = context;
    return f->shown ? f->shown(f->context, err) : 0;
}

// ---- several harts ----
static int make_room(struct feed *f, struct error *err) {
    if (f->filling->count < f->filling->capacity || batch_grow(f->filling)) return tell_result(f, err);
    return error_nomem(err, "workers");
}

int feed_passed(struct feed *f, uint64_t cycle, struct error *err) {
    if (!f->harts) return 0;
    harts_passed(f->harts, f->hart, cycle);
    return tell_result(f, err);
}

static int finish_in_step(struct feed *f, struct error *err) {
    const int result = feed_passed(f, UINT64_MAX, err);
    if (result < 0) return result;
    if (harts_stopped(f->harts)) return -ECANCELED;
    if (harts_shown(f->harts, f->hart)) return 0;
    error_set(err, "hart %u ends before the others: its last cycles cannot be checked", f->hart);
    return -EINVAL;
}

int feed_hand_over(struct feed *f, struct error *err) {
    if (f->harts) return make_room(f, err);
    aside_wait(f->aside);
    int result = tell_result(f, err);
    if (result == 0) result = call_shown(f, err);
    if (result < 0 || batch_empty(f->filling)) return result;
    struct batch *full = f->filling;
    f->filling = f->other;
    f->other = full;
    aside_give(f->aside);
    return 0;
}

int feed_finish(struct feed *f, struct error *err) {
    if (f->harts) return finish_in_step(f, err);
    int result = feed_hand_over(f, err);
    aside_wait(f->aside);
    aside_end(f->aside);
    if (result == 0) result = tell_result(f, err);
    return result < 0 ? result : call_shown(f, err);
}

// ---- telling ----
__attribute__((noinline)) static int cycle_with_more(struct feed *f, const struct trace_cycle *cycle,
                                                     struct error *err) {
    return batch_add_more(f->filling, cycle) ? feed_hand_over(f, err) : 0;
}

int feed_cycle(struct feed *f, const struct trace_cycle *cycle, struct error *err) {
    if (batch_has_more(f->filling, cycle)) return cycle_with_more(f, cycle, err);
    return batch_add_cycle(f->filling, cycle) ? feed_hand_over(f, err) : 0;
}

int feed_quiet(struct feed *f, uint64_t cycle, uint64_t count, struct error *err) {
    return batch_add_quiet(f->filling, cycle, count) ? feed_hand_over(f, err) : 0;
}

int feed_memory(struct feed *f, const struct memory_event *event, struct error *err) {
    return batch_add_memory(f->filling, event) ? feed_hand_over(f, err) : 0;
}

int feed_sample(struct feed *f, uint64_t cycle, bool taken, struct error *err) {
    return batch_add_sample(f->filling, cycle, taken) ? feed_hand_over(f, err) : 0;
}

int feed_instruction(struct feed *f, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    return batch_add_instruction(f->filling, words) ? feed_hand_over(f, err) : 0;
}

int feed_counter(struct feed *f, const struct counter_event *event, struct error *err) {
    return batch_add_counter(f->filling, event) ? feed_hand_over(f, err) : 0;
}

int feed_begin(struct feed *f, uint64_t cycle, struct error *err) {
    return batch_add_begin(f->filling, cycle) ? feed_hand_over(f, err) : 0;
}

int feed_end(struct feed *f, uint64_t cycle, struct error *err) {
    return batch_add_end(f->filling, cycle) ? feed_hand_over(f, err) : 0;
}

// ---- set-up ----
struct feed *feed_create(struct workers *workers, size_t entries, bool thread, struct error *err) {
    struct feed *f = error_calloc(sizeof *f, "workers", err);
    if (!f) return NULL;
    f->workers = workers;
    f->filling = batch_create(entries, workers_dpi_options(workers), err);
    f->other = f->filling ? batch_create(entries, workers_dpi_options(workers), err) : NULL;
    f->aside = f->other ? aside_create(show, f, thread, err) : NULL;
    if (f->aside) return f;
    feed_destroy(f);
    return NULL;
}

struct feed *feed_of_harts(struct workers *workers, struct harts *harts, unsigned hart, struct error *err) {
    struct feed *f = feed_create(workers, FEED_ENTRIES, false, err);
    if (!f) return NULL;
    f->harts = harts;
    f->hart = hart;
    harts_join(harts, hart, &(struct harts_feed){workers, f->filling, f->other, &f->now, call_shown, f});
    return f;
}

void feed_on_shown(struct feed *f, feed_shown *shown, void *context) {
    f->shown = shown;
    f->context = context;
}

void feed_destroy(struct feed *f) {
    if (!f) return;
    aside_destroy(f->aside);
    if (f->harts) harts_leave(f->harts, f->hart);
    batch_destroy(f->filling);
    batch_destroy(f->other);
    free(f);
}
