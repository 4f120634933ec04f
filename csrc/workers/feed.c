// Two batches: one fills, the other one is shown. The lock guards what both threads look at; a batch, and the workers,
// belong to the one that has it.
#include "workers/feed.h"
#include "workers/batch_internal.h"
#include "workers/harts.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct feed {
    struct workers *workers;
    feed_shown *shown;   // NULL: not asked for
    void *context;       // of it
    struct harts *harts; // NULL: a hart alone. Else they show what is in `filling`, and `other` is NULL
    unsigned hart;       // of them
    struct batch *filling, *other;
    struct trace_cycle now; // as the workers see it
    int result;             // of the workers, so far; whoever has `given` writes it
    struct error fault;     // with it
    bool reported;          // it has been printed
    bool thread_runs;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; // `given` or `ending`
    struct batch *given;    // to the thread, which sets it to NULL when it is through
    bool ending;
};

static void show(struct feed *f, struct batch *b) {
    if (f->result == 0) f->result = batch_show(b, f->workers, &f->now, &f->fault);
}

// ---- the thread ----
static void *run_thread(void *context) {
    struct feed *f = context;
    pthread_mutex_lock(&f->lock);
    while (f->given || !f->ending) {
        if (!f->given) {
            pthread_cond_wait(&f->changed, &f->lock);
            continue;
        }
        pthread_mutex_unlock(&f->lock);
        show(f, f->given);
        pthread_mutex_lock(&f->lock);
        f->given = NULL;
        pthread_cond_signal(&f->changed);
    }
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

// Signals are the business of the thread that runs the model.
static bool start_thread(struct feed *f) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&f->thread, NULL, run_thread, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void end_thread(struct feed *f) {
    if (!f->thread_runs) return;
    pthread_mutex_lock(&f->lock);
    f->ending = true;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    f->thread_runs = false;
}

// ---- handing over ----
static void wait_until_shown(struct feed *f) {
    if (!f->thread_runs) return;
    pthread_mutex_lock(&f->lock);
    while (f->given)
        pthread_cond_wait(&f->changed, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

static void give(struct feed *f, struct batch *b) {
    if (!f->thread_runs) {
        show(f, b);
        return;
    }
    pthread_mutex_lock(&f->lock);
    f->given = b;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

// What was found in the batches that have been shown.
static int tell_result(struct feed *f, struct error *err) {
    if (f->harts) f->result = harts_result(f->harts, f->hart, &f->fault);
    if (f->result == 0) return 0;
    if (!f->reported) workers_explain(f->workers, stderr);
    f->reported = true;
    *err = f->fault;
    return f->result;
}

static int call_shown(struct feed *f, struct error *err) {
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
    const int result = tell_result(f, err);
    return result < 0 ? result : call_shown(f, err);
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
    wait_until_shown(f);
    int result = tell_result(f, err);
    if (result == 0) result = call_shown(f, err);
    if (result < 0 || batch_empty(f->filling)) return result;
    struct batch *full = f->filling;
    f->filling = f->other;
    f->other = full;
    give(f, full);
    return 0;
}

int feed_finish(struct feed *f, struct error *err) {
    if (f->harts) return finish_in_step(f, err);
    int result = feed_hand_over(f, err);
    wait_until_shown(f);
    end_thread(f);
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
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->filling = batch_create(entries, workers_dpi_options(workers), err);
    f->other = f->filling ? batch_create(entries, workers_dpi_options(workers), err) : NULL;
    if (!f->other) {
        feed_destroy(f);
        return NULL;
    }
    f->thread_runs = thread && start_thread(f);
    return f;
}

struct feed *feed_of_harts(struct workers *workers, struct harts *harts, unsigned hart, struct error *err) {
    struct feed *f = feed_create(workers, FEED_ENTRIES, false, err);
    if (!f) return NULL;
    f->harts = harts;
    f->hart = hart;
    harts_join(harts, hart, f->filling, workers, &f->now);
    return f;
}

void feed_on_shown(struct feed *f, feed_shown *shown, void *context) {
    f->shown = shown;
    f->context = context;
}

void feed_destroy(struct feed *f) {
    if (!f) return;
    end_thread(f);
    if (f->harts) harts_leave(f->harts, f->hart);
    batch_destroy(f->filling);
    batch_destroy(f->other);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}
