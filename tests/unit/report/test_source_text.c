// Lines of source files: with every kind of line end, of several files in turn, beside the program, and none.
#include "report/annotate.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test_source_text_XXXXXX";
static char program[64], unix_file[64], dos_file[64];

static void write_file(const char *path, const char *content) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(content, f);
    fclose(f);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(program, sizeof program, "%s/p.elf", folder);
    snprintf(unix_file, sizeof unix_file, "%s/unix.c", folder);
    snprintf(dos_file, sizeof dos_file, "%s/dos.c", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(unix_file);
    unlink(dos_file);
    return rmdir(folder);
}

static void lines(void **state) {
    (void)state;
    write_file(unix_file, "one\n\n\tthree\n");
    write_file(dos_file, "eins\r\nzwei\r\n\r\nvier");
    struct source_text *t = source_text_create(program);
    assert_non_null(t);
    for (int again = 0; again < 2; again++) {
        const char *first = source_text_line(t, unix_file, 1);
        assert_string_equal(first, "one");
        assert_string_equal(source_text_line(t, dos_file, 2), "zwei");
        assert_string_equal(source_text_line(t, unix_file, 2), "");
        assert_string_equal(source_text_line(t, unix_file, 3), " three");
        assert_null(source_text_line(t, unix_file, 4));
        assert_string_equal(source_text_line(t, dos_file, 1), "eins");
        assert_string_equal(source_text_line(t, dos_file, 3), "");
        assert_string_equal(source_text_line(t, dos_file, 4), "vier");
        assert_null(source_text_line(t, dos_file, 5));
        assert_null(source_text_line(t, dos_file, 0));
        assert_null(source_text_line(t, "/nonexistent/x.c", 1));
        assert_string_equal(first, "one");
    }
    assert_string_equal(source_text_line(t, "unix.c", 3), " three"); // beside the program
    source_text_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
