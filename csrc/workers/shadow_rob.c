// The shadow ROB (workers/shadow.h) against the bundle, in every cycle.
#include "workers/shadow.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct shadowed {
    struct shadow *shadow;
    uint64_t cycles;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct shadowed *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(err, "shadow ROB: out of memory: free some and run again");
        return NULL;
    }
    s->shadow = shadow_create(run->width, run->rob_entries, run->fcsr_flush, err);
    if (s->shadow) return s;
    free(s);
    return NULL;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct shadowed *s = state;
    struct shadow_difference d;
    s->cycles += v->count;
    if (!shadow_cycle(s->shadow, v->cycle, v->bundle, v->golden, &d)) return 0;
    error_set(err, "shadow ROB: cycle %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64, v->cycle, d.what,
              d.expected, d.got);
    return -EBADMSG;
}

static const struct shadow_view *view(void *state) {
    return shadow_view(((struct shadowed *)state)->shadow);
}

static void destroy(void *state) {
    shadow_destroy(((struct shadowed *)state)->shadow);
    free(state);
}

const struct worker_ops worker_shadow_rob = {.name = "shadow-rob",
                                             .text = "the ROB as dispatch, redirects and commits make it: empty, head, "
                                                     "lanes, mispredict, flush",
                                             .needs = DPI_BUNDLE | WORKER_GOLDEN,
                                             .standard = WORKER_WITH_LOCKSTEP,
                                             .check = true,
                                             .create = create,
                                             .cycle = cycle,
                                             .shadow = view,
                                             .destroy = destroy};
