// What the harts of a machine share (harness/board.h): an access of one reaches the others after BOARD_LATENCY cycles
// and not before; harts that take turns of up to that many cycles, in any order, see what they see in step; and the
// program's end is one cycle for all.
#include "harness/board.h"
#include "harness/schedule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "memory_map.h"

enum { HARTS = 3, CYCLES = 400, MSIP = 4, MTIMECMP = 0x4000, MTIME = 0xbff8 };

struct machine {
    struct host *host;
    struct board *board;
};
static void begin(struct machine *m) {
    static char *const no_arguments[] = {NULL};
    static const struct host_roots roots;
    struct error err;
    m->host = host_create(no_arguments, &roots, NULL, &err);
    assert_non_null(m->host);
    m->board = board_create(HARTS, m->host, &err);
    assert_non_null(m->board);
    assert_int_equal(board_harts(m->board), HARTS);
}
static void end(struct machine *m) {
    board_destroy(m->board);
    host_destroy(m->host);
}

static void test_latency(void **state) {
    (void)state;
    struct machine m;
    begin(&m);
    for (uint64_t cycle = 0; cycle < 40; cycle++) {
        if (cycle == 10) board_access(m.board, 2, cycle, true, 4, CLINT_BASE + MSIP, 1);
        if (cycle == 20) board_access(m.board, 0, cycle, false, 4, CLINT_BASE + MSIP, 0);
        for (unsigned hart = 0; hart < HARTS; hart++)
            assert_int_equal(board_lines(m.board, hart, cycle)->msip, hart == 1 && cycle >= 10 + BOARD_LATENCY);
        if (cycle == 20) assert_null(board_access_done(m.board, 0));
        board_advance(m.board, cycle + 1);
        if (cycle == 20) assert_int_equal(board_access_done(m.board, 0)->data, 1);
    }
    end(&m);
}

// ---- turns ----
struct seen {
    struct device_lines lines[HARTS][CYCLES];
    uint64_t answers[HARTS][CYCLES];
};
// What a hart does in a cycle, if anything: the same in each run. Addresses are those of all harts' registers.
static void act(struct board *b, unsigned hart, uint64_t cycle) {
    const uint64_t random = (hart * 7919 + cycle / DEVICES_ACCESS_CYCLES * 104729 + 12345) * 2654435761u >> 7;
    const uint64_t offsets[] = {random / 4 % HARTS * 4, MTIMECMP + random / 4 % HARTS * 8, MTIME, MTIMECMP};
    if (cycle % DEVICES_ACCESS_CYCLES != hart % 3 || random % 3 == 0) return;
    const uint64_t offset = offsets[random % 4];
    board_access(b, hart, cycle, random / 64 % 2 != 0, offset < MTIMECMP ? 4 : 8, CLINT_BASE + offset,
                 random / 256 % 8);
}
static void run_cycle(struct board *b, struct seen *seen, unsigned hart, uint64_t cycle) {
    act(b, hart, cycle);
    seen->lines[hart][cycle] = *board_lines(b, hart, cycle);
    const struct device_access *done = board_access_done(b, hart);
    if (cycle % DEVICES_ACCESS_CYCLES == DEVICES_ACCESS_CYCLES - 1) seen->answers[hart][cycle] = done ? done->data : 99;
}

static void in_step(struct seen *seen) {
    struct machine m;
    begin(&m);
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned hart = HARTS; hart-- > 0;)
            run_cycle(m.board, seen, hart, cycle);
        board_advance(m.board, cycle + 1);
    }
    end(&m);
}

// As long as the others allow, or shorter.
static void by_turns(struct seen *seen, unsigned longest) {
    struct machine m;
    struct schedule_core cores[HARTS] = {{0}};
    size_t hart;
    uint64_t until;
    begin(&m);
    while (schedule_next(cores, HARTS, BOARD_LATENCY, &hart, &until)) {
        struct schedule_core *c = &cores[hart];
        if (until > CYCLES) until = CYCLES;
        if (until > c->now + BOARD_LATENCY) until = c->now + BOARD_LATENCY;
        if (until > c->now + longest) until = c->now + longest;
        for (; c->now < until; c->now++)
            run_cycle(m.board, seen, (unsigned)hart, c->now);
        c->quiet_until = c->now;
        c->over = c->now == CYCLES;
        uint64_t first = UINT64_MAX;
        for (unsigned i = 0; i < HARTS; i++)
            first = cores[i].now < first ? cores[i].now : first;
        board_advance(m.board, first);
    }
    end(&m);
}

static void test_turns(void **state) {
    (void)state;
    static struct seen step, turns;
    unsigned changes = 0;
    in_step(&step);
    for (unsigned longest = 1; longest <= BOARD_LATENCY; longest++) {
        memset(&turns, 0, sizeof turns);
        by_turns(&turns, longest);
        for (unsigned hart = 0; hart < HARTS; hart++) {
            for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
                const struct device_lines *a = &step.lines[hart][cycle], *b = &turns.lines[hart][cycle];
                assert_int_equal(a->msip, b->msip);
                assert_int_equal(a->mtimecmp, b->mtimecmp);
                assert_int_equal(a->mtime_offset, b->mtime_offset);
                assert_int_equal(step.answers[hart][cycle], turns.answers[hart][cycle]);
                changes += cycle > 0 && a->msip != step.lines[hart][cycle - 1].msip;
            }
        }
    }
    assert_true(changes >= 5 * BOARD_LATENCY); // there was something to see
}

// ---- the end ----
static void test_end(void **state) {
    (void)state;
    struct machine m;
    begin(&m);
    assert_true(board_end(m.board) == UINT64_MAX);
    assert_int_equal(board_ended_by(m.board), MACHINE_MOST_HARTS);
    board_access(m.board, 1, 5, true, 4, FINISHER_BASE, 7 << 16 | FINISHER_FAIL);
    board_access(m.board, 0, 6, true, 4, FINISHER_BASE, 9 << 16 | FINISHER_FAIL); // too late
    board_advance(m.board, 5);
    assert_true(board_end(m.board) == UINT64_MAX);
    board_advance(m.board, 8);
    assert_int_equal(board_end(m.board), 5 + BOARD_LATENCY);
    assert_int_equal(board_ended_by(m.board), 1);
    assert_true(host_exited(m.host) && host_code(m.host) == 7);
    board_stop(m.board, 6);
    assert_int_equal(board_end(m.board), 5 + BOARD_LATENCY); // the first one counts
    end(&m);
}

// Of two in one cycle the hart with the lower number comes first.
static void test_same_cycle(void **state) {
    (void)state;
    struct machine m;
    begin(&m);
    board_access(m.board, 2, 3, true, 8, CLINT_BASE + MTIMECMP, 200);
    board_access(m.board, 0, 3, true, 8, CLINT_BASE + MTIMECMP, 100);
    board_advance(m.board, 4);
    assert_int_equal(board_lines(m.board, 0, 3 + BOARD_LATENCY)->mtimecmp, 200);
    board_lost_store(m.board, 1, 4, DRAM_BASE);
    board_advance(m.board, 5);
    assert_true(board_devices(m.board)->peripherals.bus_errors.lost != 0);
    end(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_latency), cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_end), cmocka_unit_test(test_same_cycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
