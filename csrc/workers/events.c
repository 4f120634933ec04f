// How many instructions left the ROB with each event's bit, and which; committed or not.
#include "events.h"
#include "profile/profile_table.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct events {
    unsigned events; // that this core has
    uint64_t count[EVENT_COUNT];
    struct profile_table *met; // state 0; weight: how often
    bool ended;                // nothing counts any more
};

WORKER_RARE static int no_memory(struct error *err) {
    return error_nomem(err, "event counts");
}

static void destroy(void *state) {
    struct events *e = state;
    profile_table_destroy(e->met);
    free(e);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct events *e = calloc(1, sizeof *e);
    if (e) e->events = run->event_count;
    if (e && (e->met = profile_table_create())) return e;
    free(e);
    no_memory(err);
    return NULL;
}

static bool count(struct events *e, const struct commit_bundle *b, uint64_t pc, unsigned psv) {
    if (!psv) return true;
    for (unsigned left = psv; left; left &= left - 1)
        e->count[__builtin_ctz(left)]++;
    return profile_table_add(e->met, (struct place){pc, place_context(b->priv, b->space)}, 0, (uint16_t)psv, 1);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    const struct commit_bundle *b = v->bundle;
    if (((const struct events *)state)->ended) return 0;
    bool good = true;
    if (b->exception) good = count(state, b, b->exception_pc, b->exception_psv & EVENT_SET_ALL);
    for (unsigned lanes = b->commit; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        good &= count(state, b, b->pc[lane], b->psv[lane] & EVENT_SET_ALL);
    }
    return good ? 0 : no_memory(err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    struct events *e = state;
    struct profile_table *met = profile_table_create();
    (void)cycle;
    if (!met) return no_memory(err);
    profile_table_destroy(e->met);
    *e = (struct events){.events = e->events, .met = met};
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    ((struct events *)state)->ended = true;
    return 0;
}

static int by_context(const void *x, const void *y) {
    const struct profile_row *a = x, *b = y;
    if (a->context != b->context) return a->context < b->context ? -1 : 1;
    return profile_row_compare(a, b);
}

static bool publish(void *state, struct results *results) {
    size_t count;
    const struct profile_row *rows = profile_table_rows(((struct events *)state)->met, &count);
    struct profile_row *list = malloc((count + 1) * sizeof *list);
    bool good = list;
    for (unsigned i = 0; good && i < ((struct events *)state)->events; i++)
        good = results_add_event_count(results, &(struct event_count){(uint8_t)i, ((struct events *)state)->count[i]});
    results_keep(results, RESULT_EVENT_MET);
    for (size_t i = 0; good && i < count; i++)
        list[i] = rows[i];
    if (good && count) qsort(list, count, sizeof *list, by_context);
    for (size_t i = 0; good && i < count; i++)
        good = results_add_event_met(results,
                                     &(struct event_met){{list[i].pc, list[i].context}, list[i].psv, list[i].weight});
    free(list);
    return good;
}

const struct worker_ops worker_events = {.name = "events",
                                         .text = "the number of instructions with each event, by instruction",
                                         .needs = DPI_BUNDLE,
                                         .standard = WORKER_WITH_ORACLE,
                                         .leaving_only = true,
                                         .create = create,
                                         .cycle = cycle,
                                         .begin = begin,
                                         .end = end,
                                         .publish = publish,
                                         .destroy = destroy};
