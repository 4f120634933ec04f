// Samples that wait for their call stacks and for the address of their data: whichever comes first, each gets that of
// its own cycle, by its state; and all get into the file in order.
#include "events.h"
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
    waiting.no_data = true;
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

static void data_of(uint64_t cycle, uint64_t own, uint64_t drain, bool waits) {
    const struct sample_data one = {cycle, own, drain, waits};
    assert_int_equal(waiting_samples_data(&waiting, &one, 1, writer, &err), 0);
}

// Its own data in Stalled, but the drain's of what waits for the store queue; the drain's in Drained with DR_SQ alone.
static void test_data(void **state) {
    (void)state;
    static const struct {
        uint64_t data;
        unsigned of;
    } expected[] = {{0x11, SAMPLES_DATA_ACCESS}, {0x22, SAMPLES_DATA_DRAIN}, {0x31, SAMPLES_DATA_ACCESS},
                    {0x42, SAMPLES_DATA_DRAIN},  {0, SAMPLES_DATA_NONE},     {0, SAMPLES_DATA_NONE},
                    {0, SAMPLES_DATA_NONE}};
    waiting.no_data = false;
    for (unsigned i = 1; i <= 3; i++)
        add(i, STATE_STALLED, 1);
    stacks_of(1, 3);
    assert_int_equal(samples_added(writer), 0);
    data_of(1, 0x11, 0x12, false);
    assert_int_equal(samples_added(writer), 1);
    data_of(2, 0x21, 0x22, true);
    data_of(3, 0x31, 0, true);
    assert_int_equal(samples_added(writer), 3);
    const struct sample_record drained = {
        .cycle = 4, .cycles = 10, .sample = {.state = STATE_DRAINED, .valid = 1, .psv[0] = 1 << EVENT_DR_SQ}};
    assert_int_equal(waiting_samples_add(&waiting, &drained, &err), 0);
    add(5, STATE_DRAINED, 1); // without the event
    add(6, STATE_COMPUTING, 1);
    add(7, STATE_STALLED, 1); // nothing comes of it
    for (unsigned i = 4; i <= 6; i++)
        data_of(i, 16 * i + 1, 16 * i + 2, true);
    assert_int_equal(samples_added(writer), 3);
    stacks_of(4, 4);
    assert_int_equal(samples_added(writer), 6);
    assert_int_equal(waiting_samples_file(&waiting, writer, &err), 0);
    assert_int_equal(samples_close(writer, &err), 0);
    struct samples *s = samples_open(path, &err);
    size_t count;
    const struct sample_record *r = samples_records(s, &count);
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(r[i].data, expected[i].data);
        assert_int_equal(r[i].data_of, expected[i].of);
    }
    samples_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_states, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_data, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
