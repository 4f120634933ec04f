// The head: in every cycle with a ROB that is not empty, the oldest instruction is the one that the ISS executes next.
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct head {
    uint64_t cycles; // compared
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    return error_calloc(sizeof(struct head), "rob-head", err);
}

WORKER_RARE static int differs(uint64_t cycle, uint64_t expected, uint64_t got, struct error *err) {
    error_set(err, "rob-head: cycle %" PRIu64 ": pc of the oldest: expected 0x%" PRIx64 ", got 0x%" PRIx64, cycle,
              expected, got);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    struct head *h = state;
    if (b->rob_empty) return 0;
    h->cycles += v->count;
    const uint64_t expected = *v->golden->now.pc, got = b->pc[b->oldest];
    return got == expected ? 0 : differs(v->cycle, expected, got, err);
}

static bool publish(void *state, struct results *results) {
    return results_add_rob_head_checked(results, &(struct rob_head_checked){((const struct head *)state)->cycles});
}

const struct worker_ops worker_rob_head = {
    .name = "rob-head",
    .text = "the oldest instruction in the ROB is the one that the ISS executes next",
    .needs = DPI_BUNDLE | WORKER_GOLDEN,
    .standard = WORKER_WITH_LOCKSTEP,
    .check = true,
    .create = create,
    .cycle = cycle,
    .publish = publish,
    .destroy = free};
