// The timing model of L2, LLC and DRAM against schedules worked out by hand from the rules in memory.h.
#include "harness/memory.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LINE(n) (UINT64_C(0x80000000) + 64 * (uint64_t)(n))

// Two core cycles a memory clock. A line that DRAM has on its bus up to clock n is at the LLC in cycle 2 n + 6; a burst
// takes 4 clocks, tRCD 10, tRP 12, tCAS 14.
#define DRAM_OF(writes)                                                                                                \
    {                                                                                                                  \
        .mhz = 1000, .mb_per_s = 16000, .ranks = 1, .banks = 8, .row_bytes = 8192, .tcas = 14, .trcd = 10, .trp = 12,  \
        .age_limit = 1000, .write_queue = (writes), .latency = 6                                                       \
    }
// 64 KiB, 4 ways: 256 sets.
#define LLC                                                                                                            \
    { .kib = 64, .ways = 4, .mshrs = 2, .latency = 10 }
static const struct machine_config config = {
    .name = "hand", .width = 2, .clock_mhz = 2000, .llc = LLC, .dram = DRAM_OF(8)};
static const struct machine_config with_l2 = {.name = "l2",
                                              .width = 2,
                                              .clock_mhz = 2000,
                                              .l2 = {.kib = 8, .ways = 2, .mshrs = 2, .latency = 4}, // 64 sets
                                              .llc = LLC,
                                              .dram = DRAM_OF(8)};
static const struct machine_config one_write = {
    .name = "one write", .width = 2, .clock_mhz = 2000, .llc = LLC, .dram = DRAM_OF(1)};
static struct memory *m;
static uint64_t cycle;

static int set_up(void **state) {
    m = memory_create(*state ? *state : &config, DRAM_BYTES, NULL, NULL);
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
    expect(0, 72, 3, true); // DRAM from 10, clock 5: activate 5, column 15, data 29 to 33
    memory_read(m, 1, 4, LINE(0));
    expect(1, 82, 4, false); // 72 + 10
    assert_int_equal(memory_counts(m).llc.misses, 1);
    assert_int_equal(memory_counts(m).reads, 2);
    assert_int_equal(memory_counts(m).dram.row_misses, 1);
}

static void test_bandwidth(void **state) {
    (void)state;
    memory_read(m, 0, 1, LINE(1));
    memory_read(m, 1, 2, LINE(2)); // same cycle, same row: the data follows at once, 33 to 37
    expect(0, 72, 1, true);
    expect(1, 80, 2, true);
    assert_int_equal(memory_counts(m).dram.row_hits, 1);
}

static void test_mshrs(void **state) {
    (void)state;
    assert_true(memory_ready(m));
    memory_read(m, 0, 1, LINE(1)); // MSHR until 72
    tick();
    assert_true(memory_ready(m));
    memory_read(m, 1, 2, LINE(2)); // cycle 1: DRAM from 11, clock 6; column 19, data 33 to 37: MSHR until 80
    memory_read(m, 0, 3, LINE(3)); // no MSHR before 72: DRAM from 82, clock 41: column 41, data 55 to 59
    tick();
    assert_false(memory_ready(m));
    advance_to(71);
    assert_false(memory_ready(m));
    expect(0, 72, 1, true);
    assert_false(memory_ready(m)); // the MSHR went to line 3
    advance_to(79);
    assert_false(memory_ready(m));
    expect(1, 80, 2, true);
    assert_true(memory_ready(m));
    expect(0, 124, 3, true);
}

static void test_join(void **state) {
    (void)state;
    memory_read(m, 0, 1, LINE(5)); // data at 72
    advance_to(50);
    memory_read(m, 1, 2, LINE(5)); // on its way: the same time
    advance_to(70);
    memory_read(m, 0, 3, LINE(5)); // on its way, but not before 70 + 10
    expect(1, 72, 2, true);
    expect(0, 80, 3, true);
    assert_int_equal(memory_counts(m).dram.reads, 1);
    assert_int_equal(memory_counts(m).llc.misses, 3);
}

static void test_one_response_a_cycle(void **state) {
    (void)state;
    memory_read(m, 1, 7, LINE(5));
    memory_read(m, 1, 8, LINE(5)); // joins: both due at 72
    expect(1, 72, 7, true);
    expect(1, 73, 8, true);
    tick();
    assert_null(memory_response(m, 1));
}

static void test_replacement_and_write_back(void **state) {
    (void)state;
    uint64_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    memory_write(m, LINE(0), data); // allocates without a fetch, dirty
    memory_read(m, 0, 1, LINE(0));
    expect(0, 10, 1, false);
    // Four more lines of set 0: the fourth evicts line 0, least recently used and dirty.
    for (unsigned i = 1; i <= 4; i++) {
        memory_read(m, 0, i, LINE(256 * i));
        advance_to(100 + 100 * i); // the response has come and gone
        assert_int_equal(memory_counts(m).dram.reads, i);
        assert_int_equal(memory_counts(m).dram.writes, i == 4);
    }
    memory_read(m, 0, 9, LINE(256 * 4));
    expect(0, 510, 9, false);
    memory_read(m, 0, 9, LINE(0));
    do
        tick();
    while (!memory_response(m, 0));
    assert_true(memory_response(m, 0)->llc_miss);
    assert_memory_equal(memory_response(m, 0)->data, data, sizeof data);
    assert_int_equal(memory_counts(m).dram.reads, 5);
}

