// What a coherent hart's counters have to count, of messages and cycles made by hand: expected numbers are counted on
// paper.
#include "events.h"
#include "records.h"
#include "tests/unit/workers/views.h"
#include "workers/hub_tally.h"

enum { M = 1 << MODE_MACHINE, U = 1 << MODE_USER };

struct cycles {
    struct hub_tally tally;
    struct commit_bundle bundle;
    struct trace_accesses accesses;
    struct worker_view view;
};

static void begin(struct cycles *c) {
    *c = (struct cycles){.tally = {.coherent = true, .vectors = true}};
    c->view = (struct worker_view){.bundle = &c->bundle, .accesses = &c->accesses};
}

static void pass(struct cycles *c, uint64_t cycle, uint64_t count, unsigned mode) {
    c->view.cycle = cycle;
    c->view.count = count;
    assert_true(hub_tally_cycle(&c->tally, &c->view, mode));
    c->bundle = (struct commit_bundle){0};
    c->accesses = (struct trace_accesses){0};
}

static void line(struct cycles *c, enum access_kind kind, bool read) {
    c->accesses.list[c->accesses.count++] = (struct access_event){.kind = (uint8_t)kind, .id = read};
}

// What the core is seen to do, or to be sent, in that cycle.
static void asks(struct cycles *c, uint64_t cycle, unsigned id, bool prefetch) {
    assert_true(hub_tally_memory(
        &c->tally, &(struct memory_event){.kind = MEMORY_READ, .tick = cycle + 1, .id = id, .prefetch = prefetch}));
}
static void answered(struct cycles *c, uint64_t cycle, unsigned id, bool refused) {
    assert_true(hub_tally_memory(
        &c->tally, &(struct memory_event){.kind = MEMORY_RESPONSE, .tick = cycle, .id = id, .refused = refused}));
}
static void snoop(struct cycles *c, uint64_t cycle) {
    assert_true(hub_tally_memory(&c->tally, &(struct memory_event){.kind = MEMORY_SNOOP, .tick = cycle}));
}
static void snooped(struct cycles *c, uint64_t cycle, bool found) {
    assert_true(
        hub_tally_memory(&c->tally, &(struct memory_event){.kind = MEMORY_SNOOPED, .tick = cycle + 1, .found = found}));
}

