// The order of memory: what the core's loads and stores do, and when, against RVWMO (memory_order/memory_order.h).
#include "memory_order/memory_order.h"
#include "base/memory_size.h"
#include "workers/harts.h"
#include "workers/worker.h"
#include <stdlib.h>

struct order {
    struct memory_order *checker; // NULL: `harts` have it
    struct harts *harts;          // they show what happens; NULL: a hart alone
    struct hart_order hart;       // of that
};

static void destroy(void *state) {
    struct order *o = state;
    memory_order_destroy(o->checker);
    free(o);
}

static bool begin(struct order *o, const struct worker_run *run, uint64_t patience, struct error *err) {
    if (run->harts) return harts_order(run->harts, run, patience, err) != NULL;
    const uint64_t bytes = memory_size_or_default(run->core.memory);
    o->checker = memory_order_create(&(struct memory_order_shape){1, DRAM_BASE, bytes, patience}, err);
    if (!o->checker) return false;
    hart_order_load(o->checker, run->image);
    hart_order_init(&o->hart, o->checker, 0, run);
    return true;
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct order *o = error_calloc(sizeof *o, "memory-order", err);
    if (!o) return NULL;
    o->harts = run->harts;
    if (begin(o, run, values[0].number, err)) return o;
    destroy(o);
    return NULL;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct order *o = state;
    return o->harts ? 0 : hart_order_cycle(&o->hart, v->cycle, v->left, v->accesses, v->golden, err);
}

static void explain(void *state, FILE *out) {
    const struct order *o = state;
    if (o->harts) harts_explain(o->harts, out);
    if (o->checker) memory_order_explain(o->checker, out);
}

const struct worker_ops worker_memory_order = {
    .name = "memory-order",
    .text = "loads and stores, and when they take place, against RVWMO",
    .needs = DPI_BUNDLE | DPI_RETIRE | DPI_ACCESSES | WORKER_GOLDEN,
    .standard = WORKER_WITH_LOCKSTEP,
    .check = true,
    .keys = {{"patience", WORKER_NUMBER, "cycles that the oldest store may wait to be visible; 0: any number", "100000",
              0, UINT64_MAX}},
    .create = create,
    .cycle = cycle,
    .explain = explain,
    .destroy = destroy};
