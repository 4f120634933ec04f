// Text files: lines as they are written, whatever their length; what is no text, no file or too large is refused in one
// line that names the file and says what to do.
#include "base/text_file.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_text_file_XXXXXX", path[64], pipe_path[64];

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.txt", folder);
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    return mkfifo(pipe_path, 0600);
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    unlink(pipe_path);
    return rmdir(folder);
}

static void write_bytes(const char *text, size_t bytes) {
    FILE *f = fopen(path, "wbe");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, bytes, f), bytes);
    fclose(f);
}

static void test_lines(void **state) {
    (void)state;
    enum { LONG = 300000 };
    struct text_file t;
    struct error err = {""};
    char *text = malloc(LONG + 100);
    int n = sprintf(text, "\xef\xbb\xbf# one\r\n\n\tgr\xc3\xbc\xc3\x9f\n");
    memset(text + n, 'x', LONG);
    n += LONG + sprintf(text + n + LONG, "\nlast");
    write_bytes(text, (size_t)n);
    assert_true(text_file_open(&t, path, TEXT_FILE_MOST, "name another", &err));
    assert_string_equal(text_file_line(&t), "# one");
    assert_string_equal(text_file_line(&t), "");
    assert_string_equal(text_file_line(&t), "\tgr\xc3\xbc\xc3\x9f");
    assert_int_equal(strlen(text_file_line(&t)), LONG);
    assert_string_equal(text_file_line(&t), "last");
    assert_int_equal(t.line, 5);
    assert_null(text_file_line(&t));
    assert_null(text_file_line(&t));
    text_file_close(&t);
    free(text);
    write_bytes("", 0);
    assert_true(text_file_open(&t, path, 0, "name another", &err));
    assert_null(text_file_line(&t));
    text_file_close(&t);
}

static void refused(const char *name, size_t most, const char *words) {
    struct text_file t;
    struct error err = {""};
    assert_false(text_file_open(&t, name, most, "name another", &err));
    if (strncmp(err.text, name, strlen(name)) != 0 || !strstr(err.text, words) || !strstr(err.text, ": name another"))
        fail_msg("'%s' lacks '%s'", err.text, words);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        const char *words;
    } wrong[] = {{"a\nb\xfc\nc", 6, ":2: holds bytes that are no text"},
                 {"a\nb\0\nc", 6, ":2: holds bytes"},
                 {"a\n\x1b]0;t\x07", 8, ":2: holds bytes"},
                 {"a\xe2\x80\xae\n", 5, ":1: holds bytes"},
                 {"0123456789", 10, ": has more than 9 bytes"},
                 {"a\n\xed\xa0\x80\n", 6, ":2: holds bytes"},
                 {"a\r\n\r\rb\n", 7, ":2: holds bytes that are no text"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_bytes(wrong[i].text, wrong[i].bytes);
        refused(path, 9, wrong[i].words);
    }
    write_bytes("012345678", 9);
    struct text_file t;
    struct error err = {""};
    assert_true(text_file_open(&t, path, 9, "name another", &err));
    text_file_close(&t);
    refused(folder, 9, ": is a folder");
    refused("/dev/zero", TEXT_FILE_MOST, ": has more than 1048576 bytes");
    refused("/nonexistent/x", 9, ": cannot open: No such file or directory");
    refused("/proc/self/mem", 9, ": cannot read: Input/output error"); // nothing lies at address 0
}

static void *write_pipe(void *unused) {
    (void)unused;
    FILE *f = fopen(pipe_path, "we");
    if (f) fputs("from a pipe\n", f);
    if (f) fclose(f);
    return NULL;
}

// A name that the user has given may be a pipe; of one that the program's debug information has, nobody waits.
static void test_pipe(void **state) {
    (void)state;
    size_t bytes;
    alarm(60);
    assert_null(text_file_bytes_if_any(pipe_path, 100, &bytes));
    assert_null(text_file_bytes_if_any("/dev/zero", 100, &bytes));
    assert_null(text_file_bytes_if_any(folder, 100, &bytes));
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, NULL), 0);
    struct error err = {""};
    char *text = text_file_bytes(pipe_path, 100, "name another", &bytes, &err);
    pthread_join(writer, NULL);
    assert_string_equal(text, "from a pipe\n");
    assert_int_equal(bytes, 12);
    free(text);
    alarm(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_pipe)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
