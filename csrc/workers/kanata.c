// The pipeline view (trace/pipeview.h).
#include "trace/pipeview.h"
#include "workers/worker.h"
#include <stdlib.h>

enum { KEY_FILE, KEY_FROM, KEY_TO };

struct view {
    struct pipeview *pipeview;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct trace_region region;
    struct view *view = error_calloc(sizeof *view, "pipeline view", err);
    if (!view) return NULL;
    if (trace_region_parse(&region, "trace", values[KEY_FROM].text, values[KEY_TO].text, POSITIONS_SEEN, run->image,
                           err) == 0 &&
        (view->pipeview = pipeview_create(values[KEY_FILE].text, run->width, &region, run->image, err)))
        return view;
    free(view);
    return NULL;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    int result = pipeview_cycle(((struct view *)state)->pipeview, v->cycle, v->bundle, v->stages);
    if (result < 0) error_nomem(err, "pipeline view");
    return result;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    pipeview_sample(((struct view *)state)->pipeview, cycle, bundle, taken);
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct view *view = state;
    (void)cycles;
    int result = pipeview_close(view->pipeview, err);
    view->pipeview = NULL;
    return result;
}

static void destroy(void *state) {
    struct error ignored;
    pipeview_close(((struct view *)state)->pipeview, &ignored);
    free(state);
}

const struct worker_ops worker_kanata = {
    .name = "kanata",
    .text = "the pipeline view as a Kanata log, for Konata",
    .needs = DPI_BUNDLE | DPI_STAGES,
    .keys = {{.name = "file", .kind = WORKER_FILE, .text = "output file"},
             {.name = "from", .kind = WORKER_EDGE, .text = "first cycle of the trace"},
             {.name = "to", .kind = WORKER_EDGE, .text = "last cycle of the trace"}},
    .create = create,
    .cycle = cycle,
    .sample = sample,
    .finish = finish,
    .destroy = destroy};
