// The timing model of LLC and DRAM against schedules worked out by hand from the rules in memory.h.
#include "harness/memory.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LINE(n) (UINT64_C(0x80000000) + 64 * (uint64_t)(n))

// 64 KiB, 4 ways: 256 sets. LLC hit 10, memory 100, a line every 7 cycles, 2 MSHRs.
static const struct machine_config config = {.name = "hand",
                                             .width = 2,
                                             .llc_kib = 64,
                                             .llc_ways = 4,
                                             .llc_mshrs = 2,
                                             .llc_latency = 10,
                                             .memory_latency = 100,
                                             .memory_cycles_per_line = 7};
static struct memory *m;
static uint64_t cycle;

static int set_up(void **state) {
    (void)state;
    m = memory_create(&config, NULL);
    cycle = 0;
    return m ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    memory_destroy(m);
    return 0;
}

static void tick(void) {
    memory_tick(m);
    cycle++;
}

// The next response of the port must come in cycle `due`, from request `id`.
static void expect(unsigned port, uint64_t due, unsigned id, bool llc_miss) {
    const struct memory_response *r;
    do {
        tick();
        r = memory_response(m, port);
        assert_true(r || cycle < due);
    } while (!r);
    assert_int_equal(cycle, due);
    assert_int_equal(r->id, id);
    assert_int_equal(r->llc_miss, llc_miss);
}

static void advance_to(uint64_t target) {
    while (cycle < target)
        tick();
}

static void test_miss_then_hit(void **state) {
    (void)state;
    memory_read(m, 0, 3, LINE(0));
    expect(0, 110, 3, true); // 0 + 10, DRAM starts; + 100
    memory_read(m, 1, 4, LINE(0));
    expect(1, 120, 4, false); // 110 + 10
    assert_int_equal(memory_counts(m).llc_misses, 1);
    assert_int_equal(memory_counts(m).reads, 2);
}

static void test_bandwidth(void **state) {
    (void)state;
    memory_read(m, 0, 1, LINE(1));
    memory_read(m, 1, 2, LINE(2)); // same cycle: DRAM starts at 10 and at 17
    expect(0, 110, 1, true);
    expect(1, 117, 2, true);
}

static void test_mshrs(void **state) {
    (void)state;
    assert_true(memory_ready(m));
    memory_read(m, 0, 1, LINE(1)); // MSHR until 110
    tick();
    assert_true(memory_ready(m));
    memory_read(m, 1, 2, LINE(2)); // cycle 1: channel free at 17; MSHR until 117
    memory_read(m, 0, 3, LINE(3)); // no MSHR before 110: DRAM starts then; data at 210
    tick();
    assert_false(memory_ready(m));
    advance_to(109);
    assert_false(memory_ready(m));
    expect(0, 110, 1, true);
    assert_false(memory_ready(m)); // the MSHR went to line 3
    advance_to(116);
    assert_false(memory_ready(m));
    tick();
    assert_true(memory_ready(m));
    expect(0, 210, 3, true);
}

static void test_join(void **state) {
    (void)state;
    memory_read(m, 0, 1, LINE(5)); // data at 110
    advance_to(50);
    memory_read(m, 1, 2, LINE(5)); // on its way: the same time
    expect(1, 110, 2, true);
    assert_int_equal(memory_counts(m).dram_lines, 1);
}

static void test_one_response_a_cycle(void **state) {
    (void)state;
    memory_read(m, 1, 7, LINE(5));
    memory_read(m, 1, 8, LINE(5)); // joins: both due at 110
    expect(1, 110, 7, true);
    expect(1, 111, 8, true);
}

static void test_replacement_and_write_back(void **state) {
    (void)state;
    uint64_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    memory_write(m, LINE(0), data); // allocates without a fetch, dirty
    assert_int_equal(memory_counts(m).dram_lines, 0);
    memory_read(m, 0, 1, LINE(0));
    expect(0, 10, 1, false);
    // Four more lines of set 0: the fourth evicts line 0, least recently used and dirty.
    for (unsigned i = 1; i <= 4; i++) {
        uint64_t start = cycle;
        memory_read(m, 0, i, LINE(256 * i));
        expect(0, start + (i < 4 ? 110 : 117), i, true); // the write-back takes the channel first
    }
    assert_int_equal(memory_counts(m).dram_lines, 5);
    uint64_t start = cycle;
    memory_read(m, 0, 9, LINE(0));
    expect(0, start + 110, 9, true);
    assert_memory_equal(memory_response(m, 0)->data, data, sizeof data);
}

// Contents follow the order of acceptance, whatever the latencies.
static void test_order(void **state) {
    (void)state;
    uint64_t first[8] = {11}, second[8] = {22};
    memory_write(m, LINE(9), first);
    memory_read(m, 1, 1, LINE(9));
    memory_write(m, LINE(9), second);
    memory_read(m, 1, 2, LINE(9));
    expect(1, 10, 1, false);
    assert_int_equal(memory_response(m, 1)->data[0], 11);
    expect(1, 11, 2, false);
    assert_int_equal(memory_response(m, 1)->data[0], 22);
}

static void test_boot_rom(void **state) {
    (void)state;
    memset(memory_at(m, 0x1040, 64), 0x5a, 64);
    memory_read(m, 0, 1, 0x1040);
    expect(0, 10, 1, false);
    assert_int_equal(memory_response(m, 0)->data[7], 0x5a5a5a5a5a5a5a5a);
    assert_null(memory_at(m, 0x1ff8, 16));
    assert_null(memory_at(m, 0x90000000 - 8, 16));
    assert_non_null(memory_at(m, 0x90000000 - 8, 8));
    assert_null(memory_at(m, 0, 1));
    assert_null(memory_at(m, 0x80000000, SIZE_MAX));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_miss_then_hit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bandwidth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mshrs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_join, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_response_a_cycle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replacement_and_write_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_boot_rom, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
