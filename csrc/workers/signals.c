// A group of signals of the core (tables/signals.tsv), cycle by cycle, to a file.
#include "trace/region.h"
#include "trace/signal_trace.h"
#include "workers/worker.h"
#include <stdlib.h>
#include <string.h>

enum { KEY_GROUP, KEY_FILE, KEY_FORMAT, KEY_FROM, KEY_TO };

struct traced {
    const struct signal_format *format;
    struct signal_writer *writer;
    struct trace_region region;
    struct signal_columns columns;
    unsigned bit;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    struct traced *t = error_calloc(sizeof *t, "signals", err);
    if (!t) return NULL;
    t->format = strcmp(values[KEY_FORMAT].text, signal_bin.name) == 0 ? &signal_bin : &signal_csv;
    signal_columns_choose(&t->columns, values[KEY_GROUP].text, run->width, &t->bit); // a choice: there is such a group
    if (trace_region_parse(&t->region, "trace", values[KEY_FROM].text, values[KEY_TO].text, POSITIONS_SEEN, run->image,
                           err) == 0 &&
        (t->writer = t->format->create(values[KEY_FILE].text, &t->columns, err)))
        return t;
    free(t);
    return NULL;
}

static uint32_t groups(void *state) {
    return UINT32_C(1) << (SIGNAL_FIRST_BIT + ((struct traced *)state)->bit);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct traced *t = state;
    uint64_t values[SIGNAL_SLOTS];
    trace_region_bundle(&t->region, v->cycle, v->bundle);
    uint64_t first = v->cycle, inside = trace_region_clip(&t->region, &first, v->count);
    for (unsigned i = 0; inside && i < t->columns.count; i++)
        values[i] = v->signals->value[t->columns.list[i].slot];
    return inside ? t->format->add(t->writer, first, inside, values, err) : 0;
}

static void sample(void *state, const struct commit_bundle *bundle, uint64_t cycle, bool taken) {
    (void)bundle;
    if (taken) trace_region_sample(&((struct traced *)state)->region, cycle);
}

static int finish(void *state, uint64_t cycles, struct error *err) {
    struct traced *t = state;
    (void)cycles;
    struct signal_writer *writer = t->writer;
    t->writer = NULL;
    return t->format->close(writer, err);
}

static void destroy(void *state) {
    struct traced *t = state;
    struct error ignored;
    if (t->writer) t->format->close(t->writer, &ignored);
    free(t);
}

const struct worker_ops worker_signals = {
    .name = "signals",
    .text = "a group of signals of the core, in every cycle",
    .needs = DPI_BUNDLE | DPI_SIGNALS,
    .keys = {{.name = "group", .kind = WORKER_CHOICE, .text = SIGNAL_GROUP_CHOICES},
             {.name = "file", .kind = WORKER_FILE, .text = "output file"},
             {.name = "format", .kind = WORKER_CHOICE, .text = "csv, bin", .standard = "csv"},
             {.name = "from", .kind = WORKER_EDGE, .text = "first cycle of the trace"},
             {.name = "to", .kind = WORKER_EDGE, .text = "last cycle of the trace"}},
    .create = create,
    .groups = groups,
    .cycle = cycle,
    .sample = sample,
    .finish = finish,
    .destroy = destroy};
