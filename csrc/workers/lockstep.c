// Lockstep with the golden ISS (cosim/cosim.h).
#include "results.h"
#include "workers/worker.h"
#include <inttypes.h>

static void *create(const struct worker_run *run, const struct worker_value *values, struct error *err) {
    (void)values;
    return cosim_create(run->image, &run->core, err);
}

static int cycle(void *state, const struct worker_view *v, struct error *err) {
    if (!v->left->count && !v->left->trap.valid && !v->left->host_write_count) return 0;
    return cosim_cycle(state, v->cycle, v->privilege, v->left, err);
}

static int begin(void *state, uint64_t cycle, struct error *err) {
    (void)cycle;
    (void)err;
    cosim_begin(state);
    return 0;
}

static void explain(void *state, FILE *out) {
    fputs("The last instructions, as the core committed them:\n", out);
    cosim_print_history(state, out);
}

static bool publish(void *state, struct results *results) {
    return results_add_lockstep_checked(results,
                                        &(struct lockstep_checked){cosim_instructions(state), cosim_traps(state)});
}

static void checked(void *state, char *text, size_t size) {
    snprintf(text, size, "%" PRIu64 " instructions and %" PRIu64 " traps against the ISS", cosim_instructions(state),
             cosim_traps(state));
}

static const struct golden *golden(void *state) {
    return cosim_golden(state);
}

static void destroy(void *state) {
    cosim_destroy(state);
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
