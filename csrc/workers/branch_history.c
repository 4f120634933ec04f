// The way by which each instruction that ProfileMe sampled was reached: the transfers of control before it, from the
// retired stream, for the sample file (profile/route.h). Each record of an instruction that retired has its history of
// branch directions held to that: both are the same, although the unit's was taken at fetch, on a path that was only
// predicted. Its result counts those that were compared, and the instructions that retired but cannot be found.
#include "base/array.h"
#include "base/grouped.h"
#include "profile/route.h"
#include "results.h"
#include "workers/worker.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { SATURATED = 4095 };

struct routes_worker {
    struct route_past *past;
    struct route_step *steps;
    size_t step_count, step_capacity;
    struct route *list; // one for each record of ProfileMe
    size_t count, capacity;
    uint64_t histories, unknown;
    struct route_step found[ROUTE_STEPS];
};

static int no_memory(struct error *err) {
    error_set(err, "worker branch-history: out of memory: sample less often");
    return -ENOMEM;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    struct routes_worker *w = state;
    (void)err;
    for (unsigned k = 0; k < v->left->count; k++)
        route_past_add(w->past, v->cycle, v->left->retired[k].pc, v->left->retired[k].insn);
    if (v->left->trap.valid) route_past_trap(w->past, v->left->trap.epc);
    return 0;
}

// The steps of a route that was found.
static bool keep(struct routes_worker *w, const struct route_found *found, struct route *route) {
    const size_t count = route_past_steps(w->past, found, w->found);
    *route = (struct route){true, {w->step_count, (uint32_t)count}};
    for (size_t i = 0; i < count; i++) {
        if (!array_reserve(&w->steps, &w->step_capacity, w->step_count, sizeof *w->steps)) return false;
        w->steps[w->step_count++] = w->found[i];
    }
    return true;
}

static int instruction(void *state, const uint64_t words[INSTRUCTION_SAMPLE_WORDS], struct error *err) {
    struct routes_worker *w = state;
    struct instruction_sample s;
    struct route_found found;
    struct route route = {0};
    instruction_sample_unpack(&s, words);
    if (!s.opportunity && !s.flushed && s.total < SATURATED) {
        if (!route_past_find(w->past, s.cycle + s.total, s.pc, &found)) {
            error_set(err,
                      "branch-history: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64
                      ": it has not retired in %" PRIu64,
                      s.pc, s.cycle, s.cycle + s.total);
            return -EBADMSG;
        }
        if ((s.history ^ found.history) & ~found.either) {
            error_set(err,
                      "branch-history: record of 0x%" PRIx64 ", fetched in cycle %" PRIu64
                      ": history is 0x%04x, but the branches that retired before it went 0x%04x",
                      s.pc, s.cycle, s.history, found.history);
            return -EBADMSG;
        }
        w->histories++;
        if (!keep(w, &found, &route)) return no_memory(err);
    } else if (!s.opportunity && !s.flushed) {
        w->unknown++;
    }
    if (!array_reserve(&w->list, &w->capacity, w->count, sizeof *w->list)) return no_memory(err);
    w->list[w->count++] = route;
    return 0;
}

static bool publish(void *state, struct results *results) {
    const struct routes_worker *w = state;
    bool good = results_add_route_counts(results, &(struct route_counts){w->count, w->histories, w->unknown});
    results_keep(results, RESULT_ROUTE);
    results_keep(results, RESULT_ROUTE_STEP);
    for (size_t i = 0; good && i < w->count; i++)
        good = results_add_route(results, &w->list[i]);
    for (size_t i = 0; good && i < w->step_count; i++)
        good = results_add_route_step(results, &w->steps[i]);
    return good;
}

static void checked(void *state, char *text, size_t size) {
    char histories[GROUPED_TEXT];
    snprintf(text, size, "%s branch histories against the retired branches",
             grouped(histories, ((const struct routes_worker *)state)->histories));
}

static void destroy(void *state) {
    struct routes_worker *w = state;
    route_past_destroy(w->past);
    free(w->steps);
    free(w->list);
    free(w);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    (void)run;
    struct routes_worker *w = calloc(1, sizeof *w);
    if (w && (w->past = route_past_create())) return w;
    free(w);
    no_memory(err);
    return NULL;
}

const struct worker_ops worker_branch_history = {
    .name = "branch-history",
    .text = "the branches before each instruction that ProfileMe samples: holds its "
            "history to them, and adds them to the sample file",
    .needs = DPI_BUNDLE | DPI_RETIRE,
    .check = true,
    .leaving_only = true,
    .create = create,
    .cycle = cycle,
    .instruction = instruction,
    .checked = checked,
    .publish = publish,
    .destroy = destroy};
