// What instructions that stall the core wait for (oracle/waits.h). Result: wait (tables/results.tsv).
#include "oracle/waits.h"
#include "results.h"
#include "workers/worker.h"

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    return waits_create(run->width, err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct wait_access accesses[MAX_LANES + 1] = {{0}};
    for (unsigned k = 0; v->golden && v->bundle->commit && k < v->golden->count && k < MAX_LANES; k++) {
        const struct iss_retire *step = &v->golden->step[k];
        accesses[k] = (struct wait_access){step->access == ISS_ACCESS_LOAD, step->access == ISS_ACCESS_STORE,
                                           step->size, step->address};
    }
    return waits_step(state, v->cycle, v->bundle, v->stages, accesses, err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)err;
    waits_begin(state, cycle);
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    waits_end(state);
    return 0;
}

static bool publish(void *state, struct results *results) {
    return pair_table_publish(waits_pairs(state), results, RESULT_WAIT);
}

static void destroy(void *state) {
    waits_destroy(state);
}

const struct worker_ops worker_stall_causes = {
    .name = "stall-causes",
    .text = "for each instruction that stalls the core: the load, store or other instruction that it waits for",
    .needs = DPI_BUNDLE | DPI_STAGES | WORKER_GOLDEN,
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .publish = publish,
    .destroy = destroy};
