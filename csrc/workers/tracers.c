// Tracers (trace/tracer.h): the commit bundle of every cycle of a region to a file; one row a format.
#include "trace/region.h"
#include "trace/tracer.h"
#include "workers/worker.h"
#include <limits.h>
#include <stdlib.h>

enum { KEY_FILE, KEY_FROM, KEY_TO };

struct traced {
    const struct tracer_format *format;
    struct tracer *tracer;
    struct trace_region region;
};

static void *create(const struct tracer_format *format, const struct worker_run *run, const struct worker_value *values,
                    struct error *err) {
    struct traced *t = error_calloc(sizeof *t, "trace", err);
    if (!t) return NULL;
    char real[PATH_MAX] = "";
    if (run->image && !realpath(image_path(run->image), real)) real[0] = '\0';
    *t = (struct traced){.format = format};
    if (trace_region_parse(&t->region, "trace", values[KEY_FROM].text, values[KEY_TO].text, POSITIONS_SEEN, run->image,
                           err) == 0 &&
        (t->tracer = format->create(values[KEY_FILE].text, run->width, real, err)))
        return t;
    free(t);
    return NULL;
}

static void *create_bin(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    return create(&tracer_bin, run, values, err);
}
static void *create_csv(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    return create(&tracer_csv, run, values, err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct traced *t = state;
    trace_region_bundle(&t->region, v->cycle, v->bundle);
    uint64_t first = v->cycle, inside = trace_region_clip(&t->region, &first, v->count);
    return inside ? t->format->cycle(t->tracer, first, inside, v->bundle, err) : 0;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    (void)bundle;
    if (taken) trace_region_sample(&((struct traced *)state)->region, cycle);
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct traced *t = state;
    (void)cycles;
    int result = t->format->close(t->tracer, err);
    t->tracer = NULL;
    return result;
}

static void destroy(void *state) {
    struct traced *t = state;
    if (t->tracer) t->format->close(t->tracer, NULL);
    free(t);
}

#define ROW(format, does)                                                                                              \
    const struct worker_ops worker_##format = {                                                                        \
        .name = #format,                                                                                               \
        .text = (does),                                                                                                \
        .needs = DPI_BUNDLE,                                                                                           \
        .keys = {{.name = "file", .kind = WORKER_FILE, .text = "output file"},                                         \
                 {.name = "from", .kind = WORKER_EDGE, .text = "first cycle of the trace"},                            \
                 {.name = "to", .kind = WORKER_EDGE, .text = "last cycle of the trace"}},                              \
        .create = create_##format,                                                                                     \
        .cycle = cycle,                                                                                                \
        .sample = sample,                                                                                              \
        .finish = finish,                                                                                              \
        .destroy = destroy,                                                                                            \
    }

ROW(bin, "the commit bundle of every cycle, in binary");
ROW(csv, "the commit bundle of every cycle, as text");
