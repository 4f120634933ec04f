// Whole numbers in groups of three.
#include "base/grouped.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void numbers(void **unused) {
    (void)unused;
    static const struct {
        uint64_t number;
        const char *text;
    } cases[] = {{0, "0"},
                 {7, "7"},
                 {999, "999"},
                 {1000, "1,000"},
                 {285824, "285,824"},
                 {1000000, "1,000,000"},
                 {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[GROUPED_TEXT];
        assert_string_equal(grouped(text, cases[i].number), cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
