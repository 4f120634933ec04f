// Files without a name: opened again and again, in no folder; and kept, where nobody else has put something.
#include "base/unnamed.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_unnamed_XXXXXX";

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 && setenv("TMPDIR", folder, 1) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return chdir("/") < 0 || rmdir(folder) < 0 ? -1 : 0;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text) {
    char got[64] = "";
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t count = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    assert_int_equal(count, strlen(text));
    assert_string_equal(got, text);
}

static unsigned files(void) {
    DIR *here = opendir(folder);
    assert_non_null(here);
    unsigned count = 0;
    while (readdir(here))
        count++;
    closedir(here);
    return count - 2; // . and ..
}

static void test_no_name(void **state) {
    (void)state;
    char path[32], other[32];
    struct error err;
    int fd = unnamed_open(path, sizeof path, &err), second = unnamed_open(other, sizeof other, &err);
    assert_true(fd >= 0 && second >= 0);
    put(path, "more than that");
    put(path, "a machine");
    put(other, "another");
    assert_holds(path, "a machine");
    assert_int_equal(files(), 0);
    close(fd);
    close(second);
    assert_int_equal(files(), 0);
}

static void test_no_folder(void **state) {
    (void)state;
    char path[32];
    struct error err;
    setenv("TMPDIR", "/tmp/no/such", 1);
    assert_int_equal(unnamed_open(path, sizeof path, &err), -ENOENT);
    assert_string_equal(
        err.text, "/tmp/no/such: cannot create a file there: No such file or directory: set TMPDIR to another folder");
    setenv("TMPDIR", folder, 1);
}

// As for mktemp and Python's tempfile: a TMPDIR that is empty is none.
static void test_folder(void **state) {
    (void)state;
    setenv("TMPDIR", "", 1);
    assert_string_equal(unnamed_folder(), "/tmp");
    unsetenv("TMPDIR");
    assert_string_equal(unnamed_folder(), "/tmp");
    setenv("TMPDIR", folder, 1);
    assert_string_equal(unnamed_folder(), folder);
}

static void test_name_too_long(void **state) {
    (void)state;
    char fits[sizeof folder + sizeof "/kept-01234567.machine" - 1], tight[sizeof fits - 1];
    unnamed_choose(fits, sizeof fits, "kept", ".machine");
    assert_int_equal(strlen(fits), sizeof fits - 1);
    unnamed_choose(tight, sizeof tight, "kept", ".machine");
    assert_string_equal(tight, "");
}

static void test_kept(void **state) {
    (void)state;
    char path[32], name[64], next[64];
    struct error err;
    struct stat info;
    int fd = unnamed_open(path, sizeof path, &err);
    put(path, "a machine");
    unnamed_choose(name, sizeof name, "kept", ".machine");
    unnamed_choose(next, sizeof next, "kept", ".machine");
    assert_string_not_equal(name, next);
    assert_int_equal(strncmp(name, folder, strlen(folder)), 0);
    assert_int_equal(files(), 0);
    assert_int_equal(unnamed_keep(fd, name), 0);
    assert_holds(name, "a machine");
    assert_int_equal(stat(name, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(unnamed_keep(fd, name), -EEXIST);
    assert_int_equal(symlink("elsewhere", "link"), 0);
    assert_int_equal(unnamed_keep(fd, "link"), -EEXIST);
    assert_int_equal(access("elsewhere", F_OK), -1);
    close(fd);
    assert_int_equal(unlink(name) | unlink("link"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_name), cmocka_unit_test(test_no_folder),
                                       cmocka_unit_test(test_folder), cmocka_unit_test(test_name_too_long),
                                       cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
