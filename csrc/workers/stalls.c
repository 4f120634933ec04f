// Executions by vector, and the stalls that no event explains (oracle/stalls.h). Adds to the statistics:
//   executions   [{psv, count}, ...]: how many left the ROB with that vector
//   base_stalls  count, cycles; lengths: [[cycles, count], ...], the distribution
//                long: [{pc, mode, space, count, cycles, longest}, ...], those of LONG_STALL cycles or more by place,
//                most cycles first, 100 at most
#include "oracle/stalls.h"
#include "workers/worker.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG_STALL = 6, PLACES = 100 }; // cycles: the published bound is 5.8

struct stalled {
    uint64_t pc, context, count, cycles, longest;
};

static int longer(const void *x, const void *y) {
    const struct stalled *a = x, *b = y;
    if (a->cycles != b->cycles) return a->cycles > b->cycles ? -1 : 1;
    if (a->pc != b->pc) return a->pc < b->pc ? -1 : 1;
    return a->context < b->context ? -1 : a->context > b->context;
}

static void add_executions(cJSON *object, const struct stalls *stalls) {
    cJSON *array = cJSON_AddArrayToObject(object, "executions");
    for (unsigned psv = 0; psv <= EVENT_SET_ALL; psv++) {
        uint64_t count = stalls_executions(stalls, psv);
        if (!count) continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddNumberToObject(o, "psv", psv);
        cJSON_AddNumberToObject(o, "count", (double)count);
        cJSON_AddItemToArray(array, o);
    }
}

static void add_places(cJSON *object, const struct profile_row *rows, size_t count) {
    cJSON *array = cJSON_AddArrayToObject(object, "long");
    struct stalled *places = calloc(count + 1, sizeof *places);
    size_t used = 0;
    for (size_t i = 0; places && i < count; i++) {
        if (rows[i].psv < LONG_STALL) continue;
        if (used == 0 || places[used - 1].pc != rows[i].pc || places[used - 1].context != rows[i].context)
            places[used++] = (struct stalled){.pc = rows[i].pc, .context = rows[i].context};
        struct stalled *p = &places[used - 1];
        p->count += rows[i].weight;
        p->cycles += rows[i].weight * rows[i].psv;
        if (rows[i].psv > p->longest) p->longest = rows[i].psv;
    }
    if (used) qsort(places, used, sizeof *places, longer);
    for (size_t i = 0; i < used && i < PLACES; i++) {
        char pc[24];
        cJSON *o = cJSON_CreateObject();
        snprintf(pc, sizeof pc, "0x%llx", (unsigned long long)places[i].pc);
        cJSON_AddStringToObject(o, "pc", pc);
        cJSON_AddNumberToObject(o, "mode", place_mode(places[i].context));
        cJSON_AddNumberToObject(o, "space", (double)place_space(places[i].context));
        cJSON_AddNumberToObject(o, "count", (double)places[i].count);
        cJSON_AddNumberToObject(o, "cycles", (double)places[i].cycles);
        cJSON_AddNumberToObject(o, "longest", (double)places[i].longest);
        cJSON_AddItemToArray(array, o);
    }
    free(places);
}

static void add_lengths(cJSON *object, const struct profile_row *rows, size_t count) {
    uint64_t *by_length = calloc(STALL_LONGEST_KNOWN + 1, sizeof *by_length), stalls = 0, cycles = 0;
    for (size_t i = 0; by_length && i < count; i++) {
        by_length[rows[i].psv] += rows[i].weight;
        stalls += rows[i].weight;
        cycles += rows[i].weight * rows[i].psv;
    }
    cJSON_AddNumberToObject(object, "count", (double)stalls);
    cJSON_AddNumberToObject(object, "cycles", (double)cycles);
    cJSON *array = cJSON_AddArrayToObject(object, "lengths");
    for (unsigned length = 0; by_length && length <= STALL_LONGEST_KNOWN; length++) {
        if (!by_length[length]) continue;
        const double pair[] = {length, (double)by_length[length]};
        cJSON_AddItemToArray(array, cJSON_CreateDoubleArray(pair, 2));
    }
    free(by_length);
}

static void add_statistics(void *state, cJSON *object) {
    size_t count;
    const struct profile_row *rows = stalls_base(state, &count);
    add_executions(object, state);
    cJSON *base = cJSON_AddObjectToObject(object, "base_stalls");
    add_lengths(base, rows, count);
    add_places(base, rows, count);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)run;
    (void)values;
    return stalls_create(err);
}

WORKER_RARE static int no_memory(struct error *err) {
    return error_nomem(err, "stalls");
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    return stalls_step(state, v->bundle, v->count, err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    return stalls_begin(state) == 0 ? 0 : no_memory(err);
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
                                         .add_statistics = add_statistics,
                                         .destroy = destroy};