// A dirty victim fills the write queue: nobody may ask until its column command has left.
static void test_write_queue(void **state) {
    (void)state;
    uint64_t data[8] = {1};
    for (unsigned i = 0; i < 4; i++)
        memory_write(m, LINE(256 * i), data);
    assert_true(memory_ready(m));
    memory_write(m, LINE(256 * 4), data);
    memory_read(m, 0, 1, LINE(256 * 4)); // in the LLC, but it has to wait
    tick();
    assert_false(memory_ready(m));
    advance_to(19);
    assert_false(memory_ready(m)); // activate at clock 0
    tick();
    assert_true(memory_ready(m)); // column command at clock 10
    expect(0, 30, 1, false);
}

static void expect_l2(uint64_t due, unsigned id, bool l2_miss, bool llc_miss) {
    expect(1, due, id, llc_miss);
    assert_int_equal(memory_response(m, 1)->l2_miss, l2_miss);
}

static void test_l2(void **state) {
    (void)state;
    memory_read(m, 1, 1, LINE(0));
    expect_l2(76, 1, true, true); // L2 4, LLC 10: DRAM from 14, clock 7: activate 7, column 17, data 31 to 35
    memory_read(m, 1, 2, LINE(0));
    expect_l2(80, 2, false, false); // 76 + 4
    memory_read(m, 1, 3, LINE(64)); // set 0 of the L2 again: DRAM from 94, clock 47: column 47, data 61 to 65
    expect_l2(136, 3, true, true);
    advance_to(150);
    memory_read(m, 1, 4, LINE(0));
    expect_l2(154, 4, false, false);
    advance_to(160);
    memory_read(m, 1, 5, LINE(256)); // and again: 64 is the older one; DRAM from 174, clock 87, bank 2: data 111 to 115
    expect_l2(236, 5, true, true);
    memory_read(m, 1, 6, LINE(64));
    expect_l2(250, 6, true, false); // 4 + 10
    assert_int_equal(memory_counts(m).l2.reads, 6);
    assert_int_equal(memory_counts(m).l2.misses, 4);
    assert_int_equal(memory_counts(m).llc.reads, 4);
    assert_int_equal(memory_counts(m).llc.misses, 3);
}

static void test_l2_write_back(void **state) {
    (void)state;
    uint64_t data[8] = {1};
    for (unsigned i = 0; i < 3; i++)
        memory_write(m, LINE(64 * i), data); // the third sends the first to the LLC
    assert_int_equal(memory_counts(m).l2.writes, 3);
    assert_int_equal(memory_counts(m).llc.writes, 1);
    memory_read(m, 1, 1, LINE(0));
    expect_l2(14, 1, true, false); // it is present, and line 64 has followed it
    assert_int_equal(memory_counts(m).llc.writes, 2);
    assert_int_equal(memory_counts(m).dram.writes, 0);
}

// L2 misses to one line from both ports share one request to the LLC; the third line waits for an L2 MSHR.
static void test_l2_mshrs(void **state) {
    (void)state;
    memory_read(m, 0, 1, LINE(1));
    memory_read(m, 1, 2, LINE(1));
    tick();
    assert_true(memory_ready(m));
    memory_read(m, 1, 3, LINE(2)); // cycle 1: DRAM from 15, clock 8: column 21, data 35 to 39
    memory_read(m, 0, 4, LINE(3)); // waits until 76; DRAM from 90, clock 45: column 45, data 59 to 63
    tick();
    assert_false(memory_ready(m));
    advance_to(75);
    assert_false(memory_ready(m));
    tick();
    assert_int_equal(cycle, 76);
    assert_non_null(memory_response(m, 0));
    assert_non_null(memory_response(m, 1));
    assert_int_equal(memory_response(m, 0)->id, 1);
    assert_int_equal(memory_response(m, 1)->id, 2);
    assert_int_equal(memory_counts(m).llc.reads, 2);
    expect_l2(84, 3, true, true);
    assert_true(memory_ready(m));
    expect(0, 132, 4, true);
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

#define HAND(test) cmocka_unit_test_prestate_setup_teardown(test, set_up, tear_down, NULL)
#define WITH(test, config) cmocka_unit_test_prestate_setup_teardown(test, set_up, tear_down, (void *)&(config))

int main(void) {
    const struct CMUnitTest tests[] = {
        HAND(test_miss_then_hit),
        HAND(test_bandwidth),
        HAND(test_mshrs),
        HAND(test_join),
        HAND(test_one_response_a_cycle),
        HAND(test_replacement_and_write_back),
        WITH(test_write_queue, one_write),
        HAND(test_order),
        HAND(test_boot_rom),
        WITH(test_l2, with_l2),
        WITH(test_l2_write_back, with_l2),
        WITH(test_l2_mshrs, with_l2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
