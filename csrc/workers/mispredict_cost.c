// The whole price of each mispredicted branch (oracle/refills.h). Results: refill, flush (tables/results.tsv).
#include "oracle/refills.h"
#include "results.h"
#include "workers/worker.h"

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    return refills_create(err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    const struct shadow_view *shadow = v->shadow;
    struct refill_leaves list[MAX_LANES];
    if (shadow->cycle != v->cycle) return 0; // nothing left: the host wrote
    for (unsigned k = 0; k < shadow->count; k++) {
        const struct shadow_left *left = &shadow->left[k];
        list[k] = (struct refill_leaves){
            .place = {b->exception ? b->exception_pc : b->pc[left->lane], place_context(b->priv, b->space)},
            .dispatched = left->dispatched,
            .headed = left->headed,
            .mispredict = !b->exception && b->mispredict >> left->lane & 1,
            .flush = !b->exception && b->flush >> left->lane & 1,
            .exception = b->exception};
    }
    return refills_step(state, v->cycle, list, shadow->count, err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)err;
    refills_begin(state, cycle);
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    refills_end(state);
    return 0;
}

static bool publish(void *state, struct results *results) {
    return pair_table_publish(refills_pairs(state), results, RESULT_REFILL) &&
           pair_table_publish(refills_flushes(state), results, RESULT_FLUSH);
}

static void destroy(void *state) {
    refills_destroy(state);
}

const struct worker_ops worker_mispredict_cost = {
    .name = "mispredict-cost",
    .text = "the cost of each mispredicted branch and each flush, including the wait of "
            "the first instruction after it",
    .needs = DPI_BUNDLE | WORKER_SHADOW,
    .standard = WORKER_WITH_LOCKSTEP,
    .leaving_only = true,
    .create = create,
    .cycle = cycle,
    .begin = begin,
    .end = end,
    .publish = publish,
    .destroy = destroy};
