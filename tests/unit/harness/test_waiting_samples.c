// Samples that wait for their call stacks: whichever of the two comes first, each gets that of its own cycle, by its
// state; and all get into the file in order.
#include "harness/waiting_samples.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];
static struct samples_writer *writer;
static struct waiting_samples waiting;
static struct error err;

static int set_up(void **state) {
    (void)state;
    struct samples_header h = {.clock_mhz = 1, .width = 4, .units = 12, .sampling.period = 10, .event_count = 0};
    strcpy(path, "/tmp/test_waiting_XXXXXX");
    int fd = mkstemp(path);
    if (fd >= 0) close(fd);
    memset(&waiting, 0, sizeof waiting);
    writer = samples_create(path, &h, &err);
    return writer ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    waiting_samples_free(&waiting);
    return unlink(path);
}

static void add(uint64_t cycle, unsigned state, unsigned valid) {
    const struct sample_record r = {
        .cycle = cycle, .cycles = 10, .sample = {.state = (uint8_t)state, .valid = (uint8_t)valid}};
    assert_int_equal(waiting_samples_add(&waiting, &r, &err), 0);
}

static void stacks_of(uint64_t cycle, size_t count) {
    struct sample_stacks list[4];
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = (uint32_t)(cycle + i) * 10;
        list[i] = (struct sample_stacks){cycle + i, {n, n + 1, n + 2, n + 3}, n + 8, n + 9};
    }
    assert_int_equal(waiting_samples_stacks(&waiting, list, count, writer, &err), 0);
}

static void expect(size_t expected, const uint32_t (*stacks)[5]) {
    size_t count;
    assert_int_equal(waiting_samples_file(&waiting, writer, &err), 0);
    assert_int_equal(samples_close(writer, &err), 0);
    struct samples *s = samples_open(path, &err);
    const struct sample_record *r = samples_records(s, &count);
    assert_int_equal(count, expected);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(r[i].cycle, stacks[i][0]);
        for (unsigned lane = 0; lane < 4; lane++)
            assert_int_equal(r[i].stack[lane], stacks[i][1 + lane]);
    }
    samples_destroy(s);
}

static void test_states(void **state) {
    (void)state;
    add(1, STATE_COMPUTING, 0xb);
    add(2, STATE_STALLED, 0x4);
    add(3, STATE_FLUSHED, 0x1);
    add(4, STATE_DRAINED, 0x1);
    stacks_of(1, 4);
    assert_int_equal(samples_added(writer), 4);
    static const uint32_t stacks[][5] = {{1, 10, 11, 0, 13}, {2, 0, 0, 28, 0}, {3, 39, 0, 0, 0}, {4, 48, 0, 0, 0}};
    expect(4, stacks);
}

// Stacks of cycles whose sample comes later; of further triggers, which have none; of a sample that never gets its own.
static void test_order(void **state) {
    (void)state;
    stacks_of(1, 3);
    assert_int_equal(samples_added(writer), 0);
    add(2, STATE_STALLED, 1);
    stacks_of(4, 1);
    assert_int_equal(samples_added(writer), 1);
    add(4, STATE_STALLED, 1);
    add(5, STATE_STALLED, 1); // its cycle was not emitted
    add(6, STATE_STALLED, 1);
    stacks_of(6, 1);
    assert_int_equal(samples_added(writer), 4);
    add(9, STATE_STALLED, 1);
    stacks_of(7, 2);
    assert_int_equal(samples_added(writer), 4);
    static const uint32_t stacks[][5] = {
        {2, 28, 0, 0, 0}, {4, 48, 0, 0, 0}, {5, 0, 0, 0, 0}, {6, 68, 0, 0, 0}, {9, 0, 0, 0, 0}};
    expect(5, stacks);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_states, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_order, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
