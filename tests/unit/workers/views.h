// Views made by hand for the tests of workers: bundles of a 2-wide core, and an ISS that was put where it is wanted.
#ifndef TIPOFF_TESTS_VIEWS_H
#define TIPOFF_TESTS_VIEWS_H

#include "workers/worker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define AT UINT64_C(0x80000000)
enum { WIDTH = 2, ENTRIES = 6, WRAP = 8 }; // of the ROB; its index has the wrap bit above 0..5

struct scene {
    const struct worker_ops *ops;
    void *state;
    struct worker_view view;
    struct commit_bundle bundle;
    struct trace_left left;
    struct golden golden;
    struct shadow_view shadow;
    struct iss *iss;
    struct error err;
};

// A worker with the values that it has when nothing is asked for, except number 0, where that is not 0.
static inline void scene_start_with(struct scene *s, const struct worker_ops *ops, uint64_t number) {
    struct worker_value values[WORKER_KEYS] = {{.number = number}};
    const struct worker_run run = {.width = WIDTH,
                                   .rob_entries = ENTRIES,
                                   .fetch_width = 4,
                                   .store_queue = 8,
                                   .counters = 4,
                                   .sample_counter = 3,
                                   .counts = true,
                                   .vectors = true,
                                   .fcsr_flush = true,
                                   .core = {.fp = true, .pmp_entries = 8}};
    memset(s, 0, sizeof *s);
    s->ops = ops;
    s->iss = iss_create(&s->err);
    assert_non_null(s->iss);
    iss_set_autonomous(s->iss, false);
    s->golden.iss = s->iss;
    s->golden.hart = iss_only(s->iss);
    s->golden.now = hart_registers(s->golden.hart);
    s->view = (struct worker_view){.count = 1,
                                   .bundle = &s->bundle,
                                   .left = &s->left,
                                   .golden = &s->golden,
                                   .shadow = &s->shadow,
                                   .privilege = ISS_PRIVILEGE_M};
    s->state = ops->create(&run, values, &s->err);
    assert_non_null(s->state);
}

static inline void scene_start(struct scene *s, const struct worker_ops *ops) {
    scene_start_with(s, ops, 0);
}

static inline void scene_end(struct scene *s) {
    s->ops->destroy(s->state);
    iss_destroy(s->iss);
}

static inline int scene_cycle(struct scene *s, uint64_t cycle) {
    s->view.cycle = s->golden.cycle = s->shadow.cycle = cycle;
    s->err.text[0] = '\0';
    return s->ops->cycle(s->state, &s->view, &s->err);
}

static inline void scene_memory(struct scene *s, struct memory_event event) {
    assert_int_equal(s->ops->memory(s->state, &event, &s->err), 0);
}

// One instruction commits, alone, from lane 0.
static inline void scene_commits(struct scene *s, struct iss_retire step) {
    s->golden.count = s->left.count = s->shadow.count = 1;
    s->golden.step[0] = step;
    s->bundle.commit = s->bundle.valid = s->bundle.first = 1;
    s->bundle.exception = false;
}

#define differs(scene, cycle, result, words)                                                                           \
    do {                                                                                                               \
        assert_int_equal(scene_cycle(scene, cycle), result);                                                           \
        if (!strstr((scene)->err.text, words)) fail_msg("'%s' lacks '%s'", (scene)->err.text, words);                  \
    } while (0)

#endif