#define tallied(c, event, modes, cycle, expected)                                                                      \
    assert_int_equal(hub_tally_up_to(&(c)->tally, PMU_EVENT_##event, modes, cycle), expected)

// Some come before the view of their cycle, some after it; equal cycles are shown late.
static void test_messages(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    snoop(&c, 1);
    pass(&c, 0, 1, MODE_MACHINE);
    pass(&c, 1, 1, MODE_MACHINE);
    snooped(&c, 1, true);
    snoop(&c, 4);
    snooped(&c, 6, false);
    snoop(&c, 12);
    snooped(&c, 12, true);
    pass(&c, 2, 10, MODE_USER); // up to 11
    tallied(&c, SNOOPS, M, 1, 1);
    tallied(&c, SNOOPS_HIT, M, 0, 0);
    tallied(&c, SNOOPS_HIT, M, 1, 1);
    tallied(&c, SNOOPS, U, 3, 0);
    tallied(&c, SNOOPS, U, 4, 1);
    tallied(&c, SNOOPS, U, 11, 1);
    tallied(&c, SNOOPS_HIT, U, 11, 0);
    for (uint64_t cycle = 12; cycle < 20; cycle++)
        pass(&c, cycle, 1, MODE_USER);
    tallied(&c, SNOOPS, U, 19, 2);
    tallied(&c, SNOOPS, M | U, 19, 3);
    tallied(&c, SNOOPS_HIT, U, 19, 1);
    tallied(&c, CYCLES, M | U, 19, 0); // not one of these
    assert_int_equal(hub_tally_up_to(&c.tally, 255, M | U, 19), 0);
    assert_int_equal(c.tally.count, 0); // nothing is kept
    hub_tally_free(&c.tally);
}

// From the cycle after a request up to that of its answer, where nothing commits; not for a prefetch.
static void test_waits(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    asks(&c, 2, 3, false);
    asks(&c, 4, 7, true);
    asks(&c, 6, 0, false);
    answered(&c, 9, 3, false);
    answered(&c, 12, 7, true);
    answered(&c, 14, 0, false);
    answered(&c, 20, 5, true);
    pass(&c, 0, 8, MODE_USER); // 3 to 7
    c.bundle.commit = 1;
    pass(&c, 8, 1, MODE_USER);     // commits
    pass(&c, 9, 10, MODE_MACHINE); // 9 to 14
    tallied(&c, HUB_WAITS, U, 8, 5);
    tallied(&c, HUB_WAITS, U, 4, 2);
    tallied(&c, HUB_WAITS, M, 11, 3);
    tallied(&c, HUB_WAITS, M, 18, 6);
    tallied(&c, PREFETCHES_REFUSED, M, 18, 1);
    for (uint64_t cycle = 19; cycle < 30; cycle++)
        pass(&c, cycle, 1, MODE_MACHINE);
    tallied(&c, HUB_WAITS, M | U, 29, 11);
    tallied(&c, PREFETCHES_REFUSED, M, 29, 2);
    hub_tally_free(&c.tally);
}

// A line that goes for another one is neither lost nor asked for again.
static void test_lines(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    line(&c, ACCESS_LINE_LOST, true);
    line(&c, ACCESS_LINE_OWNED, true);
    pass(&c, 0, 1, MODE_USER);
    line(&c, ACCESS_LINE_LOST, true); // by a snoop: the hub hears of it in the next cycle
    pass(&c, 1, 1, MODE_USER);
    tallied(&c, LINES_LOST, M | U, 1, 0);
    pass(&c, 2, 1, MODE_MACHINE);
    line(&c, ACCESS_LINE_LOST, false); // its own
    pass(&c, 3, 1, MODE_USER);
    line(&c, ACCESS_LINE_SHARED, true);
    pass(&c, 4, 1, MODE_USER);
    tallied(&c, LINES_LOST, U, 4, 0);
    tallied(&c, LINES_LOST, M, 4, 1);
    tallied(&c, UPGRADES, U, 4, 1);
    tallied(&c, UPGRADES, U, 2, 0);
    hub_tally_free(&c.tally);
}

static void replays(struct cycles *c, uint64_t cycle, bool replay, unsigned psv) {
    c->bundle = (struct commit_bundle){.exception = true, .replay = replay, .exception_psv = (uint16_t)psv};
    pass(c, cycle, 1, MODE_USER);
}

static void test_replays(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    replays(&c, 0, true, 1 << EVENT_FL_MO | 1 << EVENT_ST_L1);
    replays(&c, 1, true, 1 << EVENT_FL_MO | 1 << EVENT_FL_COH);
    replays(&c, 2, true, 1 << EVENT_FL_MO | 1 << EVENT_FL_COH);
    for (uint64_t cycle = 3; cycle < 6; cycle++)
        replays(&c, cycle, true, 1 << EVENT_ST_TLB);
    replays(&c, 6, false, 1 << EVENT_FL_EX); // a trap
    tallied(&c, REPLAYS_ORDER, U, 6, 1);
    tallied(&c, REPLAYS_SNOOP, U, 6, 2);
    tallied(&c, REPLAYS_PAGE, U, 6, 3);
    tallied(&c, REPLAYS_PAGE, U, 4, 2);
    c.tally.vectors = false; // then the kind is not known
    replays(&c, 7, true, 0);
    tallied(&c, REPLAYS_PAGE, U, 7, 3);
    hub_tally_free(&c.tally);
}

static void test_alone(void **unused) {
    struct cycles c;
    (void)unused;
    begin(&c);
    c.tally.coherent = false;
    asks(&c, 0, 0, false); // of memory
    replays(&c, 1, true, 1 << EVENT_FL_MO);
    pass(&c, 2, 100, MODE_USER);
    tallied(&c, HUB_WAITS, U, 101, 0);
    tallied(&c, REPLAYS_ORDER, U, 101, 0);
    assert_null(c.tally.list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages), cmocka_unit_test(test_waits),
                                       cmocka_unit_test(test_lines), cmocka_unit_test(test_replays),
                                       cmocka_unit_test(test_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
