// Creates the workers that a run asks for: which there are, what they stand on, and who is shown what.
#include "base/array.h"
#include "trace/region.h"
#include "workers/workers_internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int add(struct workers *w, const struct worker_ops *ops, const struct worker_value *values, struct error *err) {
    if (!array_reserve(&w->list, &w->capacity, w->count, sizeof *w->list)) return error_nomem(err, "workers");
    void *state = ops->create(&w->options.run, values, err);
    if (!state) return -EINVAL;
    w->list[w->count++] = (struct worker){.ops = ops, .state = state};
    if (ops->golden) w->golden = ops->golden(state);
    if (ops->shadow) w->shadow = ops->shadow(state);
    if (ops->stacks) w->stacks = ops->stacks(state);
    if (ops->data) w->data = ops->data(state);
    return 0;
}

// The i-th row that there can be; NULL: there are no more.
static const struct worker_ops *row_at(const struct workers_options *o, size_t i) {
    if (o->rows) return o->rows[i];
    return i < worker_registry_count ? worker_registry[i] : NULL;
}

static bool standard(const struct workers_options *o, const struct worker_ops *ops) {
    switch (ops->standard) {
    case WORKER_ON_DEMAND: return false;
    case WORKER_WITH_LOCKSTEP: return o->lockstep;
    case WORKER_WITH_ORACLE: return o->oracle;
    case WORKER_WITH_PROFILEME: return o->lockstep && o->run.profileme;
    }
    return false;
}

static const struct worker_request *named(const struct workers_options *o, const struct worker_ops *ops, size_t *from) {
    size_t count = o->requests ? worker_requests_count(o->requests) : 0;
    while (*from < count) {
        const struct worker_request *request = worker_requests_at(o->requests, (*from)++);
        if (request->ops == ops) return request;
    }
    return NULL;
}

// Whether the run has this row, by name or by itself.
static bool wanted(const struct workers_options *o, const struct worker_ops *ops) {
    size_t from = 0;
    const struct worker_request *request = named(o, ops, &from);
    return request ? !request->off : standard(o, ops) && !(ops->alone && o->run.harts);
}

// What this row stands upon: lockstep for the ISS, the shadow ROB for what leaves. NULL: nothing is missing.
static const char *lacks(const struct workers_options *o, const struct worker_ops *ops) {
    const struct worker_ops *other;
    for (size_t i = 0; (other = row_at(o, i)); i++) {
        bool needed = (other->golden && ops->needs & WORKER_GOLDEN) || (other->shadow && ops->needs & WORKER_SHADOW);
        if (needed && (!wanted(o, other) || lacks(o, other))) return other->name;
    }
    return NULL;
}

// What depends on the program in a request, before any file is made: its two edges, from and to, where it has them.
static int check_edges(const struct workers_options *o, const struct worker_request *request, struct error *err) {
    const char *edges[2] = {NULL, NULL};
    struct trace_region region;
    for (size_t k = 0, n = 0; k < WORKER_KEYS && request->ops->keys[k].name && n < 2; k++) {
        if (request->ops->keys[k].kind == WORKER_EDGE) edges[n++] = request->values[k].text;
    }
    int result = trace_region_parse(&region, "trace", edges[0], edges[1], POSITIONS_SEEN, o->run.image, err);
    if (result < 0 || !trace_region_needs_samples(&region) || o->samples) return result;
    error_set(err, "worker %s: an edge names a sample, but the run takes none: also give --period", request->ops->name);
    return -EINVAL;
}

// What a worker that is asked for needs, beside other workers.
static int check_needs(const struct workers_options *o, const struct worker_request *request, struct error *err) {
    const struct worker_ops *ops = request->ops;
    if (ops->check && ops->samples_only && !o->samples) {
        error_set(err, "worker %s compares samples, but the run takes none: also give --period", ops->name);
        return -EINVAL;
    }
    if (ops->alone && o->run.harts) {
        error_set(err, "worker %s compares one hart alone: leave it out, or --harts", ops->name);
        return -EINVAL;
    }
    return ops->check_config && !ops->check_config(&o->run, request->values, err) ? -EINVAL : 0;
}

// Lockstep of several harts takes what they load from worker memory-order.
static int check_harts(const struct workers_options *o, struct error *err) {
    const struct worker_ops *ops;
    bool iss = false, proof = false;
    for (size_t i = 0; (ops = row_at(o, i)); i++) {
        iss = iss || (ops->golden && wanted(o, ops));
        proof = proof || (strcmp(ops->name, "memory-order") == 0 && wanted(o, ops));
    }
    if (!o->run.harts || !iss || proof) return 0;
    error_set(err, "lockstep of several harts needs worker memory-order, which proves what they load: omit "
                   "--worker memory-order:on=no, or add --no-cosim");
    return -EINVAL;
}

