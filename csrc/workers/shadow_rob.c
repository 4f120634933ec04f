// The shadow ROB (workers/shadow.h) against the bundle, in every cycle.
#include "workers/shadow_internal.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    return shadow_create(run->width, run->rob_entries, run->fcsr_flush, err);
}

__attribute__((noinline)) static int irregular(struct shadow *s, const struct worker_view *v, struct error *err) {
    struct shadow_difference d;
    if (!shadow_irregular_cycle(s, v->cycle, v->bundle, v->golden, &d)) return 0;
    error_set(err, "shadow ROB: cycle %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64, v->cycle, d.what,
              d.expected, d.got);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    if (!shadow_is_regular(state, v->bundle, v->golden)) return irregular(state, v, err);
    shadow_go_on(state, v->cycle, v->bundle);
    return 0;
}

static const struct shadow_view *view(void *state) {
    return shadow_view(state);
}

static void destroy(void *state) {
    shadow_destroy(state);
}

const struct worker_ops worker_shadow_rob = {
    .name = "shadow-rob",
    .text = "a model of the ROB from dispatch, redirects and commits: empty, head, "
            "lanes, mispredict, flush",
    .needs = DPI_BUNDLE | WORKER_GOLDEN,
    .standard = WORKER_WITH_LOCKSTEP,
    .check = true,
    .create = create,
    .cycle = cycle,
    .shadow = view,
    .destroy = destroy};
