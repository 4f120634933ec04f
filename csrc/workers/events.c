// How many instructions left the ROB with each event's bit.
#include "events.h"
#include "workers/worker.h"
#include <stdlib.h>

struct events {
    uint64_t count[EVENT_COUNT];
    bool ended;
};

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    struct events *e = calloc(1, sizeof *e);
    if (!e) error_set(err, "event counts: out of memory: free some and run again");
    return e;
}

static void count(struct events *e, unsigned psv) {
    for (; psv; psv &= psv - 1)
        e->count[__builtin_ctz(psv)]++;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    (void)err;
    if (((const struct events *)state)->ended) return 0;
    if (b->exception) count(state, b->exception_psv & EVENT_SET_ALL);
    for (unsigned lanes = b->commit; lanes; lanes &= lanes - 1)
        count(state, b->psv[__builtin_ctz(lanes)] & EVENT_SET_ALL);
    return 0;
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    *(struct events *)state = (struct events){0};
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    ((struct events *)state)->ended = true;
    return 0;
}

static void add_statistics(void *state, cJSON *statistics) {
    static const char *const names[] = {EVENT_NAMES};
    cJSON *events = cJSON_AddObjectToObject(statistics, "events");
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        cJSON_AddNumberToObject(events, names[i], (double)((struct events *)state)->count[i]);
}

const struct worker_ops worker_events = {.name = "events",
                                         .text = "how many instructions met each event",
                                         .needs = DPI_BUNDLE,
                                         .standard = WORKER_WITH_ORACLE,
                                         .leaving_only = true,
                                         .create = create,
                                         .cycle = cycle,
                                         .begin = begin,
                                         .end = end,
                                         .add_statistics = add_statistics,
                                         .destroy = free};
