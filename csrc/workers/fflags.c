// The accrued floating-point exceptions of fcsr, in every cycle: those of the instructions that have left before it.
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct fflags {
    uint64_t mask; // 0: there are none, and none are expected
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct fflags *f = error_calloc(sizeof *f, "fflags", err);
    if (!f) return NULL;
    f->mask = run->core.fp ? UINT64_MAX : 0;
    return f;
}

WORKER_RARE static int differs(const struct worker_view *v, uint64_t expected, struct error *err) {
    error_set(err, "fflags: cycle %" PRIu64 ": expected 0x%" PRIx64 ", got 0x%x", v->cycle, expected, v->left->fflags);
    return -EBADMSG;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    const uint64_t expected = *v->golden->now.fflags & ((struct fflags *)state)->mask;
    return v->left->fflags == expected ? 0 : differs(v, expected, err);
}

const struct worker_ops worker_fflags = {.name = "fflags",
                                         .text = "the accrued floating-point exceptions, in every cycle",
                                         .needs = DPI_BUNDLE | DPI_RETIRE | WORKER_GOLDEN,
                                         .standard = WORKER_WITH_LOCKSTEP,
                                         .check = true,
                                         .create = create,
                                         .cycle = cycle,
                                         .destroy = free};
