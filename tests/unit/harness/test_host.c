// The host of a simulated machine: its stages, whatever the program ends by, and the stores that its end has left.
#include "harness/host.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/base/program_image.h"

#define TOHOST UINT64_C(0x80001000)
enum { NOP = 0x13 };

// As a checkpoint has it, whose program has the word TOHOST; loads: its own code is still to run.
static struct host *make(bool loads) {
    static const uint32_t code[] = {NOP};
    static const struct host_roots roots;
    struct error err = {""};
    struct htif from;
    struct image *image = program_image(code, sizeof code);
    struct host *h = host_create(NULL, &roots, NULL, &err);
    assert_non_null(h);
    htif_reset(&from, TOHOST, TOHOST + 8, NULL, NULL);
    assert_int_equal(host_find(h, image, DRAM_BYTES, &from, loads, &err), 0);
    image_destroy(image);
    assert_true(host_tohost(h) == TOHOST && host_stage(h) == (loads ? HOST_LOADS : HOST_SERVES));
    return h;
}

static void test_exit(void **state) {
    (void)state;
    struct host *h = make(false);
    assert_false(host_tick(h, 1) || host_exited(h));
    assert_false(host_store(h, TOHOST + 64, 8, 7, 2)); // not its word
    assert_true(host_store(h, TOHOST, 8, 3 << 1 | 1, 3));
    assert_true(host_stage(h) == HOST_EXITED && host_exited(h) && host_code(h) == 3);
    assert_true(host_tick(h, 4)); // still
    host_destroy(h);
}

// Half a command waits for HTIF_PATIENCE cycles, which count from the program's first instruction on.
static void test_loads(void **state) {
    (void)state;
    struct host *h = make(true);
    assert_false(host_store(h, TOHOST, 4, 1, 0));
    assert_false(host_tick(h, 10 * HTIF_PATIENCE));
    host_begin(h, 20 * HTIF_PATIENCE);
    assert_int_equal(host_stage(h), HOST_SERVES);
    assert_false(host_tick(h, 21 * HTIF_PATIENCE - 1));
    assert_true(host_tick(h, 21 * HTIF_PATIENCE));
    assert_true(host_exited(h) && host_code(h) == 0);
    host_destroy(h);
}

static void test_refused(void **state) {
    (void)state;
    struct error err = {""};
    struct host *h = make(false);
    assert_true(host_store(h, TOHOST, 8, UINT64_C(9) << 56, 5));
    assert_true(host_stage(h) == HOST_REFUSED && !host_exited(h));
    host_refusal(h, "prog", &err);
    assert_non_null(strstr(err.text, "prog: stored 0x0900000000000000 to tohost: HTIF device 9"));
    assert_true(host_power(h, &(struct finisher){.ended = true})); // too late
    assert_int_equal(host_stage(h), HOST_REFUSED);
    host_destroy(h);
}

static void test_power(void **state) {
    (void)state;
    struct host *h = make(false);
    assert_false(host_power(h, &(struct finisher){0}));
    assert_true(host_power(h, &(struct finisher){.ended = true, .status = 5}));
    assert_true(host_stage(h) == HOST_EXITED && host_code(h) == 5);
    host_destroy(h);
    h = make(false);
    assert_true(host_power(h, &(struct finisher){.ended = true, .reset = true}));
    assert_true(host_stage(h) == HOST_RESET && !host_exited(h));
    host_destroy(h);
}

// It takes the command from memory, and leaves 0 there; of a cached word the cache has the value.
static void test_access(void **state) {
    (void)state;
    struct host *h = make(false);
    uint64_t addr = 0, memory = UINT64_C(0x101) << 48 | 'x', word = 1;
    assert_false(host_wants(h, &addr));
    assert_false(host_store(h, TOHOST, 8, memory, 5)); // prints an x, to nowhere
    assert_true(host_wants(h, &addr) && addr == TOHOST);
    assert_true(host_access(h, &memory, false, &word));
    assert_true(memory == 0 && word == 0);
    host_destroy(h);
}

// ---- what the end has left ----
static struct {
    unsigned left, ran, fails; // stores; cycles; the cycle in which the model fails
} queue;

static int stores_left(struct model *m, uint64_t last, int *head) {
    (void)m;
    assert_true(last == TOHOST);
    *head = (int)queue.left;
    return (int)queue.left;
}
static uint64_t run(struct model *m, uint64_t cycles, const volatile int *stop) {
    (void)m;
    (void)stop;
    queue.ran += (unsigned)cycles;
    if (queue.ran % 3 == 0 && queue.left) queue.left--; // each takes three
    return cycles;
}
static bool failed(const struct model *m) {
    (void)m;
    return queue.fails && queue.ran >= queue.fails;
}
static const struct model_api api = {.run = run, .failed = failed, .stores_left = stores_left};

static void test_settles(void **state) {
    (void)state;
    struct host *h = make(false);
    assert_true(host_store(h, TOHOST, 8, 1, 3));
    queue.left = 4, queue.ran = queue.fails = 0;
    assert_true(host_settle(h, &api, NULL));
    assert_int_equal(queue.ran, 12);
    assert_true(host_stage(h) == HOST_SETTLES && host_exited(h));
    assert_false(host_store(h, TOHOST, 8, 9, 4)); // a store after the end ends nothing
    assert_int_equal(host_code(h), 0);
    queue.left = 2, queue.ran = 0, queue.fails = 2;
    assert_false(host_settle(h, &api, NULL));
    host_destroy(h);
}

static void test_input(void **state) {
    (void)state;
    static const struct host_roots roots;
    struct error err = {""};
    assert_null(host_create(NULL, &roots, "/nonexistent/input", &err));
    assert_non_null(strstr(err.text, "/nonexistent/input"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exit),    cmocka_unit_test(test_loads),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_power),
                                       cmocka_unit_test(test_access),  cmocka_unit_test(test_settles),
                                       cmocka_unit_test(test_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
