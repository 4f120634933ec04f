// TIP-ILP: TIP without its eye for commit parallelism: in Computing the oldest that commits gets the whole sample.
#include "profilers/profiler.h"

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    tip_sample(p, h, s, false);
}

const struct profiler_ops profiler_tip_ilp = {
    .name = "TIP-ILP", .step = tip_step, .sample = sample, .finish = tip_finish};
