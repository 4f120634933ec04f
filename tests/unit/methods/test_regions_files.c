// SimPoint's files: what is written is read again, with gzip, too; what is damaged, or not of one run, is refused by a
// line that names file, line and remedy.
#include "methods/regions/simpoint_files.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char path[2][64];

static void put(unsigned which, const char *text) {
    snprintf(path[which], sizeof path[which], "/tmp/tipoff-regions-%d-%u", (int)getpid(), which);
    FILE *file = fopen(path[which], "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}
static int clean(void **unused) {
    (void)unused;
    unlink(path[0]);
    unlink(path[1]);
    return 0;
}

struct seen {
    char text[256];
    size_t vectors, stop;
};
static bool take(void *context, size_t number, const struct points_part *parts, size_t count, struct error *err) {
    struct seen *s = context;
    char part[64];
    assert_int_equal(number, s->vectors++);
    for (size_t i = 0; i < count; i++) {
        snprintf(part, sizeof part, "%u=%u,", (unsigned)parts[i].dimension, (unsigned)parts[i].count);
        strcat(s->text, part);
    }
    strcat(s->text, ";");
    if (s->vectors == s->stop) error_set(err, "enough");
    return s->vectors != s->stop;
}

static void test_vectors(void **unused) {
    (void)unused;
    struct seen s = {0};
    struct error err = {""};
    put(0, "# a comment\nT:1:10 :2:5   :77:1 \n\nT:3:4:5:6\nT\nother\r\nT:9:0 \r\nT:8:18446744073709551615");
    assert_int_equal(bb_read(path[0], take, &s, &err), 0);
    assert_string_equal(s.text, "1=10,2=5,77=1,;3=4,5=6,;;9=0,;8=4294967295,;");
}

static void test_gzip(void **unused) {
    (void)unused;
    struct seen s = {0};
    struct error err = {""};
    put(0, "");
    gzFile file = gzopen(path[0], "wb");
    assert_true(file && gzputs(file, "T:1:10 \nT:2:20 \n") > 0);
    gzclose(file);
    assert_int_equal(bb_read(path[0], take, &s, &err), 0);
    assert_string_equal(s.text, "1=10,;2=20,;");
    assert_int_equal(truncate(path[0], 20), 0);
    s = (struct seen){0};
    assert_true(bb_read(path[0], take, &s, &err) < 0);
    assert_non_null(strstr(err.text, "damaged"));
}

static void test_what_is_written(void **unused) {
    (void)unused;
    const struct points_part parts[] = {{4, 40}, {1, 10}};
    struct seen s = {0};
    struct error err = {""};
    put(0, "");
    FILE *file = fopen(path[0], "w");
    assert_non_null(file);
    bb_write(file, parts, 2);
    bb_write(file, parts, 1);
    fclose(file);
    assert_int_equal(bb_read(path[0], take, &s, &err), 0);
    assert_string_equal(s.text, "4=40,1=10,;4=40,;");
}

static void test_bad_vectors(void **unused) {
    (void)unused;
    static const char *const bad[] = {"T:0:1 ", "T:1 ", "T:1:", "T1:1", "T:1:1x", "T:-1:1", "T:1:18446744073709551616",
                                      "T:1:1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct seen s = {0};
        struct error err = {""};
        char text[64];
        snprintf(text, sizeof text, "T:1:1 \n%s\n", bad[i]);
        put(0, text);
        if (bb_read(path[0], take, &s, &err) >= 0) fail_msg("'%s' is read", bad[i]);
        assert_non_null(strstr(err.text, ":2: no frequency vector"));
    }
    struct seen s = {.stop = 1};
    struct error err = {""};
    put(0, "T:1:1\nT:1:1\n");
    assert_true(bb_read(path[0], take, &s, &err) < 0);
    assert_string_equal(err.text, "enough");
    assert_true(bb_read("/no/such.bb", take, &s, &err) < 0);
    assert_non_null(strstr(err.text, "/no/such.bb"));
}

static void test_points(void **unused) {
    (void)unused;
    static const struct {
        const char *points, *weights, *fault;
    } cases[] = {{"5 0\n9 2\n", "0.25 0\n0.75 2\n", NULL},
                 {"5 0\n9 2\n", "0.75 2\n0.25 0\n", "label"}, // tools have written them in another order
                 {"5 0\n", "0.25 0\n0.75 2\n", "fewer lines"},
                 {"5 0\n9 2\n", "0.25 0\n0.25 2\n", "sum to 0.5"},
                 {"5\n", "1 0\n", "INTERVAL LABEL"},
                 {"-5 0\n", "1 0\n", "INTERVAL LABEL"},
                 {"5.5 0\n", "1 0\n", "INTERVAL LABEL"},
                 {"5 0\n", "nan 0\n", "WEIGHT LABEL"},
                 {"", "", "0 weights"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct simpoint *list;
        size_t count;
        struct error err = {""};
        put(0, cases[i].points);
        put(1, cases[i].weights);
        const int rc = simpoints_read(path[0], path[1], &list, &count, &err);
        if (cases[i].fault) {
            if (rc >= 0 || !strstr(err.text, cases[i].fault)) fail_msg("case %zu: %d, '%s'", i, rc, err.text);
            assert_null(list);
            continue;
        }
        assert_int_equal(rc, 0);
        assert_int_equal(count, 2);
        assert_true(list[1].interval == 9 && list[1].label == 2 && list[1].weight == 0.75);
        free(list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors), cmocka_unit_test(test_gzip),
                                       cmocka_unit_test(test_what_is_written), cmocka_unit_test(test_bad_vectors),
                                       cmocka_unit_test(test_points)};
    return cmocka_run_group_tests(tests, NULL, clean);
}
