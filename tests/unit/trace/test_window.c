// Windows of a trace: edges by cycle and by symbol, clipping of rows of cycles, bad edges. And the lines of a Kanata
// log.
#include "trace/kanata.h"
#include "trace/window.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_cycles(void **state) {
    (void)state;
    struct error err = {""};
    struct trace_window w = {.to.value = UINT64_MAX};
    assert_int_equal(trace_edge_parse(&w.from, "10", NULL, &err), 0);
    assert_int_equal(trace_edge_parse(&w.to, "0x14", NULL, &err), 0);
    assert_false(trace_window_holds(&w, 9));
    assert_true(trace_window_holds(&w, 10) && trace_window_holds(&w, 20));
    assert_false(trace_window_holds(&w, 21));
    uint64_t first = 5;
    assert_int_equal(trace_window_clip(&w, &first, 100), 11);
    assert_int_equal(first, 10);
    first = 21;
    assert_int_equal(trace_window_clip(&w, &first, 7), 0);
    assert_int_equal(trace_edge_parse(&w.to, "12x", NULL, &err), -EINVAL);
    assert_non_null(strstr(err.text, "'12x': not a cycle"));
}

static void test_addresses(void **state) {
    (void)state;
    struct trace_window w = {.from = {true, 0x100}, .to = {true, 0x200}};
    trace_window_commit(&w, 5, 0x200); // the end does not count before the beginning
    assert_false(trace_window_holds(&w, 6));
    trace_window_commit(&w, 7, 0x100);
    assert_true(trace_window_holds(&w, 7) && trace_window_holds(&w, 1000));
    trace_window_commit(&w, 9, 0x200);
    trace_window_commit(&w, 11, 0x200);
    assert_true(trace_window_holds(&w, 9));
    assert_false(trace_window_holds(&w, 10));
}

static void test_kanata(void **state) {
    (void)state;
    char path[] = "/tmp/test_kanata_XXXXXX";
    close(mkstemp(path));
    struct error err = {""};
    struct kanata *k = kanata_create(path, &err);
    assert_non_null(k);
    kanata_time(k, 40);
    kanata_begin(k, 0, 0);
    kanata_label(k, 0, KANATA_PANE, "80000000: add\ta0");
    kanata_start(k, 0, 'F');
    kanata_time(k, 41); // nothing happens: no line
    kanata_time(k, 43);
    kanata_start(k, 0, 'Q');
    kanata_leave(k, 0, 0, true);
    assert_int_equal(kanata_close(k, &err), 0);
    char text[256] = "";
    FILE *file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    assert_string_equal(text, "Kanata\t0004\nC=\t40\nI\t0\t0\t0\nL\t0\t0\t80000000: add a0\nS\t0\t0\tF\nC\t3\n"
                              "S\t0\t0\tQ\nR\t0\t0\t1\n");
    assert_null(kanata_create("/nowhere/log", &err));
    assert_non_null(strstr(err.text, "/nowhere/log: cannot create"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_kanata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
