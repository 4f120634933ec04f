// FR-FCFS and DDR3 timing against schedules worked out by hand from the rules in dram.h.
//
// In most tests the core runs at twice the memory clock. tRCD 10, tRP 12, tCAS 14 clocks and 4 clocks a line; what is
// on the bus up to clock n is at the last-level cache in core cycle 2 n + 6.
#include "harness/dram.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BANKS 8 // of both ranks; a row holds 4 lines
enum { CORE_MHZ = 2000 };
static const struct dram_config usual = {.mhz = 1000,
                                         .mb_per_s = 16000,
                                         .ranks = 2,
                                         .banks = 4,
                                         .row_bytes = 256,
                                         .tcas = 14,
                                         .trcd = 10,
                                         .trp = 12,
                                         .rank_switch = 2,
                                         .age_limit = 1000,
                                         .write_queue = 4,
                                         .latency = 6};
static struct dram *d;
static uint64_t cycle;

static void start(const struct dram_config *config, uint32_t core_mhz) {
    dram_destroy(d);
    d = dram_create(config, core_mhz, 32, NULL);
    assert_non_null(d);
    cycle = 0;
}

static int set_up(void **state) {
    (void)state;
    start(&usual, CORE_MHZ);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    dram_destroy(d);
    d = NULL;
    return 0;
}

// The number that the mapping of dram.h gives to a line of a row of a bank. Rows of one bank lie BANKS rows apart, but
// for the exclusive-or.
static uint64_t line_of(uint64_t row, uint64_t bank, uint64_t column) {
    return (row * BANKS + (bank ^ row % BANKS)) * 4 + column;
}

static void request(uint64_t row, uint64_t bank, uint64_t column, uint32_t tag) {
    dram_request(d, cycle, line_of(row, bank, column), false, tag);
}

// The next read whose time becomes known must be `tag`, and arrive in core cycle `due`.
static void expect(uint32_t tag, uint64_t due) {
    struct dram_done done;
    while (!dram_step(d, cycle, &done)) {
        cycle++;
        assert_true(cycle < due);
    }
    assert_int_equal(done.tag, tag);
    assert_int_equal(done.cycle, due);
}

static void advance_to(uint64_t target) {
    struct dram_done done;
    for (; cycle < target; cycle++)
        assert_false(dram_step(d, cycle, &done));
}

static void expect_rows(uint64_t hits, uint64_t misses, uint64_t conflicts) {
    assert_int_equal(dram_counts(d).row_hits, hits);
    assert_int_equal(dram_counts(d).row_misses, misses);
    assert_int_equal(dram_counts(d).row_conflicts, conflicts);
}

static void test_row_miss(void **state) {
    (void)state;
    assert_true(dram_next(d) == UINT64_MAX);
    request(3, 1, 0, 7);
    assert_int_equal(dram_next(d), 0);
    expect(7, 62); // activate 0, column 10, data 24 to 28
    assert_true(dram_next(d) == UINT64_MAX);
    expect_rows(0, 1, 0);
    assert_int_equal(dram_counts(d).reads, 1);
}

static void test_row_hit(void **state) {
    (void)state;
    request(3, 1, 0, 1);
    expect(1, 62);
    advance_to(62);
    request(3, 1, 2, 2);
    expect(2, 104); // clock 31: column; data 45 to 49
    expect_rows(1, 1, 0);
}

static void test_row_conflict(void **state) {
    (void)state;
    request(3, 1, 0, 1);
    expect(1, 62);
    advance_to(62);
    request(4, 1, 0, 2);
    expect(2, 148); // clock 31: precharge; activate 43, column 53, data 67 to 71
    expect_rows(0, 1, 1);
}

// The precharge waits until the data of the row has passed.
static void test_conflict_waits_for_data(void **state) {
    (void)state;
    request(0, 0, 0, 1);
    request(1, 0, 0, 2);
    expect(1, 62);
    expect(2, 142); // precharge 28, activate 40, column 50, data 64 to 68
    expect_rows(0, 1, 1);
}

static void test_banks_work_side_by_side(void **state) {
    (void)state;
    request(0, 0, 0, 1);
    request(0, 1, 0, 2); // activate 1; column 14, so that its data follows the first one's: 28 to 32
    expect(1, 62);
    expect(2, 70);
    expect_rows(0, 2, 0);
}

static void test_rank_switch(void **state) {
    (void)state;
    request(0, 0, 0, 1);
    request(0, 4, 0, 2); // the other rank: the bus rests for 2 clocks: data 30 to 34
    request(0, 4, 1, 3); // the same rank again: 34 to 38
    expect(1, 62);
    expect(2, 74);
    expect(3, 82);
}

static void test_row_hit_goes_first(void **state) {
    (void)state;
    request(0, 0, 0, 1);
    request(1, 0, 0, 2);
    cycle = 2;
    request(0, 0, 1, 3);
    expect(1, 62);
    expect(3, 70);  // column 14, data 28 to 32
    expect(2, 150); // precharge 32, activate 44, column 54, data 68 to 72
    expect_rows(1, 1, 1);
}

