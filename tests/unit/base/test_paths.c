// Paths: which two mean one file, whether it exists or not, and what an output may not be.
#include "base/paths.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_paths_XXXXXX";

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) < 0 || mkdir("sub", 0777) < 0) return -1;
    FILE *file = fopen("there", "w");
    if (!file || fclose(file) != 0) return -1;
    return link("there", "hard") < 0 || symlink("there", "soft") < 0 || symlink("missing", "dangling") < 0 ||
                   symlink("sub", "way") < 0 || symlink("loop", "loop") < 0
               ? -1
               : 0;
}

static int tear_down(void **state) {
    (void)state;
    static const char *const names[] = {"there", "hard", "soft", "dangling", "way", "loop"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
    rmdir("sub");
    return chdir("/") < 0 || rmdir(folder) < 0 ? -1 : 0;
}

static void test_same(void **state) {
    (void)state;
    assert_true(paths_same("there", "./sub/../there"));
    assert_true(paths_same("there", "hard"));
    assert_true(paths_same("soft", "hard"));
    assert_false(paths_same("there", "missing"));
    assert_true(paths_same("missing", "./missing"));
    assert_true(paths_same("missing", "dangling"));
    assert_true(paths_same("sub/new", "way/new"));
    assert_false(paths_same("sub/new", "new"));
    assert_false(paths_same("missing", "nowhere/missing"));
    assert_false(paths_same("loop", "loop"));           // can never be opened
    assert_false(paths_same("/dev/null", "/dev/null")); // no harm
}

static bool check(const char *first, const char *second, bool second_is_output, struct error *err) {
    const struct path_use uses[] = {
        {"--out", first, true}, {"nothing", NULL, true}, {"other", second, second_is_output}};
    return paths_check(uses, 3, err);
}

static void test_check(void **state) {
    (void)state;
    struct error err;
    assert_true(check("a", "b", true, &err));
    assert_true(check("a", "there", false, &err));
    assert_false(check("hard", "there", false, &err));
    assert_string_equal(err.text, "--out hard: is other, too: name another file");
    assert_false(check("a", "./a", true, &err));
    assert_string_equal(err.text, "other ./a: is --out, too: name another file");
    assert_false(check("-", "b", true, &err));
    assert_non_null(strstr(err.text, "name a file"));
    assert_false(check("sub", "b", true, &err));
    assert_non_null(strstr(err.text, "is a folder"));
    assert_true(access("a", F_OK) < 0); // nothing was touched
}

static void test_creatable(void **state) {
    (void)state;
    struct error err;
    assert_true(paths_creatable("new", &err));
    assert_true(paths_creatable("there", &err));
    assert_true(paths_creatable("/dev/null", &err));
    assert_false(paths_creatable("none/new", &err));
    assert_non_null(strstr(err.text, "none/new: cannot create: No such file"));
    assert_true(access("new", F_OK) < 0);
}

static void test_open(void **state) {
    (void)state;
    struct error err;
    FILE *file = paths_open("there", &err);
    assert_non_null(file);
    fclose(file);
    assert_null(paths_open("sub", &err));
    assert_non_null(strstr(err.text, "sub: is a folder"));
    assert_null(paths_open("missing", &err));
    assert_non_null(strstr(err.text, "missing: cannot open"));
}

static void test_name(void **state) {
    (void)state;
    assert_string_equal(paths_name("a/b/c.elf"), "c.elf");
    assert_string_equal(paths_name("/c"), "c");
    assert_string_equal(paths_name("c.elf"), "c.elf");
    assert_string_equal(paths_name("folder/"), "");
    assert_string_equal(paths_name(""), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same), cmocka_unit_test(test_check), cmocka_unit_test(test_creatable),
        cmocka_unit_test(test_open), cmocka_unit_test(test_name),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
