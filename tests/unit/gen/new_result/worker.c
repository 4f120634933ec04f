// A worker with results: how often each instruction committed as the oldest, and a share. This file and rows of
// tables/results.tsv are all that it takes, besides its line in the registry.
#include "workers/worker.h"
#include "results.h"
#include <stdlib.h>

struct firsts {
    struct first_commit list[16];
    size_t count;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    void *state = calloc(1, sizeof(struct firsts));
    if (!state) error_nomem(err, "worker first-commits");
    return state;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct firsts *f = state;
    const struct commit_bundle *b = v->bundle;
    const struct place place = {b->pc[b->oldest], place_context(b->priv, b->space)};
    (void)err;
    if (!(b->commit >> b->oldest & 1)) return 0;
    size_t i = 0;
    while (i < f->count && !place_equal(f->list[i].instruction, place))
        i++;
    if (i == f->count && f->count < sizeof f->list / sizeof *f->list) f->list[f->count++].instruction = place;
    if (i < f->count) f->list[i].times++;
    return 0;
}

static bool publish(void *state, struct results *results) {
    const struct firsts *f = state;
    bool good = true;
    for (size_t i = 0; good && i < f->count; i++)
        good = results_add_first_commit(results, &f->list[i]);
    return good && results_add_first_share(results, &(struct first_share){0.75, f->count});
}

const struct worker_ops worker_first_commits = {.name = "first-commits",
                                                .text = "how often each instruction committed as the oldest",
                                                .needs = DPI_BUNDLE,
                                                .standard = WORKER_WITH_ORACLE,
                                                .create = create,
                                                .cycle = cycle,
                                                .publish = publish,
                                                .destroy = free};
