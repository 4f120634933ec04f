// Notices: a line as soon as there is one, whole and plain, to whoever shows it; without such nothing happens.
#include "base/notices.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void show(void *context, const char *line) {
    char **all = context, *more = NULL;
    assert_true(asprintf(&more, "%s%s\n", *all ? *all : "", line) > 0);
    free(*all);
    *all = more;
}

static void test_lines(void **state) {
    (void)state;
    char *all = NULL;
    const struct notices notices = {show, &all};
    notice(&notices, "%s: boots %d times", "linux", 1);
    assert_string_equal(all, "linux: boots 1 times\n");
    warning(&notices, "a\nb\033[2J%s", "%n"); // a file's name is no format, and no line of its own
    assert_string_equal(all, "linux: boots 1 times\nwarning: a\\x0ab\\x1b[2J%n\n");
    free(all);
}

static void test_long(void **state) {
    (void)state;
    char *all = NULL;
    char *name = malloc(10001);
    assert_non_null(name);
    memset(name, 'a', 10000);
    name[10000] = '\0';
    warning(&(struct notices){show, &all}, "%s.", name);
    assert_int_equal(strlen(all), strlen("warning: ") + 10000 + strlen(".\n"));
    free(name);
    free(all);
}

static void test_nobody(void **state) {
    (void)state;
    notice(NULL, "%s", "dropped");
    warning(NULL, "%s", "dropped");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
