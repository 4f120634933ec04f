// The worker data-addresses: which data a sample waits for, by what leaves next and by what the store queue has.
#include "views.h"
#include "workers/data_addresses.h"

extern const struct worker_ops worker_data_addresses;
enum { LOAD = 0x00053503, STORE = 0x00a53023, ADD = 0x00a50533, AMO = 0x00a5352f, FENCE = 0x0ff0000f };
enum { DEVICE = 0x10000000, PLACES = 8 }; // of the store queue
#define LINE (AT + 0x11000)

static struct scene scene;
static struct trace_accesses accesses;
static struct worker_data *out;

static void start(void) {
    scene_start(&scene, &worker_data_addresses);
    memset(&accesses, 0, sizeof accesses);
    scene.view.accesses = &accesses;
    out = worker_data_addresses.data(scene.state);
}

static struct iss_retire step(uint32_t insn, uint64_t address) {
    const uint8_t access = insn == LOAD ? ISS_ACCESS_LOAD : ISS_ACCESS_NONE;
    return (struct iss_retire){
        .pc = AT, .insn = insn, .access = insn == STORE || insn == AMO ? ISS_ACCESS_STORE : access, .address = address};
}

static void leaves(uint64_t cycle, struct iss_retire one) {
    scene_commits(&scene, one);
    assert_int_equal(scene_cycle(&scene, cycle), 0);
}

// A cycle in which nothing leaves the core, but a store the store queue.
static void drains(uint64_t cycle, unsigned kind, uint16_t place) {
    accesses.list[0] = (struct access_event){.kind = (uint8_t)kind, .id = place};
    accesses.count = 1;
    scene.golden.count = 0;
    assert_int_equal(scene_cycle(&scene, cycle), 0);
    accesses.count = 0;
}

static void sample(uint64_t cycle) {
    scene.ops->sample(scene.state, &scene.bundle, cycle, true);
}

// The last one whose instruction has left.
static void is(uint64_t cycle, uint64_t own, uint64_t drain, bool waits) {
    assert_true(out->sample_count);
    const struct sample_data *s = &out->samples[out->sample_count - 1];
    assert_int_equal(s->cycle, cycle);
    assert_int_equal(s->own, own);
    assert_int_equal(s->drain, drain);
    assert_int_equal(s->waits, waits);
}

static void test_own(void **state) {
    (void)state;
    start();
    sample(10);
    scene.ops->sample(scene.state, &scene.bundle, 11, false); // one more trigger of it
    assert_int_equal(out->sample_count, 0);
    leaves(12, step(LOAD, LINE));
    is(10, LINE, 0, false);
    sample(13);
    leaves(14, step(ADD, LINE)); // what it does not access does not count
    is(13, 0, 0, false);
    sample(15);
    leaves(16, step(AMO, LINE + 8));
    is(15, LINE + 8, 0, true);
    struct iss_retire trap = step(LOAD, LINE);
    trap.trap = true;
    sample(17);
    leaves(18, trap);
    is(17, 0, 0, false);
    assert_int_equal(out->sample_count, 4);
    sample(19);
    worker_data_taken(out);
    assert_int_equal(out->sample_count, 0);
    leaves(20, step(LOAD, LINE + 16)); // of the one that waited then
    assert_int_equal(out->sample_count, 1);
    is(19, LINE + 16, 0, false);
    scene_end(&scene);
}

// The oldest committed store is the drain's, wherever it stands in the queue: that is a ring.
static void test_drain(void **state) {
    (void)state;
    start();
    for (unsigned i = 0; i < 2 * PLACES + 1; i++) {
        if (i == 0) drains(0, ACCESS_STORE, UINT16_MAX); // the model reports accesses
        leaves(10 * i, step(STORE, LINE + 64 * i));
        leaves(10 * i + 1, step(STORE, LINE + 64 * i + 8));
        sample(10 * i + 2);
        drains(10 * i + 3, i & 1 ? ACCESS_LOST : ACCESS_STORE, (uint16_t)(2 * i % PLACES));
        sample(10 * i + 4);
        drains(10 * i + 5, ACCESS_STORE, (uint16_t)((2 * i + 1) % PLACES));
        leaves(10 * i + 6, step(FENCE, 0));
        is(10 * i + 4, 0, LINE + 64 * i + 8, true);
        out->sample_count--;
        is(10 * i + 2, 0, LINE + 64 * i, true);
        out->sample_count--;
    }
    sample(1000);
    leaves(1001, step(FENCE, 0));
    is(1000, 0, 0, true);
    scene_end(&scene);
}

// A model that does not report accesses.
static void test_silent(void **state) {
    (void)state;
    start();
    leaves(10, step(STORE, LINE));
    sample(11);
    leaves(12, step(FENCE, 0));
    is(11, 0, 0, true);
    scene_end(&scene);
}

// Nobody says when a device's store has left: neither it nor the one after it is blamed, until something has left that
// can only do so after it.
static void test_devices(void **state) {
    (void)state;
    start();
    drains(9, ACCESS_STORE, UINT16_MAX);
    leaves(10, step(STORE, DEVICE));
    leaves(11, step(STORE, LINE));
    sample(12);
    leaves(13, step(ADD, 0));
    is(12, 0, 0, false);
    leaves(14, step(STORE, LINE + 8));
    drains(15, ACCESS_STORE, 1); // the second
    sample(16);
    leaves(17, step(ADD, 0));
    is(16, 0, LINE + 8, false);
    leaves(18, step(AMO, LINE));
    sample(19);
    leaves(20, step(FENCE, 0));
    is(19, 0, 0, true);
    drains(21, ACCESS_STORE, UINT16_MAX);     // no such place
    for (unsigned i = 0; i < PLACES + 1; i++) // more than there are places: one of a device has left
        leaves(22 + i, step(STORE, i ? LINE + 8 * i : DEVICE));
    sample(40);
    leaves(41, step(ADD, 0));
    is(40, 0, LINE + 8, false);
    scene_end(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own), cmocka_unit_test(test_drain),
                                       cmocka_unit_test(test_silent), cmocka_unit_test(test_devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
