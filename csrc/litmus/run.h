// Tests that run, on a machine of several harts.
#ifndef TIPOFF_LITMUS_RUN_H
#define TIPOFF_LITMUS_RUN_H

#include "litmus/litmus.h"
#include "litmus/machine.h"
#include <signal.h>

struct litmus_run {
    const struct litmus_machine *on;
    const char *config;                // of a machine of cores; NULL: its own choice
    uint64_t iterations, seed;         // the same seed: the same run
    const volatile sig_atomic_t *stop; // once it is not 0, no further iterations begin; NULL: they go on to the end
    unsigned harts;                    // of the machine, at most MACHINE_MOST_HARTS; 0: one for each thread
};

struct litmus_seen {
    struct litmus_states *states; // in the order in which they were seen first
    uint64_t *counts;             // iterations that ended in each
    size_t known, capacity;
    uint64_t filtered; // iterations that the test's `filter` drops
};

// False with err. The test has no loads with .aq and stores with .rl (litmus_lower). litmus_seen_free in any case.
bool litmus_run(const struct litmus_test *t, const struct litmus_run *how, const char *path, struct litmus_seen *seen,
                struct error *err);
void litmus_seen_free(struct litmus_seen *seen);

#endif
