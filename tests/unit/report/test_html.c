// The data of an HTML report, of a sample file made here of the program tests/unit/analysis/tiny.S; and the JSON it is
// written as. By hand: 29 samples of 10 cycles at 0x80000004 and 0x80000008, Computing; one of 50 at 0x80000000,
// Drained for 20, then Stalled for 30; 6 of 10 at leaf, Stalled. 400 cycles, 36 samples: 4 bins of 100. In 1/12 cycle:
//
//   row  where       state      weight  bin 0  bin 1  bin 2  bin 3  samples (1/12)
//   0    0x80000000  Stalled       360                          360       0
//   1    0x80000000  Drained       240                   120    120      12
//   2    0x80000004  Computing    1740    600    600     540             174
//   3    0x80000008  Computing    1740    600    600     540             174
//   4    0x8000001c  Stalled       720                          720      72
#include "report/formats.h"
#include "report/json_text.h"
#include "report/report.h"
#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/report/report_test.h"

static char folder[] = "/tmp/test_html_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH], page[REPORT_TEST_PATH];

static const struct profile_row oracle[] = {
    {.pc = 0x80000000, .state = STATE_DRAINED, .psv = 1, .weight = 4764},
    {.pc = 0x80000018, .state = STATE_COMPUTING, .weight = 24},
    {.pc = 0x8000001e, .state = STATE_COMPUTING, .weight = 12},
    {.pc = PROFILE_PC_END, .state = STATE_DRAINED, .weight = 12},
};

static bool write_text(const char *path, const char *text) {
    FILE *f = fopen(path, "we");
    return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

static bool add(struct samples_writer *w, uint64_t cycle, const struct sample_record *record) {
    struct sample_record r = *record;
    r.cycle = cycle;
    return samples_add(w, &r, NULL) == 0;
}

static bool write_file(void) {
    static const struct sample_record computing = {
        .cycles = 10, .sample = {.state = STATE_COMPUTING, .valid = 3, .addr = {0x80000004, 0x80000008}}};
    static const struct sample_record drained = {
        .cycles = 50,
        .stalled_cycles = 30,
        .repeats = 1,
        .stalled = 3,
        .sample = {.state = STATE_DRAINED, .valid = 1, .addr = {0x80000000}, .psv = {1}}};
    static const struct sample_record stalled = {
        .cycles = 10, .sample = {.state = STATE_STALLED, .valid = 1, .addr = {0x8000001c}, .psv = {0x140}}};
    struct samples_header h = report_test_header(elf);
    h.vectors = SAMPLES_VECTORS_COMMIT;
    strcpy(h.command, "tipoff run </script><b>&");
    strcpy(h.build_id, "0123456789abcdef");
    struct samples_writer *w = samples_create(tips, &h, NULL);
    bool good = w;
    for (unsigned i = 0; good && i < 29; i++)
        good = add(w, 10 * (i + 1), &computing);
    good = good && add(w, 300, &drained);
    for (unsigned i = 0; good && i < 6; i++)
        good = add(w, 350 + 10 * i, &stalled);
    return good && samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 4, NULL) == 0 &&
           report_test_totals(w, 401, 580) && samples_close(w, NULL) == 0;
}

static int set_up(void **state) {
    (void)state;
    if (!report_test_begin(folder, elf, tips, "-Wl,--build-id=0x0123456789abcdef")) return -1;
    snprintf(page, sizeof page, "%s/page.html", folder);
    const char *text = "<title><!--tipoff:title--></title><pre><!--tipoff:text--></pre><script "
                       "id=data><!--tipoff:data--></script>\n";
    return write_file() && write_text(page, text) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return report_test_end(folder);
}

static char *html(const char *profiler) {
    return report_test_write(
        tips, &(struct report_options){
                  .format = report_format_find(false, "html"), .top = 20, .page = page, .profiler = profiler});
}

static cJSON *document(const char *profiler) {
    char *text = html(profiler);
    char *data = strstr(text, "id=data>");
    assert_non_null(data);
    data += strlen("id=data>");
    char *end = strstr(data, "</script>");
    assert_non_null(end);
    assert_string_equal(end, "</script>\n"); // the first one is the last
    *end = '\0';
    cJSON *document = cJSON_Parse(data);
    assert_non_null(document);
    free(text);
    return document;
}

static const cJSON *item(const cJSON *object, const char *a, const char *b) {
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(object, a);
    return b ? cJSON_GetObjectItemCaseSensitive(found, b) : found;
}

