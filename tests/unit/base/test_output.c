// Documents and streams by the names of descriptors that are open already, and why a write has failed. What becomes of
// files with names of their own: tests/cli/test_outputs.py.
#include "base/output.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_output_XXXXXX";

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return unlink("log") < 0 || chdir("/") < 0 || rmdir(folder) < 0 ? -1 : 0;
}

// A file that holds "old", opened as a shell does it for > and a line before, or for >>.
static int open_log(int flags) {
    const int fd = open("log", O_WRONLY | O_CREAT | O_TRUNC | flags, 0666);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "old", 3), 3);
    return fd;
}

static void assert_log(int fd, const char *text) {
    char got[64] = "";
    assert_int_equal(close(fd), 0);
    const int log = open("log", O_RDONLY);
    assert_int_equal(read(log, got, sizeof got - 1), strlen(text));
    close(log);
    assert_string_equal(got, text);
}

static void by_name(const char *form, int flags) {
    char path[32];
    struct error err = {""};
    const int fd = open_log(flags);
    snprintf(path, sizeof path, form, fd);
    struct output *document = output_open(path, &err);
    assert_non_null(document);
    fputs(" document", output_file(document));
    assert_int_equal(output_close(document, true, &err), 0);
    FILE *stream = output_stream(path, &err);
    assert_non_null(stream);
    fputs(" stream", stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(write(fd, " end", 4), 4);
    assert_log(fd, "old document stream end");
}

// What the file holds stays, and who has it goes on behind what was written.
static void test_open_already(void **state) {
    (void)state;
    by_name("/dev/fd/%d", 0);
    by_name("/dev/fd/%d", O_APPEND);
}

// As a file without a name is opened (base/unnamed.h): it restarts empty.
static void test_no_name(void **state) {
    (void)state;
    char path[32];
    struct error err = {""};
    const int fd = open_log(0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FILE *stream = output_stream(path, &err);
    assert_non_null(stream);
    fputs("new", stream);
    assert_int_equal(fclose(stream), 0);
    assert_log(fd, "new");
}

// What waits in stdout comes before it.
// What a shell makes of a variable that is not set.
static void test_empty_name(void **state) {
    (void)state;
    struct error err = {""};
    assert_null(output_open("", &err));
    assert_string_equal(err.text, "'': cannot create: No such file or directory: choose another file");
}

static void test_stdout(void **state) {
    (void)state;
    struct error err = {""};
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO), fd = open_log(O_APPEND);
    assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    fputs(" waiting", stdout);
    struct output *document = output_open("/dev/stdout", &err);
    if (document) fputs(" document", output_file(document));
    const int closed = document ? output_close(document, true, &err) : -1;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_int_equal(closed, 0);
    assert_log(fd, "old waiting document");
}

// One that cannot be written, or is none, is opened as any other file is.
static void test_no_own_descriptor(void **state) {
    (void)state;
    char path[32];
    struct error err = {""};
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    assert_int_equal(close(fd), 0);
    assert_null(output_open(path, &err));
    assert_non_null(strstr(err.text, "cannot create: No such file"));
    assert_true(output_stream_fd("/dev/fd/1x", &err) < 0);
}

// The buffer is full more than once, so that the write that fails is not the last one.
static void test_no_space(void **state) {
    (void)state;
    struct error err = {""};
    struct output *document = output_open("/dev/full", &err);
    assert_non_null(document);
    for (int i = 0; i < 100000; i++)
        fputs("a line\n", output_file(document));
    assert_int_equal(output_close(document, true, &err), -ENOSPC);
    assert_string_equal(err.text, "/dev/full: cannot write: No space left on device: free some space and try again");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_already), cmocka_unit_test(test_no_name),           cmocka_unit_test(test_stdout),
        cmocka_unit_test(test_empty_name),   cmocka_unit_test(test_no_own_descriptor), cmocka_unit_test(test_no_space)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
