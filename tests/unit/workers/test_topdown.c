// Top-down's own count of the slots beside the core's counters: right ones, wrong ones, and those that it has no say
// in; over a region, too. Expected numbers are counted on paper.
#include "events.h"
#include "results.h"
#include "tests/unit/workers/views.h"
#include <errno.h>

extern const struct worker_ops worker_topdown;

static int counter(struct scene *s, bool read, uint64_t cycle, uint64_t select, uint64_t value) {
    const struct counter_event event = {.read = read, .number = 6, .cycle = cycle, .select = select, .value = value};
    s->err.text[0] = '\0';
    return s->ops->counter(s->state, &event, &s->err);
}

// Ten cycles without an instruction, five in which the oldest load stalls with nothing after it, three in which both
// slots dispatch, one of an exception, one in which both slots dispatch again.
static void pass(struct scene *s) {
    enum { LD = 0x0005b503 };
    s->view.count = 10;
    s->bundle = (struct commit_bundle){.rob_empty = true};
    assert_int_equal(scene_cycle(s, 0), 0);
    s->view.count = 5;
    s->bundle = (struct commit_bundle){.valid = 1, .insn = {LD}};
    assert_int_equal(scene_cycle(s, 10), 0);
    s->view.count = 3;
    s->bundle = (struct commit_bundle){.valid = 1, .commit = 1, .first = 1, .dispatch_valid = 3};
    assert_int_equal(scene_cycle(s, 15), 0);
    s->view.count = 1;
    s->bundle = (struct commit_bundle){.valid = 1, .exception = true, .redirect = true};
    assert_int_equal(scene_cycle(s, 18), 0);
    s->bundle = (struct commit_bundle){.rob_empty = true, .dispatch_valid = 3};
    assert_int_equal(scene_cycle(s, 19), 0);
}

static void test_compared(void **unused) {
    static const struct {
        unsigned event;
        uint64_t expected;
    } rows[] = {{PMU_EVENT_CYCLES, 20},         {PMU_EVENT_INSTRUCTIONS, 3},    {PMU_EVENT_DISPATCHED, 8},
                {PMU_EVENT_FETCH_LATENCY, 20},  {PMU_EVENT_FETCH_BANDWIDTH, 0}, {PMU_EVENT_MEMORY_BOUND, 10},
                {PMU_EVENT_RECOVERY_BRANCH, 0}, {PMU_EVENT_RECOVERY_CLEAR, 2},  {PMU_EVENT_BRANCH_REDIRECTS, 0},
                {PMU_EVENT_CLEARS, 1}};
    const struct trace_signals signals = {0};
    char text[64] = "";
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_topdown);
    s.view.signals = &signals;
    assert_int_equal(counter(&s, true, 0, PMU_EVENT_CYCLES, 7), 0); // was not set off
    worker_topdown.checked(s.state, text, sizeof text);
    assert_string_equal(text, "");
    pass(&s);
    assert_int_equal(counter(&s, false, 20, PMU_EVENT_CYCLES, 0), 0);
    pass(&s);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(counter(&s, true, 40, rows[i].event, rows[i].expected), 0);
        assert_int_equal(counter(&s, true, 40, rows[i].event, rows[i].expected + 1), -EBADMSG);
    }
    assert_string_equal(s.err.text, "topdown: cycle 40: --count, CLEARS: expected 1, got 2");
    assert_int_equal(counter(&s, true, 40, PMU_EVENT_FLUSHES, 5), 0);                    // not its business
    assert_int_equal(counter(&s, true, 40, UINT64_C(1) << 62 | PMU_EVENT_CYCLES, 5), 0); // nor modes
    worker_topdown.checked(s.state, text, sizeof text);
    assert_string_equal(text, "20 counts against topdown");
    scene_end(&s);
}

// What is measured ends before the counters are read.
static void test_region(void **unused) {
    const struct trace_signals signals = {0};
    struct scene s;
    (void)unused;
    scene_start(&s, &worker_topdown);
    s.view.signals = &signals;
    pass(&s);
    assert_int_equal(worker_topdown.begin(s.state, 20, &s.err), 0);
    assert_int_equal(counter(&s, false, 20, PMU_EVENT_CYCLES, 0), 0);
    pass(&s);
    assert_int_equal(worker_topdown.end(s.state, 40, &s.err), 0);
    pass(&s);
    assert_int_equal(counter(&s, true, 60, PMU_EVENT_CYCLES, 40), 0);
    struct results *results = results_create();
    assert_true(worker_topdown.publish(s.state, results));
    assert_int_equal(results_slot_uses(results)->slots, 40);
    results_destroy(results);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compared), cmocka_unit_test(test_region)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
