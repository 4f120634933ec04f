// Shows a run to its workers: every cycle, what passes between core and memory, samples, the end.
#include "workers/workers_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { FST_BEFORE = 200, FST_AFTER = 20 }; // cycles around a difference

static void print_rerun(const struct workers *w, FILE *out) {
    fputs(w->options.name ? w->options.name : "", out);
    if (w->options.no_waves) {
        fprintf(out, "The same again: %s\n", w->options.command);
        return;
    }
    fprintf(out, "Waveforms around it: %s --fst difference.fst --fst-from %" PRIu64 " --fst-to %" PRIu64 "\n",
            w->options.command, w->now > FST_BEFORE ? w->now - FST_BEFORE : 0, w->now + FST_AFTER);
}

void workers_explain(const struct workers *w, FILE *out) {
    if (w->result != -EBADMSG && w->result != -ETIMEDOUT) return;
    fputs(w->options.name ? w->options.name : "", out);
    if (w->result == -EBADMSG && w->stopper->ops->explain) {
        w->stopper->ops->explain(w->stopper->state, out);
    } else {
        history_print(&w->history, out);
    }
    print_rerun(w, out);
}

bool workers_stopped(const struct workers *w, uint64_t *cycle) {
    *cycle = w->now;
    return w->result < 0;
}

static int stopped(struct workers *w, const struct worker *worker, int result) {
    w->stopper = worker;
    w->result = result;
    return result;
}

void workers_stop(struct workers *w, const char *name, int result) {
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->list[i].ops->name, name) == 0) stopped(w, &w->list[i], result);
}

// Pointers to what each worker asked for, and to nothing else.
WORKER_RARE static void bind_views(struct workers *w, const struct trace_cycle *c) {
    w->cycle = c;
    w->viewed_count = 0; // none has that many
    for (size_t i = 0; i < w->count; i++) {
        uint32_t needs = w->list[i].ops->needs;
        struct worker_view *v = w->list[i].view;
        *v = (struct worker_view){0};
        if (needs & DPI_BUNDLE) v->bundle = &c->bundle;
        if (needs & DPI_RETIRE) v->left = &c->left;
        if (needs & DPI_SELECT) v->select = &c->select, v->oir = &c->oir;
        if (needs & DPI_STAGES) v->stages = &c->stages;
        if (needs & DPI_SIGNALS) v->signals = &c->signals;
        if (needs & DPI_LIFE) v->life = &c->life;
        if (needs & DPI_ACCESSES) v->accesses = &c->accesses;
        if (needs & WORKER_GOLDEN) v->golden = w->golden;
        if (needs & WORKER_SHADOW) v->shadow = w->shadow;
        if (needs & WORKER_STACKS) v->stacks = w->stacks ? w->stacks->now : NULL;
    }
}

// What all of them are given, whatever they asked for. Most cycles differ in their number alone.
static void tell_views(struct workers *w, uint64_t cycle, uint64_t count, uint8_t privilege) {
    struct worker_view *end = w->views + w->view_count;
    for (struct worker_view *v = w->views; v < end; v += 2) // there is one more than there need be
        v[0].cycle = v[1].cycle = cycle;
    if (count == w->viewed_count && privilege == w->viewed_privilege) return;
    w->viewed_count = count;
    w->viewed_privilege = privilege;
    for (struct worker_view *v = w->views; v < end; v++) {
        v->count = count;
        v->privilege = privilege;
    }
}

static bool leaves(const struct trace_cycle *c) {
    return c->bundle.commit | c->bundle.exception | c->left.count | c->left.trap.valid | c->left.host_write_count;
}

int workers_cycle(struct workers *w, const struct trace_cycle *c, uint64_t count, struct error *err) {
    if (w->cycle != c) bind_views(w, c);
    w->now = c->cycle;
    tell_views(w, c->cycle, count, c->bundle.priv);
    const struct shown *shown = leaves(c) ? &w->leaving : &w->always;
    for (const struct worker_call *call = shown->list, *end = shown->end; call != end; call++) {
        int result = call->cycle(call->state, call->view, err);
        if (result < 0) return stopped(w, call->worker, result);
    }
    return 0;
}

void workers_remember(struct workers *w, uint64_t cycle, uint64_t count, const struct commit_bundle *bundle) {
    history_add(&w->history, cycle, count, bundle);
}

int workers_begin(struct workers *w, uint64_t cycle, struct error *err) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < w->count; i++) {
        if (w->list[i].ops->begin) result = w->list[i].ops->begin(w->list[i].state, cycle, err);
    }
    return result;
}

int workers_end(struct workers *w, uint64_t cycle, struct error *err) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < w->count; i++) {
        if (w->list[i].ops->end) result = w->list[i].ops->end(w->list[i].state, cycle, err);
    }
    return result;
}

int workers_memory(struct workers *w, const struct memory_event *event, struct error *err) {
    for (size_t i = 0; i < w->count; i++) {
        struct worker *worker = &w->list[i];
        int result = worker->ops->memory ? worker->ops->memory(worker->state, event, err) : 0;
        if (result < 0) return stopped(w, worker, result);
    }
    return 0;
}

int workers_instruction(struct workers *w, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    for (size_t i = 0; i < w->count; i++) {
        struct worker *worker = &w->list[i];
        int result = worker->ops->instruction ? worker->ops->instruction(worker->state, words, err) : 0;
        if (result < 0) return stopped(w, worker, result);
    }
    return 0;
}

int workers_counter(struct workers *w, const struct counter_event *event, struct error *err) {
    for (size_t i = 0; i < w->count; i++) {
        struct worker *worker = &w->list[i];
        int result = worker->ops->counter ? worker->ops->counter(worker->state, event, err) : 0;
        if (result < 0) return stopped(w, worker, result);
    }
    return 0;
}

void workers_sample(struct workers *w, uint64_t cycle, bool taken) {
    for (size_t i = 0; w->cycle && i < w->count; i++) {
        if (w->list[i].ops->sample) w->list[i].ops->sample(w->list[i].state, &w->cycle->bundle, cycle, taken);
    }
}

int workers_finish(struct workers *w, uint64_t cycles, struct error *err) {
    for (size_t i = 0; i < w->count; i++) {
        struct worker *worker = &w->list[i];
        int result = worker->ops->finish ? worker->ops->finish(worker->state, cycles, err) : 0;
        if (result < 0) return stopped(w, worker, result);
    }
    return 0;
}