static void test_age_limit(void **state) {
    (void)state;
    struct dram_config config = usual;
    config.age_limit = 20;
    start(&config, CORE_MHZ);
    request(0, 0, 0, 1);
    request(1, 0, 0, 2);
    for (uint32_t i = 1; i <= 3; i++)
        request(0, 0, i, 2 + i);
    expect(1, 62);  // column 10
    expect(3, 70);  // column 14
    expect(4, 78);  // column 18, data 32 to 36; from clock 20 on the other row goes first
    expect(2, 158); // precharge 36, activate 48, column 58, data 72 to 76
    expect(5, 238); // precharge 76, activate 88, column 98, data 112 to 116
    expect_rows(2, 1, 2);
}

static void test_first_come_first_served(void **state) {
    (void)state;
    struct dram_config config = usual;
    config.age_limit = 0;
    start(&config, CORE_MHZ);
    request(0, 0, 0, 1);
    request(1, 0, 0, 2);
    request(0, 0, 1, 3);
    expect(1, 62);
    expect(2, 142); // as in test_conflict_waits_for_data
    expect(3, 222); // precharge 68, activate 80, column 90, data 104 to 108
}

// 16 lines of four open rows: the data bus is never idle.
static void test_bandwidth(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 16; i++)
        request(0, i / 4, i % 4, i);
    for (uint32_t i = 0; i < 16; i++)
        expect(i, 2 * (28 + 4 * i) + 6);
    expect_rows(12, 4, 0);
}

// 25.6 GB/s at 1 GHz: 2.5 clocks a line, 5 core cycles; nothing is lost to whole clocks.
static void test_bandwidth_of_half_clocks(void **state) {
    (void)state;
    struct dram_config config = usual;
    config.mb_per_s = 25600;
    start(&config, CORE_MHZ);
    for (uint32_t i = 0; i < 16; i++)
        request(0, i / 4, i % 4, i);
    for (uint32_t i = 0; i < 16; i++)
        expect(i, 48 + 5 * (i + 1) + 6);
}

// 3.2 core cycles a clock: everything is rounded up to whole core cycles, at the end only.
static void test_clock_ratio(void **state) {
    (void)state;
    start(&usual, 3200);
    request(0, 0, 0, 1);
    expect(1, 96); // clock 28 is core cycle 89.6: 90 + 6
    advance_to(97);
    request(0, 0, 1, 2); // core cycle 97 is clock 30.3: column 31, data to 49, core cycle 156.8
    expect(2, 163);
}

static void test_writes(void **state) {
    (void)state;
    struct dram_config config = usual;
    config.write_queue = 2;
    start(&config, CORE_MHZ);
    dram_request(d, 0, line_of(0, 0, 0), true, 0);
    assert_false(dram_full(d));
    dram_request(d, 0, line_of(0, 0, 1), true, 0);
    assert_true(dram_full(d));
    request(0, 0, 2, 9);
    advance_to(20);
    assert_true(dram_full(d));
    expect(9, 78); // activate 0, columns 10, 14, 18, data of the third 32 to 36
    assert_false(dram_full(d));
    assert_int_equal(dram_counts(d).writes, 2);
    expect_rows(2, 1, 0);
}

// Steps only when dram_next asks for one do the same as steps in every cycle.
static void test_next(void **state) {
    (void)state;
    enum { REQUESTS = 400 };
    static uint64_t due[2][REQUESTS];
    struct dram_config config = usual;
    config.age_limit = 40;
    config.mb_per_s = 25600;
    for (int lazy = 0; lazy < 2; lazy++) {
        start(&config, 3200);
        uint64_t random = 88172645463325252u;
        uint32_t sent = 0, done = 0, steps = 0;
        for (cycle = 0; done < REQUESTS && cycle < 100000; cycle++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            bool send = random % 16 == 0 && sent < REQUESTS && sent - done < 20;
            if (send) request(random >> 8 & 3, random >> 16 & 7, random >> 24 & 3, sent++);
            struct dram_done result;
            if (lazy && dram_next(d) > cycle) continue;
            for (steps++; dram_step(d, cycle, &result); done++)
                due[lazy][result.tag] = result.cycle;
        }
        assert_int_equal(done, REQUESTS);
        if (lazy) assert_true(steps < cycle / 2);
    }
    assert_memory_equal(due[0], due[1], sizeof due[0]);
    assert_true(dram_counts(d).row_hits > 0 && dram_counts(d).row_conflicts > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_row_miss, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_hit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_conflict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_conflict_waits_for_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_banks_work_side_by_side, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rank_switch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_row_hit_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_age_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_first_come_first_served, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bandwidth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bandwidth_of_half_clocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clock_ratio, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_writes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_next, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
