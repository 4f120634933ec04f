// A run from its beginning to its end, and what ends it.
#include "harness/halt.h"
#include "harness/simulation_internal.h"
#include <errno.h>
#include <time.h>

void simulation_end(struct simulation *s, int failure) {
    s->failed = true;
    s->failure = failure;
    halt_request();
}

void simulation_fail(struct simulation *s, int result) {
    bool difference = result == -EBADMSG || result == -EAGAIN || result == -EINVAL; // the last two: of a sample read
    s->broken = difference || result == -ETIMEDOUT;
    simulation_end(s, difference             ? EXIT_DIFFERENCE
                      : result == -ETIMEDOUT ? EXIT_NO_PROGRESS
                      : result == -ENOMEM    ? EXIT_USAGE
                                             : EXIT_OUTPUT);
}

double simulation_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int simulation_run(const struct simulation_options *options, struct error *err) {
    struct simulation s = {.options = options, .err = err};
    int status = EXIT_OUTPUT;
    if (!simulation_load(&s)) {
        status = EXIT_USAGE;
    } else if (!simulation_outputs_creatable(&s)) {
        status = EXIT_OUTPUT;
    } else if (!simulation_set_up(&s)) {
        if (s.failure) status = s.failure;
    } else {
        halt_on_signals();
        double started = simulation_seconds();
        simulation_loop(&s);
        status = options->search ? s.failure : simulation_finish(&s, simulation_seconds() - started);
        halt_as_before();
    }
    if (s.failure && !s.model) status = s.failure;
    simulation_tear_down(&s);
    return status;
}