int workers_check(const struct workers_options *o, struct error *err) {
    const int harts = check_harts(o, err);
    if (harts < 0) return harts;
    size_t count = o->requests ? worker_requests_count(o->requests) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct worker_request *request = worker_requests_at(o->requests, i);
        int result = check_edges(o, request, err);
        if (result == 0 && !request->off) result = check_needs(o, request, err);
        if (result < 0) return result;
        const char *other = request->off ? NULL : lacks(o, request->ops);
        if (other) {
            error_set(err, "worker %s needs worker %s: omit --no-cosim and on=no", request->ops->name, other);
            return -EINVAL;
        }
    }
    return 0;
}

static int add_row(struct workers *w, const struct worker_ops *ops, struct error *err) {
    const struct workers_options *o = &w->options;
    const struct worker_request *request;
    size_t from = 0;
    int result = 0;
    if (!wanted(o, ops) || lacks(o, ops)) return 0;
    if (!named(o, ops, &from)) {
        struct worker_value values[WORKER_KEYS];
        worker_standard_values(ops, values);
        return add(w, ops, values, err);
    }
    for (from = 0; result == 0 && (request = named(o, ops, &from));)
        result = add(w, ops, request->values, err);
    return result;
}

enum { // what views differ in
    VIEWED = DPI_BUNDLE | DPI_RETIRE | DPI_SELECT | DPI_STAGES | DPI_SIGNALS | DPI_LIFE | DPI_ACCESSES | WORKER_GOLDEN |
             WORKER_SHADOW | WORKER_STACKS
};

static struct worker_view *view_of(struct workers *w, size_t worker) {
    for (size_t i = 0; i < worker; i++) {
        if (!((w->list[i].ops->needs ^ w->list[worker].ops->needs) & VIEWED)) return w->list[i].view;
    }
    return &w->views[w->view_count++];
}

// Who is shown what, once all are created.
static int arrange(struct workers *w, struct error *err) {
    w->views = calloc(w->count + 1, sizeof *w->views);
    w->always.list = calloc(w->count + 1, sizeof *w->always.list);
    w->leaving.list = calloc(w->count + 1, sizeof *w->leaving.list);
    if (!w->views || !w->always.list || !w->leaving.list) {
        return error_nomem(err, "workers");
    }
    w->always.end = w->always.list;
    w->leaving.end = w->leaving.list;
    for (size_t i = 0; i < w->count; i++) {
        struct worker *worker = &w->list[i];
        worker->view = view_of(w, i);
        if (!worker->ops->cycle || (worker->ops->samples_only && !w->options.samples)) continue;
        const struct worker_call call = {worker->ops->cycle, worker->state, worker->view, worker};
        *w->leaving.end++ = call;
        if (!worker->ops->leaving_only) *w->always.end++ = call;
    }
    return 0;
}

struct workers *workers_create(const struct workers_options *options, struct error *err) {
    struct workers *w = error_calloc(sizeof *w, "workers", err);
    if (!w) return NULL;
    w->options = *options;
    w->history.width = options->run.width;
    int result = workers_check(options, err);
    for (size_t i = 0; result == 0 && row_at(options, i); i++)
        result = add_row(w, row_at(options, i), err);
    if (result == 0 && arrange(w, err) == 0) return w;
    workers_destroy(w);
    return NULL;
}

void workers_destroy(struct workers *w) {
    if (!w) return;
    for (size_t i = w->count; i-- > 0;)
        w->list[i].ops->destroy(w->list[i].state);
    free(w->list);
    free(w->views);
    free(w->always.list);
    free(w->leaving.list);
    free(w);
}

uint32_t workers_dpi_options(const struct workers *w) {
    uint32_t needs = 0;
    for (size_t i = 0; i < w->count; i++) {
        const struct worker_ops *ops = w->list[i].ops;
        needs |= ops->needs & (DPI_BUNDLE | DPI_RETIRE | DPI_SELECT | DPI_STAGES | DPI_LIFE | DPI_ACCESSES);
        if (ops->groups) needs |= ops->groups(w->list[i].state) & DPI_SIGNALS;
    }
    return needs;
}

bool workers_want_memory(const struct workers *w) {
    for (size_t i = 0; i < w->count; i++) {
        if (w->list[i].ops->needs & WORKER_MEMORY) return true;
    }
    return false;
}

const struct iss *workers_iss(const struct workers *w) {
    return w->golden ? w->golden->iss : NULL;
}

struct worker_stacks *workers_stacks(const struct workers *w) {
    return w->stacks;
}

struct worker_data *workers_data(const struct workers *w) {
    return w->data;
}

struct worker_past workers_past(const struct workers *w) {
    for (size_t i = 0; i < w->count; i++) {
        if (w->list[i].ops->past) return w->list[i].ops->past(w->list[i].state);
    }
    return (struct worker_past){0};
}

bool workers_have(const struct workers *w, const char *name) {
    for (size_t i = 0; i < w->count; i++) {
        if (strcmp(w->list[i].ops->name, name) == 0) return true;
    }
    return false;
}
