// Executions by vector, and the stalls that no event explains (oracle/stalls.h). Results: execution, base_stalls,
// stall_length, long_stall (tables/results.tsv); long_stall has those of STALL_LONG cycles or more, 100 places at most.
#include "oracle/stalls.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 100 }; // at most

static int longer(const void *x, const void *y) {
    const struct long_stall *a = x, *b = y;
    if (a->cycles != b->cycles) return a->cycles > b->cycles ? -1 : 1;
    return place_order(a->place, b->place);
}

static bool add_executions(struct results *results, const struct stalls *stalls) {
    bool good = true;
    results_keep(results, RESULT_EXECUTION);
    for (unsigned psv = 0; good && psv <= EVENT_SET_ALL; psv++) {
        const uint64_t count = stalls_executions(stalls, psv);
        if (count) good = results_add_execution(results, &(struct execution){(uint16_t)psv, count});
    }
    return good;
}

static bool add_places(struct results *results, const struct base_stall *rows, size_t count) {
    struct long_stall *places = calloc(count + 1, sizeof *places);
    size_t used = 0;
    bool good = places;
    results_keep(results, RESULT_LONG_STALL);
    for (size_t i = 0; good && i < count; i++) {
        if (rows[i].length < STALL_LONG) continue;
        if (used == 0 || !place_equal(places[used - 1].place, rows[i].place))
            places[used++] = (struct long_stall){.place = rows[i].place};
        struct long_stall *p = &places[used - 1];
        p->count += rows[i].count;
        p->cycles += rows[i].count * rows[i].length;
        if (rows[i].length > p->longest) p->longest = rows[i].length;
    }
    if (used) qsort(places, used, sizeof *places, longer);
    for (size_t i = 0; good && i < used && i < PLACES; i++)
        good = results_add_long_stall(results, &places[i]);
    free(places);
    return good;
}

static bool add_lengths(struct results *results, const struct base_stall *rows, size_t count) {
    uint64_t *by_length = calloc(STALL_LONGEST_KNOWN + 1, sizeof *by_length);
    struct base_stalls all = {0};
    for (size_t i = 0; by_length && i < count; i++) {
        by_length[rows[i].length] += rows[i].count;
        all.count += rows[i].count;
        all.cycles += rows[i].count * rows[i].length;
    }
    bool good = by_length && results_add_base_stalls(results, &all);
    results_keep(results, RESULT_STALL_LENGTH);
    for (unsigned length = 0; good && length <= STALL_LONGEST_KNOWN; length++) {
        if (by_length[length])
            good = results_add_stall_length(results, &(struct stall_length){(uint16_t)length, by_length[length]});
    }
    free(by_length);
    return good;
}

static bool publish(void *state, struct results *results) {
    size_t count;
    const struct base_stall *rows = stalls_base(state, &count);
    return add_executions(results, state) && add_lengths(results, rows, count) && add_places(results, rows, count);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    return stalls_create(err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    return stalls_step(state, v->bundle, v->count, err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    stalls_begin(state);
    return 0;
}

static int end(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    stalls_end(state);
    return 0;
}

static void destroy(void *state) {
    stalls_destroy(state);
}

const struct worker_ops worker_stalls = {.name = "stalls",
                                         .text = "executions by vector, and the stalls that no event explains",
                                         .needs = DPI_BUNDLE,
                                         .standard = WORKER_WITH_ORACLE,
                                         .create = create,
                                         .cycle = cycle,
                                         .begin = begin,
                                         .end = end,
                                         .publish = publish,
                                         .destroy = destroy};
