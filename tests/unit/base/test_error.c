// Error texts: memory that ran out has one text, with and without a name; names of files are made plain, and cut
// to fit.
#include "base/error.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_nomem(void **state) {
    (void)state;
    struct error err = {""};
    assert_int_equal(error_nomem(&err, "Oracle"), -ENOMEM);
    assert_string_equal(err.text, "Oracle: out of memory");
    assert_int_equal(error_nomem(&err, NULL), -ENOMEM);
    assert_string_equal(err.text, "out of memory");
    assert_int_equal(error_nomem(NULL, "Oracle"), -ENOMEM);
    assert_int_equal(error_nomem(&err, "%s%n"), -ENOMEM); // a file's name is no format
    assert_string_equal(err.text, "%s%n: out of memory");
}

static void test_zeros(void **state) {
    (void)state;
    struct error err = {""};
    unsigned char *memory = error_calloc(1000, "Oracle", &err);
    assert_non_null(memory);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(memory[i], 0);
    assert_string_equal(err.text, "");
    free(memory);
#if !__has_feature(address_sanitizer) // which ends the program where the request is absurd
    assert_null(error_calloc(SIZE_MAX / 2 + 1, "Oracle", &err));
    assert_string_equal(err.text, "Oracle: out of memory");
#endif
}

static void test_hostile(void **state) {
    (void)state;
    struct error err = {""};
    char name[2 * sizeof err.text];
    memset(name, 'a', sizeof name);
    name[0] = '\033';
    name[1] = '\n';
    name[sizeof name - 1] = 0;
    error_set(&err, "%s: bad", name);
    assert_null(strpbrk(err.text, "\033\n"));
    assert_in_range(strlen(err.text), 400, sizeof err.text - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nomem), cmocka_unit_test(test_zeros),
                                       cmocka_unit_test(test_hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