static void expect_numbers(const cJSON *array, const double *expected, int count) {
    assert_int_equal(cJSON_GetArraySize(array), count);
    for (int i = 0; i < count; i++)
        assert_true(cJSON_GetArrayItem(array, i)->valuedouble == expected[i]);
}
#define EXPECT(array, ...)                                                                                             \
    do {                                                                                                               \
        const double expected[] = {__VA_ARGS__};                                                                       \
        expect_numbers(array, expected, sizeof expected / sizeof *expected);                                           \
    } while (0)

static const char *string(const cJSON *document, const cJSON *number) {
    return cJSON_GetArrayItem(item(document, "strings", NULL), number->valueint)->valuestring;
}

static void test_rows(void **state) {
    (void)state;
    cJSON *d = document(NULL);
    EXPECT(item(d, "rows", "weight"), 360, 240, 1740, 1740, 720);
    EXPECT(item(d, "rows", "state"), STATE_STALLED, STATE_DRAINED, STATE_COMPUTING, STATE_COMPUTING, STATE_STALLED);
    EXPECT(item(d, "rows", "psv"), 1, 1, 0, 0, 0x140);
    EXPECT(item(d, "rows", "function"), 0, 0, 0, 0, 2); // 1 is what no symbol covers, 3 the end: the Oracle's alone
    EXPECT(item(d, "rows", "instruction"), 0, 0, 1, 2, 0);
    EXPECT(item(d, "row_samples", NULL), 0, 12, 174, 174, 72);
    EXPECT(item(d, "rows", "frame"), 2, 2, 2, 2, 2); // no call stacks: the program, in user mode
    EXPECT(item(d, "frames", "parent"), -1, 0);
    EXPECT(item(d, "frames", "function"), -1, -1);
    assert_string_equal(string(d, cJSON_GetArrayItem(item(d, "frames", "name"), 0)), elf);
    cJSON_Delete(d);
}

static void test_timeline(void **state) {
    (void)state;
    static const double rows[][3] = {{2, 3}, {2, 3}, {1, 2, 3}, {0, 1, 4}};
    static const double weights[][3] = {{600, 600}, {600, 600}, {120, 540, 540}, {360, 120, 720}};
    static const int counts[] = {2, 2, 3, 3};
    cJSON *d = document(NULL);
    assert_int_equal(item(d, "timeline", "cycles")->valueint, 100);
    const cJSON *bins = item(d, "timeline", "bins");
    assert_int_equal(cJSON_GetArraySize(bins), 4);
    for (int b = 0; b < 4; b++) {
        expect_numbers(cJSON_GetArrayItem(cJSON_GetArrayItem(bins, b), 0), rows[b], counts[b]);
        expect_numbers(cJSON_GetArrayItem(cJSON_GetArrayItem(bins, b), 1), weights[b], counts[b]);
    }
    cJSON_Delete(d);
    d = document("Oracle"); // which knows no time
    assert_true(cJSON_IsNull(item(d, "timeline", NULL)));
    EXPECT(item(d, "rows", "weight"), 4764, 24, 12, 12);
    cJSON_Delete(d);
}

static void test_functions(void **state) {
    (void)state;
    static const char *const names[] = {"_start", "[.text+0x18]", "leaf", "end of run"};
    cJSON *d = document(NULL);
    for (int i = 0; i < 4; i++)
        assert_string_equal(string(d, cJSON_GetArrayItem(item(d, "functions", "name"), i)), names[i]);
    EXPECT(item(d, "functions", "code"), 0, 1, 2, -1);
    const cJSON *start = cJSON_GetArrayItem(item(d, "code", NULL), 0),
                *leaf = cJSON_GetArrayItem(item(d, "code", NULL), 2);
    assert_string_equal(item(start, "start", NULL)->valuestring, "0x80000000");
    EXPECT(item(start, "offset", NULL), 0, 4, 8, 12, 16, 20); // whole
    EXPECT(item(start, "block", NULL), 1, 1, 0, 1, 1, 1);
    EXPECT(item(start, "line", NULL), 8, 10, 11, 12, 13, 14);
    assert_string_equal(string(d, cJSON_GetArrayItem(item(start, "text", NULL), 2)), "bnez a0, _start+0x4");
    EXPECT(item(leaf, "offset", NULL), 0, 2, 4, 6);
    cJSON_Delete(d);
}

