// What workers get of a core's bus: lines at memory or at the tile, interrupt lines when they differ, or once
// more.
#include "harness/bus_watch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_nobody(void **state) {
    (void)state;
    struct bus_watch b;
    bus_watch_begin(&b, false);
    assert_false(bus_watch_at_memory(&b));
    assert_false(bus_watch_at_tile(&b));
    assert_false(bus_watch_lines(&b, TICK_MTIP));
}

static void test_place(void **state) {
    (void)state;
    struct bus_watch b;
    bus_watch_begin(&b, true);
    assert_true(bus_watch_at_memory(&b));
    assert_true(bus_watch_at_tile(&b)); // from now on there, and at memory no more
    assert_false(bus_watch_at_memory(&b));
    assert_true(bus_watch_at_tile(&b));
    bus_watch_begin(&b, true);
    assert_true(bus_watch_at_memory(&b));
}

static void test_lines(void **state) {
    (void)state;
    struct bus_watch b;
    bus_watch_begin(&b, true);
    assert_true(bus_watch_lines(&b, 0)); // the first tick emits them, whatever they are
    assert_false(bus_watch_lines(&b, 0));
    assert_false(bus_watch_lines(&b, TICK_INSN_RESPONSE | TICK_DATA_RESPONSE)); // are no interrupts
    static const uint32_t each[] = {TICK_MSIP, TICK_MTIP, TICK_MEIP, TICK_SEIP};
    for (unsigned i = 0; i < 4; i++) {
        assert_true(bus_watch_lines(&b, each[i] | TICK_DATA_RESPONSE));
        assert_int_equal(b.lines, each[i]);
        assert_false(bus_watch_lines(&b, each[i]));
    }
    bus_watch_lines_again(&b);
    assert_true(bus_watch_lines(&b, TICK_SEIP));
    assert_false(bus_watch_lines(&b, TICK_SEIP));
    assert_true(bus_watch_lines(&b, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
