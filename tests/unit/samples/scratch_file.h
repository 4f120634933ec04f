// A sample file of a test's own, below /tmp, and a writer of one that says little.
#ifndef TIPOFF_TESTS_SAMPLES_SCRATCH_FILE_H
#define TIPOFF_TESTS_SAMPLES_SCRATCH_FILE_H

#include "samples/samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64]; // from set_up to tear_down

static int set_up(void **state) {
    (void)state;
    strcpy(path, "/tmp/test_samples_XXXXXX");
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    return fd >= 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return unlink(path);
}

static inline struct samples_writer *writer(void) {
    static const struct samples_header header = {.width = 4, .units = 12, .sampling.period = 10, .clock_mhz = 1};
    struct samples_writer *w = samples_create(path, &header, NULL);
    assert_non_null(w);
    return w;
}

#endif