static void test_profilers(void **state) {
    (void)state;
    cJSON *d = document(NULL);
    const cJSON *list = item(d, "profilers", NULL);
    assert_int_equal(cJSON_GetArraySize(list), 2);
    const cJSON *tip = cJSON_GetArrayItem(list, 0), *reference = cJSON_GetArrayItem(list, 1);
    assert_string_equal(item(tip, "name", NULL)->valuestring, "TIP");
    EXPECT(item(tip, "function", NULL), 0, 0, 0, 2);
    EXPECT(item(tip, "instruction", NULL), 0, 1, 2, 0);
    EXPECT(item(tip, "weight", NULL), 600, 1740, 1740, 720);
    assert_string_equal(item(reference, "name", NULL)->valuestring, "Oracle");
    EXPECT(item(reference, "function", NULL), 0, 1, 2, 3);
    EXPECT(item(reference, "instruction", NULL), 0, 0, 1, 0);
    EXPECT(item(reference, "weight", NULL), 4764, 24, 12, 12);
    cJSON_Delete(d);
}

static void test_page(void **state) {
    (void)state;
    char *text = html(NULL);
    assert_int_equal(strncmp(text, "<title>tiny.elf</title><pre>\ntiny.elf on test4\n", 47), 0);
    assert_non_null(strstr(text, "tipoff run &lt;/script&gt;&lt;b&gt;&amp;\n")); // in the text
    assert_non_null(strstr(text, "\"tipoff run \\u003c/script>\\u003cb>&\""));   // in the data
    assert_non_null(strstr(text, "tests/unit/analysis/tiny.S"));
    assert_null(strstr(text, "<b>"));
    free(text);
    struct report_options o = {.format = report_format_find(false, "html"), .page = "/tmp/no such page"};
    struct error err = {""};
    assert_true(report_write(tips, &o, stdout, &err) < 0);
    assert_string_equal(err.text,
                        "/tmp/no such page: no page for HTML reports: `make html` builds it, and needs the npm "
                        "registry once");
}

static void test_explanations(void **state) {
    (void)state;
    cJSON *d = document(NULL);
    const cJSON *stalled = cJSON_GetArrayItem(item(d, "why", NULL), STATE_STALLED);
    assert_string_equal(item(cJSON_GetArrayItem(stalled, 0), "words", NULL)->valuestring, "the core waits for it");
    assert_string_equal(item(cJSON_GetArrayItem(stalled, 1), "event", NULL)->valuestring, "ST_COH");
    assert_int_equal(cJSON_GetArraySize(item(d, "event_list", NULL)), EVENT_COUNT);
    const cJSON *first = cJSON_GetArrayItem(item(d, "event_list", NULL), EVENT_FL_MB);
    assert_string_equal(item(first, "name", NULL)->valuestring, "FL_MB");
    assert_string_equal(item(first, "state", NULL)->valuestring, "Flushed");
    assert_string_equal(item(first, "text", NULL)->valuestring, "mispredicted branch or jump");
    cJSON_Delete(d);
}

static void test_json_text(void **state) {
    (void)state;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    json_text_string(out, "a\"b\\c</x>&\n\x01\xc3\xa9");
    const uint32_t numbers[] = {0, UINT32_MAX - 1, STRING_NONE};
    const uint64_t weights[] = {UINT64_MAX};
    JSON_COLUMN(out, "\"n\"", i, 3, number_or_none(numbers[i]));
    JSON_WEIGHTS(out, ",\"w\"", i, 1, weights[i]);
    JSON_COLUMN(out, ",\"e\"", i, 0, numbers[i]);
    JSON_EACH(out, ",\"d\"", i, 2, "%.9g:%u", 0.5 + (double)i, numbers[i]);
    fclose(out);
    assert_string_equal(text, "\"a\\\"b\\\\c\\u003c/x\\u003e\\u0026\\u000a\\u0001\xc3\xa9\"\"n\":[0,4294967294,-1]"
                              ",\"w\":[18446744073709551615],\"e\":[],\"d\":[0.5:0,1.5:4294967294]");
    free(text);
}

static void test_strings(void **state) {
    (void)state;
    struct string_table *t = string_table_create();
    char text[16], *written = NULL;
    size_t bytes;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 5000; i++) { // more than the table begins with
            snprintf(text, sizeof text, "s%u", i);
            assert_int_equal(string_table_number(t, text), i);
        }
    }
    assert_true(string_table_good(t));
    FILE *out = open_memstream(&written, &bytes);
    string_table_write(t, out);
    fclose(out);
    cJSON *array = cJSON_Parse(written);
    assert_int_equal(cJSON_GetArraySize(array), 5000);
    assert_string_equal(cJSON_GetArrayItem(array, 4999)->valuestring, "s4999");
    cJSON_Delete(array);
    free(written);
    string_table_destroy(t);
    string_table_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_timeline), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_profilers), cmocka_unit_test(test_page),     cmocka_unit_test(test_explanations),
        cmocka_unit_test(test_json_text), cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
