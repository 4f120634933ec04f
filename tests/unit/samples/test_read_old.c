// Blocks of sample files before version 4, as rows: routes, lost triggers, exact totals; what is damaged is reported.
#include "base/bytes.h"
#include "base/container.h"
#include "results.h"
#include "samples/samples.h"
#include "tests/unit/samples/old_file.h"
#include "tests/unit/samples/scratch_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { LOSSES_TYPE = 21, LIVES_TYPE = 36, ROUTES_TYPE = 37 }; // as files of before have them

// A file with one block of a type.
static struct samples *with(uint32_t type, const uint8_t *data, size_t bytes) {
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct container_reader *r = container_open(path, "samples", 1, 99, NULL);
    const uint8_t *json;
    uint32_t header_type;
    size_t size;
    assert_int_equal(container_next(r, &header_type, &json, &size, NULL), CONTAINER_BLOCK);
    char *header = strndup((const char *)json, size);
    container_destroy(r);
    struct container_writer *w = container_create(path, "samples", 2, header, NULL);
    free(header);
    assert_int_equal(container_write(w, type, data, bytes, NULL), 0);
    assert_int_equal(container_close(w, NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_non_null(s);
    return s;
}

// Routes alone: what becomes of the file, and how many it has.
static enum samples_state state_with(const uint8_t *data, size_t bytes, size_t *count) {
    struct samples *s = with(ROUTES_TYPE, data, bytes);
    const enum samples_state state = samples_state(s);
    results_route(samples_results(s), count);
    samples_destroy(s);
    return state;
}

static void read_as_rows(void **state) {
    (void)state;
    uint8_t data[128], *p = bytes_put(data, 16, 2);
    p = bytes_put(bytes_put(p, 0, 1), 0, 2);
    p = bytes_put(bytes_put(p, 1, 1), 2, 2);
    for (unsigned i = 0; i < 4; i++)
        p = bytes_put(p, 0x10 + i, 8);
    struct samples *s = with(ROUTES_TYPE, data, (size_t)(p - data));
    size_t count, steps;
    const struct route *route = results_route(samples_results(s), &count);
    const struct route_step *step = results_route_step(samples_results(s), &steps);
    assert_int_equal(count, 2);
    assert_int_equal(steps, 2);
    assert_false(route[0].known);
    assert_true(route[1].known && route[1].steps.first == 0 && route[1].steps.count == 2);
    assert_true(step[0].from == 0x10 && step[0].to == 0x11 && step[1].from == 0x12 && step[1].to == 0x13);
    samples_destroy(s);
    bytes_put(data, 77, 8);
    s = with(LOSSES_TYPE, data, 8);
    assert_int_equal(results_lost_triggers(samples_results(s))->collisions, 77);
    samples_destroy(s);
    s = with(LOSSES_TYPE, data, 7);
    assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
    assert_null(results_lost_triggers(samples_results(s)));
    samples_destroy(s);
}

static void damaged(void **state) {
    (void)state;
    size_t count;
    uint8_t data[128], *p = bytes_put(data, 18, 2); // steps of two bytes more than are known
    p = bytes_put(bytes_put(p, 1, 1), 1, 2);
    p = bytes_put(bytes_put(bytes_put(p, 0x10, 8), 0x20, 8), 0xeeee, 2);
    p = bytes_put(bytes_put(p, 0, 1), 0, 2);
    const size_t bytes = (size_t)(p - data);
    assert_int_equal(state_with(data, bytes, &count), SAMPLES_COMPLETE);
    assert_int_equal(count, 2);
    assert_int_equal(state_with(data, bytes - 1, &count), SAMPLES_CORRUPT); // ends in a route's head
    assert_int_equal(state_with(data, bytes - 4, &count), SAMPLES_CORRUPT); // ... in its steps
    data[0] = 15;
    assert_int_equal(state_with(data, bytes, &count), SAMPLES_CORRUPT);
    assert_int_equal(state_with(data, 1, &count), SAMPLES_CORRUPT);
    static uint8_t longest[5 + 1025 * 16] = {16, 0, 1, 1024 & 0xff, 1024 >> 8};
    assert_int_equal(state_with(longest, 5 + 1024 * 16, &count), SAMPLES_COMPLETE);
    longest[3]++; // a step more than the longest route has
    assert_int_equal(state_with(longest, sizeof longest, &count), SAMPLES_CORRUPT);
    assert_int_equal(count, 0);
}

// A word more than is known in each row.
static void totals(void **state) {
    (void)state;
    enum { WORDS = 49, ROWS = 2, BYTES = 2 + ROWS * WORDS * 8 };
    uint8_t data[BYTES], *p = bytes_put(data, WORDS, 2);
    for (unsigned i = 0; i < ROWS * WORDS; i++)
        p = bytes_put(p, i % WORDS == 1 ? 3 : 1000 + i, 8); // 1: the context
    size_t count;
    struct samples *s = with(LIVES_TYPE, data, BYTES);
    const struct lifetime *row = results_lifetime(samples_results(s), &count);
    assert_int_equal(count, ROWS);
    assert_true(row[1].place.pc == 1000 + WORDS && row[1].place.context == 3);
    assert_int_equal(row[1].total[TOTAL_FETCHED], 1000 + WORDS + 2);
    assert_int_equal(row[1].total[TOTAL_CONFLICT_SERIAL], 1000 + WORDS + 2 + 45);
    samples_destroy(s);
    static const struct {
        uint16_t words;
        size_t bytes;
    } bad[] = {{WORDS, BYTES - 1}, {WORDS, BYTES - 8}, {47, 2 + 47 * 8}, {0, BYTES}, {WORDS, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bytes_put(data, bad[i].words, 2);
        s = with(LIVES_TYPE, data, bad[i].bytes);
        assert_int_equal(samples_state(s), SAMPLES_CORRUPT);
        results_lifetime(samples_results(s), &count);
        assert_int_equal(count, 0);
        samples_destroy(s);
    }
}

static const char statistics[] =
    "{\"cycles\": 60, \"instructions\": 30, \"from_cycle\": 20, \"from_instruction\": 10, \"profilers\": {\"tags\": "
    "4}, \"edges\": [{\"from_mode\": 3, "
    "\"from_space\": "
    "0, \"to_mode\": 3, \"to_space\": 0, \"taken\": [\"- 80000000 1\", \"80000004 80000010 7\"]}]}";

// Statistics as JSON: rows of files before version 4 that have no others, and nothing of later ones, which have none.
static void statistics_as_rows(void **state) {
    (void)state;
    size_t count;
    for (uint32_t version = 1; version <= 4; version++) {
        assert_int_equal(samples_close(writer(), NULL), 0);
        old_file(path, version, statistics);
        struct samples *s = samples_open(path, NULL);
        assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
        const struct run_totals *run = results_run_totals(samples_results(s));
        const struct jump *jump = results_jump(samples_results(s), &count);
        assert_int_equal(run != NULL, version < 4);
        assert_int_equal(count, version < 4 ? 2 : 0);
        if (run) {
            assert_true(run->cycles == 60 && run->instructions == 30 && run->from_cycle == 20);
            assert_int_equal(run->from_instruction, 10);
            assert_int_equal(results_tag_limit(samples_results(s))->tags, 4);
            assert_true(place_equal(jump[0].from, PLACE_END) && jump[1].executions == 7 && jump[1].to.pc == 0x80000010);
        }
        samples_destroy(s);
    }
}

// A file that a tipoff of then has written, of 4,000 cycles.
static void recorded(void **state) {
    (void)state;
    struct samples *s = samples_open(TIPOFF_ROOT "/tests/unit/samples/version3.tips", NULL);
    assert_non_null(s);
    assert_int_equal(samples_state(s), SAMPLES_COMPLETE);
    assert_int_equal(results_run_totals(samples_results(s))->cycles, 4000);
    size_t count;
    const struct jump *jump = results_jump(samples_results(s), &count);
    assert_int_equal(count, 6);
    assert_int_equal(jump[0].from.pc, 0x1010);            // out of the boot ROM
    assert_null(results_run_outcome(samples_results(s))); // rows since version 4
    samples_destroy(s);
}

// A file of version 3 has its totals as a row, and where they begin as JSON alone: what the row has there is not taken.
static void begin_as_text(void **state) {
    (void)state;
    struct results *r = results_create();
    const struct run_totals row = {.cycles = 60, .instructions = 30, .from_cycle = 999, .from_instruction = 998};
    assert_true(results_add_run_totals(r, &row));
    struct samples_writer *w = writer();
    assert_int_equal(samples_add_results(w, r, 0, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    results_destroy(r);
    old_file(path, 3, "{\"cycles\": 7, \"instructions\": 6, \"from_cycle\": 20, \"from_instruction\": 10}");
    struct samples *s = samples_open(path, NULL);
    const struct run_totals *totals = results_run_totals(samples_results(s));
    assert_true(totals->cycles == 60 && totals->instructions == 30);
    assert_true(totals->from_cycle == 20 && totals->from_instruction == 10);
    samples_destroy(s);
}

static void none(void **state) {
    (void)state;
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_false(results_known(samples_results(s), RESULT_ROUTE) || results_known(samples_results(s), RESULT_LIFETIME));
    samples_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(read_as_rows, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(damaged, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(totals, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(statistics_as_rows, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(begin_as_text, set_up, tear_down),
                                       cmocka_unit_test(recorded),
                                       cmocka_unit_test_setup_teardown(none, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
