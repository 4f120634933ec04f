// Lockstep with the golden ISS (cosim/cosim.h).
#include "base/grouped.h"
#include "results.h"
#include "workers/harts.h"
#include "workers/worker.h"
#include <stdlib.h>

struct lockstep {
    struct cosim *cosim;
    const struct harts *harts; // NULL: a hart alone
};

static void destroy(void *state) {
    struct lockstep *l = state;
    cosim_destroy(l->cosim);
    free(l);
}

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    struct lockstep *l = error_calloc(sizeof *l, "lockstep", err);
    if (!l) return NULL;
    l->cosim = cosim_create(run->image, &run->core, err);
    if (!l->cosim) {
        destroy(l);
        return NULL;
    }
    l->harts = run->harts;
    if (run->harts) {
        const struct cosim_shared shared = harts_shared(run->harts, run->hart);
        cosim_share(l->cosim, &shared);
    }
    return l;
}

static struct cosim *cosim_of(void *state) {
    return ((struct lockstep *)state)->cosim;
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    if (!v->left->count && !v->left->trap.valid && !v->left->host_write_count) return 0;
    return cosim_cycle(cosim_of(state), v->cycle, v->privilege, v->left, err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    cosim_begin(cosim_of(state));
    return 0;
}

static void explain(void *state, FILE *out) {
    fputs("The last instructions, as the core committed them:\n", out);
    cosim_print_history(cosim_of(state), out);
    if (((struct lockstep *)state)->harts) harts_explain(((struct lockstep *)state)->harts, out);
}

static bool publish(void *state, struct results *results) {
    return results_add_lockstep_checked(
        results, &(struct lockstep_checked){cosim_instructions(cosim_of(state)), cosim_traps(cosim_of(state))});
}

static void checked(void *state, char *text, size_t size) {
    char instructions[GROUPED_TEXT], traps[GROUPED_TEXT];
    snprintf(text, size, "%s instructions and %s traps against the ISS",
             grouped(instructions, cosim_instructions(cosim_of(state))), grouped(traps, cosim_traps(cosim_of(state))));
}

static const struct golden *golden(void *state) {
    return cosim_golden(cosim_of(state));
}

const struct worker_ops worker_lockstep = {.name = "lockstep",
                                           .text = "every instruction and trap against the golden ISS",
                                           .needs = DPI_BUNDLE | DPI_RETIRE,
                                           .standard = WORKER_WITH_LOCKSTEP,
                                           .check = true,
                                           .leaving_only = true,
                                           .create = create,
                                           .cycle = cycle,
                                           .begin = begin,
                                           .explain = explain,
                                           .publish = publish,
                                           .checked = checked,
                                           .golden = golden,
                                           .destroy = destroy};
