// Pipeline snippets of the hottest instructions (trace/snippets.h), which go to the sample file.
#include "trace/snippets.h"
#include "workers/worker.h"
#include <stdlib.h>

enum { KEY_HOTTEST };

struct state {
    struct snippets *snippets;
    size_t most;
};

static const char no_memory[] = "pipeline snippets: out of memory";

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct state *s = calloc(1, sizeof *s);
    if (s) s->snippets = snippets_create(run->width);
    if (s && s->snippets) {
        s->most = values[KEY_HOTTEST].number;
        return s;
    }
    error_set(err, no_memory);
    free(s);
    return NULL;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    int result = snippets_cycle(((struct state *)state)->snippets, v->cycle, v->bundle, v->stages);
    if (result < 0) error_set(err, no_memory);
    return result;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    (void)taken; // each trigger is time
    snippets_sample(((struct state *)state)->snippets, cycle, bundle);
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    (void)cycles;
    (void)err;
    snippets_finish(((struct state *)state)->snippets);
    return 0;
}

static bool publish(void *state, struct results *results) {
    const struct state *s = state;
    const struct snippet_copy *one;
    bool good = true;
    for (size_t i = 0; good && i < s->most && (one = snippets_hottest(s->snippets, i)); i++) {
        good = results_add_snippet(results, &one->head);
        for (uint32_t k = 0; good && k < one->head.rows.count; k++)
            good = results_add_snippet_row(results, &one->rows[k]);
    }
    return good;
}

static void destroy(void *state) {
    snippets_destroy(((struct state *)state)->snippets);
    free(state);
}

const struct worker_ops worker_snippets = {
    .name = "snippets",
    .text = "how the hottest instructions went through the pipeline, in the sample file",
    .needs = DPI_BUNDLE | DPI_STAGES,
    .keys = {{.name = "hottest",
              .kind = WORKER_NUMBER,
              .text = "number of instructions",
              .standard = "20",
              .low = 1,
              .high = 1000}},
    .create = create,
    .cycle = cycle,
    .sample = sample,
    .finish = finish,
    .publish = publish,
    .destroy = destroy};
