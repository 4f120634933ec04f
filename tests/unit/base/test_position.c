// Positions: every form, what they mean, and what is refused with which words.
#include "base/position.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is(const char *text, unsigned kinds, enum position_kind kind, uint64_t value, uint64_t count) {
    struct error err = {""};
    struct position p = {.value = 77};
    assert_int_equal(position_parse(&p, text, kinds, NULL, &err), 0);
    assert_string_equal(err.text, "");
    assert_int_equal(p.kind, kind);
    assert_int_equal(p.value, value);
    assert_int_equal(p.count, count);
}

static void refused(const char *text, unsigned kinds, const char *fault) {
    struct error err = {""};
    struct position p;
    assert_int_equal(position_parse(&p, text, kinds, NULL, &err), -EINVAL);
    if (!strstr(err.text, fault)) fail_msg("'%s': %s", text, err.text);
    if (!strstr(err.text, position_forms(kinds))) fail_msg("'%s': no forms: %s", text, err.text);
    assert_null(strchr(err.text, '\n'));
}

static void test_forms(void **state) {
    (void)state;
    for (unsigned kinds = 0; kinds < 4; kinds++) {
        static const unsigned all[] = {POSITIONS_COMMITTED, POSITIONS_SEEN, POSITIONS_ON_CORE, POSITIONS_ON_ISS};
        is("0", all[kinds], POSITION_CYCLE, 0, 0);
        is("1000", all[kinds], POSITION_CYCLE, 1000, 0);
        is("0x80000010", all[kinds], POSITION_PLACE, 0x80000010, 0);
        is("0X1f:12", all[kinds], POSITION_PLACE, 0x1f, 12);
    }
    is("sample:3", POSITIONS_SEEN, POSITION_SAMPLE, 0, 3);
    is("sample:3", POSITIONS_ON_CORE, POSITION_SAMPLE, 0, 3);
    is("0x10@sample:4", POSITIONS_ON_CORE, POSITION_PLACE_SAMPLE, 0x10, 4);
    is("marker", POSITIONS_ON_ISS, POSITION_MARKER, 0, 0);
    is("marker:9", POSITIONS_ON_ISS, POSITION_MARKER, 9, 0);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned kinds;
        const char *fault;
    } rows[] = {
        {"12x", POSITIONS_SEEN, "'12x': not a cycle"},
        {"12x", POSITIONS_ON_ISS, "'12x': not a number"},
        {"99999999999999999999", POSITIONS_SEEN, "not a cycle"},
        {"0x1g", POSITIONS_SEEN, "not an address"},
        {"0x10:0", POSITIONS_SEEN, "not a count: the first is 1"},
        {"0x10:", POSITIONS_SEEN, "not a count"},
        {"0x10:-1", POSITIONS_SEEN, "not a count"},
        {"12:3", POSITIONS_SEEN, "not a cycle"},
        {"sample:0", POSITIONS_SEEN, "the first is sample:1"},
        {"sample:", POSITIONS_ON_CORE, "the first is sample:1"},
        {"0x10@sample:1", POSITIONS_SEEN, "no sample of an instruction here"},
        {"0x10@sample:0", POSITIONS_ON_CORE, "the first is 1"},
        {"12@sample:1", POSITIONS_ON_CORE, "not a cycle"},
        {"@sample:1", POSITIONS_ON_CORE, "names nothing"},
        {"marker:0", POSITIONS_ON_ISS, "not a marker's number"},
        {"marker:x", POSITIONS_ON_ISS, "not a marker's number"},
        {"", POSITIONS_SEEN, "names nothing"},
        {"+8", POSITIONS_SEEN, "names nothing"},
        {"main+x", POSITIONS_SEEN, "not a number of bytes"},
        {"main", POSITIONS_ON_ISS, "need the PROGRAM"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refused(rows[i].text, rows[i].kinds, rows[i].fault);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
