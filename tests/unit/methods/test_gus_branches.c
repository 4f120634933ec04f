// What a core would have predicted, by hand-known sequences: clearing after reset, training when a packet has left, the
// buffer of targets, the stack of return addresses.
#include "methods/gus/branches.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { CLEARED = 64, LATE = 1000 }; // cycles
static const uint64_t here = 0x80000100, there = 0x80000200;

static struct gus_branches *predictor(const char *tables) {
    static const char *const sizes[][2] = {
        {"fetch_bytes", "16"}, {"base_rows", "64"}, {"tage_rows", "16"}, {"btb_entries", "16"}, {"ras_entries", "4"}};
    struct gus_table t = {0};
    struct error err = {""};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_true(gus_table_add(&t, "size", sizes[i][0], sizes[i][1], "-", &err));
    assert_true(gus_table_add(&t, "size", "tage_tables", tables, "-", &err));
    struct gus_branches *b = gus_branches_create(&t, &err);
    assert_non_null(b);
    return b;
}

// A packet of the one transfer at `pc` (4 bytes); it left at once if `left`, when the next packet's does.
static struct gus_foresight once(struct gus_branches *b, enum gus_transfer kind, uint64_t pc, uint64_t to,
                                 uint64_t cycle, bool left) {
    gus_branches_packet(b, pc, cycle);
    if (left) gus_branches_left(b, cycle);
    return gus_branches_see(b, kind, pc + 2, pc + 4, to);
}

static void clearing(void **state) { // no branch is predicted as taken, and none learns
    (void)state;
    struct gus_branches *b = predictor("0");
    for (uint64_t cycle = 0; cycle < CLEARED - 8; cycle += 4)
        assert_true(once(b, GUS_CONDITIONAL, here, there, cycle, true).mispredicted);
    assert_false(once(b, GUS_CONDITIONAL, here + 64, here + 68, CLEARED - 4, true).mispredicted); // not taken
    assert_true(once(b, GUS_CONDITIONAL, here, there, LATE, true).mispredicted); // the counter is where it began
    assert_true(once(b, GUS_CONDITIONAL, there, here, LATE + 10, true).mispredicted);
    assert_false(once(b, GUS_CONDITIONAL, here, there, LATE + 20, true).mispredicted); // 1, taken: 2
    gus_branches_destroy(b);
}

static void late_training(void **state) { // what has not left teaches nothing
    (void)state;
    struct gus_branches *b = predictor("0");
    for (unsigned i = 0; i < 8; i++)
        assert_true(once(b, GUS_CONDITIONAL, here, there, LATE + i, false).mispredicted);
    gus_branches_packet(b, there, LATE + 8);
    gus_branches_left(b, LATE + 8); // the eight have, and train one a cycle, from two cycles later on
    assert_false(gus_branches_see(b, GUS_CONDITIONAL, there + 2, there + 4, there + 4).mispredicted);
    assert_true(once(b, GUS_CONDITIONAL, here, there, LATE + 9, false).mispredicted);
    assert_false(once(b, GUS_CONDITIONAL, here, there, LATE + 11, false).mispredicted);
    gus_branches_destroy(b);
}

static void cut(void **state) { // a packet that is cut off teaches nothing
    (void)state;
    struct gus_branches *b = predictor("0");
    once(b, GUS_CONDITIONAL, here, there, LATE, true);
    gus_branches_cut(b);
    gus_branches_packet(b, there, LATE + 10);
    gus_branches_left(b, LATE + 10);
    assert_true(once(b, GUS_CONDITIONAL, here, there, LATE + 20, true).mispredicted);
    gus_branches_destroy(b);
}

static void targets(void **state) {
    (void)state;
    struct gus_branches *b = predictor("0");
    struct gus_foresight f = once(b, GUS_JUMP, here, there, LATE, true); // direct: known in F2, a cycle late
    assert_true(f.late && !f.mispredicted && f.ends);
    once(b, GUS_JUMP, there, here, LATE + 10, true);
    f = once(b, GUS_JUMP, here, there, LATE + 20, true); // the buffer has it
    assert_true(!f.late && !f.mispredicted);

    const uint64_t indirect = here + 0x1000;
    assert_true(once(b, GUS_INDIRECT, indirect, there, LATE + 30, true).mispredicted);
    once(b, GUS_JUMP, there, here, LATE + 40, true);
    assert_false(once(b, GUS_INDIRECT, indirect, there, LATE + 50, true).mispredicted);
    assert_true(once(b, GUS_INDIRECT, indirect, here, LATE + 60, true).mispredicted); // somewhere else
    gus_branches_destroy(b);
}

static void wrong_guess(void **state) { // the buffer guesses a jump where none is taken: the next packet is late
    (void)state;
    struct gus_branches *b = predictor("0");
    once(b, GUS_JUMP, here, there, LATE, true);
    once(b, GUS_JUMP, there, here, LATE + 10, true);
    gus_branches_packet(b, here, LATE + 20); // nothing is taken in it
    assert_true(gus_branches_packet(b, here + 16, LATE + 21));
    assert_false(gus_branches_packet(b, here + 32, LATE + 22));
    gus_branches_destroy(b);
}

static void returns(void **state) {
    (void)state;
    enum { DEEP = 6, ENTRIES = 4 };
    struct gus_branches *b = predictor("0");
    uint64_t cycle = LATE;
    for (unsigned i = 0; i < DEEP; i++)
        once(b, GUS_CALL, here + 64 * i, here + 64 * (i + 1), cycle += 10, true);
    for (unsigned i = DEEP; i-- > 0;) { // the top, and ENTRIES below it, are still valid
        bool wrong = once(b, GUS_RETURN, there + 64 * i, here + 64 * i + 4, cycle += 10, true).mispredicted;
        assert_int_equal(wrong, i + 1 + ENTRIES < DEEP);
    }
    gus_branches_destroy(b);
}

static void pattern(void **state) { // taken, taken, not taken: tables with history learn it, counters do not
    (void)state;
    unsigned wrong[2] = {0, 0};
    for (unsigned tagged = 0; tagged < 2; tagged++) {
        struct gus_branches *b = predictor(tagged ? "4" : "0");
        uint64_t cycle = LATE;
        for (unsigned i = 0; i < 600; i++) {
            const bool taken = i % 3 != 2;
            bool missed = once(b, GUS_CONDITIONAL, here, taken ? there : here + 4, cycle += 10, true).mispredicted;
            once(b, GUS_JUMP, taken ? there : here + 16, here, cycle += 10, true); // by then it has trained
            wrong[tagged] += i >= 300 && missed;
        }
        gus_branches_destroy(b);
    }
    assert_int_equal(wrong[0], 100); // each third one
    assert_true(wrong[1] < 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearing), cmocka_unit_test(late_training), cmocka_unit_test(cut),
        cmocka_unit_test(targets),  cmocka_unit_test(wrong_guess),   cmocka_unit_test(returns),
        cmocka_unit_test(pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
