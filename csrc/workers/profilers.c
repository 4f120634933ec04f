// The rival profilers (profilers/profilers.h).
#include "profilers/profilers.h"
#include "workers/worker.h"

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    return profilers_create(run->width, err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    (void)err;
    profilers_step(state, v->bundle, v->count);
    return 0;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    (void)taken;
    profilers_sample(state, bundle, cycle);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)err;
    profilers_begin(state, cycle);
    return 0;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    return profilers_finish(state, cycles, err);
}

static bool profile(void *state, size_t i, struct worker_profile *out) {
    if (i >= profilers_count()) return false;
    out->name = profilers_name(i);
    out->events = profilers_events(i);
    out->rows = profilers_rows(state, i, &out->count);
    return true;
}

static void destroy(void *state) {
    profilers_destroy(state);
}

const struct worker_ops worker_profilers = {.name = "profilers",
                                            .text = "the rival profilers, all sampling in the same cycles",
                                            .needs = DPI_BUNDLE,
                                            .standard = WORKER_WITH_ORACLE,
                                            .samples_only = true,
                                            .create = create,
                                            .cycle = cycle,
                                            .begin = begin,
                                            .sample = sample,
                                            .finish = finish,
                                            .profile = profile,
                                            .destroy = destroy};
