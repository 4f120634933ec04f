// LCI, last-committed instruction: the youngest that committed in an earlier cycle. Before anything has committed there
// is none: PROFILE_PC_END.
#include "profilers/profiler.h"

static void sample(struct profiler *p, const struct profiler_history *h, const struct profiler_sample *s) {
    // The past includes the sampled cycle if something commits in it.
    profiler_book(p, s->bundle->commit ? h->committed_before : h->committed, STATE_COUNT, 0, s->weight);
}

const struct profiler_ops profiler_lci = {.name = "LCI", .sample = sample};
