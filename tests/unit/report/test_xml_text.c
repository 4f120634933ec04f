// Text for XML: markup escaped, nothing that XML cannot hold, and cut to columns.
#include "report/xml_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(const char *text, size_t columns, const char *expected) {
    char *written = NULL;
    size_t bytes;
    FILE *f = open_memstream(&written, &bytes);
    assert_non_null(f);
    if (columns == SIZE_MAX) {
        xml_text(f, text);
    } else {
        xml_text_fitted(f, text, columns);
    }
    assert_int_equal(fclose(f), 0);
    assert_string_equal(written, expected);
    free(written);
}

static void test_escapes(void **state) {
    (void)state;
    expect("a<b>::c(int&) \"x\"", SIZE_MAX, "a&lt;b&gt;::c(int&amp;) &quot;x&quot;");
    expect("]]>", SIZE_MAX, "]]&gt;");
    expect("a\tb\nc", SIZE_MAX, "a\tb\nc");
    expect("", SIZE_MAX, "");
}

// The Unicode standard, table 3-7, and XML 1.0, production 2.
static void test_not_text(void **state) {
    (void)state;
    expect("a\x01"
           "b\x1b[1m",
           SIZE_MAX,
           "a\xef\xbf\xbd"
           "b\xef\xbf\xbd[1m");
    expect("\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5", SIZE_MAX, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5");
    expect("\xff", SIZE_MAX, "\xef\xbf\xbd");
    expect("\xc3", SIZE_MAX, "\xef\xbf\xbd"); // cut off
    expect("\xc3(", SIZE_MAX, "\xef\xbf\xbd(");
    expect("\xc0\xbc", SIZE_MAX, "\xef\xbf\xbd\xef\xbf\xbd");                 // '<' in two bytes
    expect("\xed\xa0\x80", SIZE_MAX, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); // a surrogate
    expect("\xef\xbf\xbf", SIZE_MAX, "\xef\xbf\xbd");
    expect("\xf5\x80\x80\x80", SIZE_MAX, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_fitted(void **state) {
    (void)state;
    expect("function", 8, "function");
    expect("function", 7, "funct..");
    expect("function", 3, "f..");
    expect("function", 2, "");
    expect("fn", 2, "fn");
    expect("f<n>", 4, "f&lt;n&gt;"); // as it is seen, not as it is written
    expect("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
    expect("\xe6\xbc\xa2\xe5\xad\x97", 4, "\xe6\xbc\xa2\xe5\xad\x97"); // two columns each
    expect("\xe6\xbc\xa2\xe5\xad\x97", 3, "..");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_not_text),
        cmocka_unit_test(test_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
