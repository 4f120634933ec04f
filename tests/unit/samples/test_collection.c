// Collections in sample files: what is written is read back, over several blocks; longer records of a later version are
// passed over; blocks without their head, and stacks deeper than it says, are damage.
#include "base/bytes.h"
#include "base/container.h"
#include "profile/collection.h"
#include "results.h"
#include "samples/samples.h"
#include "tests/unit/samples/scratch_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { HEAD_TYPE = 32, RETIRED_TYPE = 33, TRANSFERS_TYPE = 34 }; // as csrc/samples/samples_format.h says
enum { DEPTH = 256, SAMPLES = 20000, STACKS = 500 };

static size_t depth_of(size_t stack) { // the first ones are not full yet
    return stack < DEPTH ? stack : DEPTH;
}

static void test_round_trip(void **state) {
    (void)state;
    struct retired_sample *samples = calloc(SAMPLES, sizeof *samples);
    struct transfer_stack *stacks = calloc(STACKS, sizeof *stacks);
    struct transfer *transfers = calloc(STACKS * DEPTH, sizeof *transfers);
    size_t n = 0;
    assert_true(samples && stacks && transfers);
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = (struct retired_sample){i, {~i, 4 * i + MODE_USER}, {i & 1 ? 2 * i : PROFILE_PC_END, i}};
    for (size_t i = 0; i < STACKS; i++) {
        stacks[i] = (struct transfer_stack){10 * i, i << 2 | MODE_SUPERVISOR, {n, (uint32_t)depth_of(i)}};
        for (size_t k = 0; k < depth_of(i); k++, n++)
            transfers[n] = (struct transfer){n, ~n, n % 16};
    }
    const struct collection c = {997, 101, DEPTH, COLLECTION_UNIT, 1u << 30, UINT64_MAX};
    struct results *results = results_create();
    assert_true(results && results_add_collection(results, &c));
    for (size_t i = 0; i < SAMPLES; i++)
        assert_true(results_add_retired_sample(results, &samples[i]));
    for (size_t i = 0; i < STACKS; i++)
        assert_true(results_add_transfer_stack(results, &stacks[i]));
    for (size_t i = 0; i < n; i++)
        assert_true(results_add_transfer(results, &transfers[i]));
    struct samples_writer *w = writer();
    assert_int_equal(samples_add_results(w, results, 0, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    results_destroy(results);
    struct samples *s = samples_open(path, NULL);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    const struct collection *r = results_collection(samples_results(s));
    assert_non_null(r);
    assert_true(r->ebs_period == 997 && r->lbr_period == 101 && r->depth == DEPTH && r->source == COLLECTION_UNIT);
    assert_true(r->retired == c.retired && r->transfers_taken == c.transfers_taken);
    size_t count;
    assert_memory_equal(results_retired_sample(samples_results(s), &count), samples, SAMPLES * sizeof *samples);
    assert_int_equal(count, SAMPLES);
    const struct transfer_stack *list = results_transfer_stack(samples_results(s), &count);
    assert_int_equal(count, STACKS);
    for (size_t i = 0; i < STACKS; i++) {
        assert_true(list[i].cycle == stacks[i].cycle && list[i].context == stacks[i].context);
        assert_true(list[i].transfers.first == stacks[i].transfers.first &&
                    list[i].transfers.count == stacks[i].transfers.count);
    }
    assert_memory_equal(results_transfer(samples_results(s), &count), transfers, n * sizeof *transfers);
    assert_int_equal(count, n);
    samples_destroy(s);
    free(samples);
    free(stacks);
    free(transfers);
}

// A container with a block in bytes, after a head where there is to be one: how it is read.
static enum samples_state state_with(bool head, uint32_t type, const uint8_t *data, size_t bytes,
                                     void (*look)(const struct results *r)) {
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct container_reader *r = container_open(path, "samples", 1, 99, NULL);
    const uint8_t *json;
    uint32_t header_type;
    size_t size;
    assert_int_equal(container_next(r, &header_type, &json, &size, NULL), CONTAINER_BLOCK);
    char *header = strndup((const char *)json, size);
    container_destroy(r);
    struct container_writer *w = container_create(path, "samples", 2, header, NULL);
    uint8_t first[64], *p = bytes_put(bytes_put(bytes_put(first, 39, 2), 997, 8), 101, 8);
    p = bytes_put(bytes_put(bytes_put(bytes_put(p, 2, 4), 0, 1), 1000, 8), 100, 8);
    if (head) assert_int_equal(container_write(w, HEAD_TYPE, first, (size_t)(p - first), NULL), 0);
    assert_int_equal(container_write(w, type, data, bytes, NULL), 0);
    assert_int_equal(container_close(w, NULL), 0);
    free(header);
    struct samples *s = samples_open(path, NULL);
    assert_non_null(s);
    const enum samples_state state = samples_state(s);
    if (look && results_collection(samples_results(s))) look(samples_results(s));
    samples_destroy(s);
    return state;
}

static void two_samples(const struct results *r) {
    size_t count;
    const struct retired_sample *samples = results_retired_sample(r, &count);
    assert_int_equal(count, 2);
    assert_int_equal(samples[0].place.pc, 0x80);
    assert_int_equal(samples[1].place.pc, 0x90);
    assert_int_equal(samples[1].skid.context, 7);
}

static void one_stack(const struct results *r) {
    size_t count;
    const struct transfer_stack *stacks = results_transfer_stack(r, &count);
    assert_int_equal(count, 1);
    assert_int_equal(stacks[0].transfers.count, 2);
    const struct transfer *transfers = results_transfer(r, &count);
    assert_int_equal(transfers[1].target, 0x44);
    assert_int_equal(transfers[1].data, 5);
}

static void test_longer(void **state) {
    (void)state;
    uint8_t data[256], *p = bytes_put(data, 43, 2);
    for (unsigned i = 0; i < 2; i++) {
        p = bytes_put(bytes_put(bytes_put(p, i, 8), 0x80 + 0x10 * i, 8), 3, 8);
        p = bytes_put(bytes_put(bytes_put(p, 0x84, 8), 6 + i, 8), 0xeeeeee, 3);
    }
    assert_int_equal(state_with(true, RETIRED_TYPE, data, (size_t)(p - data), two_samples), SAMPLES_COMPLETE);
    assert_int_equal(state_with(false, RETIRED_TYPE, data, (size_t)(p - data), NULL), SAMPLES_CORRUPT);
    assert_int_equal(state_with(true, RETIRED_TYPE, data, (size_t)(p - data) - 1, NULL), SAMPLES_CORRUPT);
}

static void test_stacks(void **state) {
    (void)state;
    uint8_t data[256], *p = bytes_put(bytes_put(bytes_put(bytes_put(data, 25, 2), 9, 8), 3, 8), 2, 2);
    for (unsigned i = 0; i < 2; i++)
        p = bytes_put(bytes_put(bytes_put(bytes_put(p, 0x20 + i, 8), 0x43 + i, 8), 5, 8), 0xee, 1);
    assert_int_equal(state_with(true, TRANSFERS_TYPE, data, (size_t)(p - data), one_stack), SAMPLES_COMPLETE);
    assert_int_equal(state_with(true, TRANSFERS_TYPE, data, (size_t)(p - data) - 1, NULL), SAMPLES_CORRUPT);
    data[18] = 3; // entries of a stack of two
    assert_int_equal(state_with(true, TRANSFERS_TYPE, data, (size_t)(p - data), NULL), SAMPLES_CORRUPT);
}

// Files of before have none; readers of before pass over them, as the types do not have to be understood.
static void test_none(void **state) {
    (void)state;
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_null(results_collection(samples_results(s)));
    samples_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_longer, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_stacks, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_none, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
