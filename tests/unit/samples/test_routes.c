// Ways to sampled instructions in sample files: what is written is read back, over the bounds of blocks; what is
// damaged is told; what a later version adds is passed over.
#include "base/bytes.h"
#include "base/container.h"
#include "samples/samples.h"
#include "tests/unit/samples/scratch_file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROUTES = 3000, LONGEST = 40, ROUTES_TYPE = 37 };
static void round_trip(void **state) {
    (void)state;
    static struct route list[ROUTES];
    struct route_step *steps = calloc((size_t)ROUTES * LONGEST, sizeof *steps);
    struct routes routes = {.steps = steps, .list = list, .count = ROUTES};
    assert_non_null(steps);
    for (size_t i = 0; i < ROUTES; i++) {
        list[i] = (struct route){routes.step_count, (uint32_t)(i % LONGEST), i % 7 != 0};
        for (size_t k = 0; k < list[i].count; k++)
            steps[routes.step_count++] = (struct route_step){UINT64_MAX - i, 1000 * i + k};
    }
    struct samples_writer *w = writer();
    assert_int_equal(samples_add_routes(w, &routes, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    struct samples *s = samples_open(path, NULL);
    const struct routes *r = samples_routes(s);
    assert_non_null(r);
    assert_int_equal(r->count, ROUTES);
    for (size_t i = 0; i < ROUTES; i++) {
        assert_int_equal(r->list[i].known, list[i].known);
        assert_int_equal(r->list[i].count, list[i].count);
        assert_memory_equal(r->steps + r->list[i].first, steps + list[i].first, list[i].count * sizeof *steps);
    }
    samples_destroy(s);
    free(steps);
}

// A file with one block of routes, and what becomes of it.
static enum samples_state state_with(const uint8_t *data, size_t bytes, size_t *count) {
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct container_reader *r = container_open(path, "samples", 1, 3, NULL);
    const uint8_t *json;
    uint32_t type;
    size_t size;
    assert_int_equal(container_next(r, &type, &json, &size, NULL), CONTAINER_BLOCK);
    char *header = strndup((const char *)json, size);
    container_destroy(r);
    struct container_writer *w = container_create(path, "samples", 2, header, NULL);
    free(header);
    assert_int_equal(container_write(w, ROUTES_TYPE, data, bytes, NULL), 0);
    assert_int_equal(container_close(w, NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_non_null(s);
    const enum samples_state state = samples_state(s);
    *count = samples_routes(s) ? samples_routes(s)->count : 0;
    samples_destroy(s);
    return state;
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
}

static void none(void **state) {
    (void)state;
    assert_int_equal(samples_close(writer(), NULL), 0);
    struct samples *s = samples_open(path, NULL);
    assert_null(samples_routes(s));
    samples_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(round_trip, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(damaged, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(none, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
