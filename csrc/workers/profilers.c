// The rival profilers (profilers/profilers.h). Result: tag_limit (tables/results.tsv).
#include "profilers/profilers.h"
#include "results.h"
#include "workers/worker.h"
#include <stdlib.h>

struct rivals {
    struct profilers *profilers;
    unsigned tags;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct rivals *r = error_calloc(sizeof *r, "profilers", err);
    if (!r) return NULL;
    r->tags = (unsigned)values[0].number;
    r->profilers = profilers_create(run->width, run->rob_entries, r->tags, err);
    if (r->profilers) return r;
    free(r);
    return NULL;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    (void)err;
    profilers_step(((struct rivals *)state)->profilers, v->bundle, v->count);
    return 0;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    (void)taken;
    profilers_sample(((struct rivals *)state)->profilers, bundle, cycle);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)err;
    profilers_begin(((struct rivals *)state)->profilers, cycle);
    return 0;
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    return profilers_finish(((struct rivals *)state)->profilers, cycles, err);
}

static bool profile(void *state, size_t i, struct worker_profile *out) {
    if (i >= profilers_count()) return false;
    out->name = profilers_name(i);
    out->events = profilers_events(i);
    out->rows = profilers_rows(((struct rivals *)state)->profilers, i, &out->count);
    return true;
}

static bool publish(void *state, struct results *results) {
    return results_add_tag_limit(results, &(struct tag_limit){((const struct rivals *)state)->tags});
}

static void destroy(void *state) {
    struct rivals *r = state;
    profilers_destroy(r->profilers);
    free(r);
}

const struct worker_ops worker_profilers = {.name = "profilers",
                                            .text = "the rival profilers, all sampling in the same cycles",
                                            .needs = DPI_BUNDLE,
                                            .standard = WORKER_WITH_ORACLE,
                                            .samples_only = true,
                                            .keys = {{.name = "tags",
                                                      .kind = WORKER_NUMBER,
                                                      .text = "instructions that each tagging profiler may have in "
                                                              "flight; units of today's machines have one or two",
                                                      .standard = "512",
                                                      .low = 1,
                                                      .high = PROFILERS_TAGS}},
                                            .create = create,
                                            .cycle = cycle,
                                            .begin = begin,
                                            .sample = sample,
                                            .finish = finish,
                                            .publish = publish,
                                            .profile = profile,
                                            .destroy = destroy};
