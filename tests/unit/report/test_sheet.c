// A sheet's cells, as people and as programs read them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka's own order
#include <cmocka.h>

#include "report/sheet.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

static struct sheet *filled(void) {
    struct sheet *s = sheet_create();
    sheet_column(s, "name", "who", SHEET_LEFT);
    sheet_column(s, "weight", "cycles", SHEET_RIGHT);
    sheet_column(s, "share", "share", SHEET_RIGHT);
    sheet_column(s, "space", "", SHEET_FILES);
    sheet_column(s, "mean", "mean", SHEET_RIGHT);
    sheet_column(s, "bar", "bar", SHEET_TEXT);
    sheet_text(s, "a,\"b\"");
    sheet_add(s, value_weight(14814, 12)); // 1234.5 cycles
    sheet_add(s, value_share(1, 3));
    sheet_add(s, value_address(0x80000000));
    sheet_add(s, value_real(2.5, 2));
    sheet_text(s, "##");
    sheet_text(s, "ü");
    sheet_add(s, value_weight(5, 12));
    sheet_add(s, value_share(0, 0));
    sheet_add(s, value_address(UINT64_MAX));
    sheet_add(s, value_real(NAN, 2));
    sheet_add(s, value_none());
    assert_true(sheet_good(s));
    assert_int_equal(sheet_rows(s), 2);
    return s;
}

static void text_of(struct sheet *s, FILE *out) {
    sheet_write_text(s, SHEET_ALL, out);
}
static void first_of(struct sheet *s, FILE *out) {
    sheet_write_text(s, 1, out);
}
static void csv_of(struct sheet *s, FILE *out) {
    sheet_write_csv(s, out);
}
static void json_of(struct sheet *s, FILE *out) {
    sheet_write_json(s, out);
}

static void page_of(struct sheet *s, FILE *out) {
    sheet_write_page(s, 1, out);
}

static void expect(void (*write)(struct sheet *, FILE *), const char *wanted) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct sheet *s = filled();
    write(s, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, wanted);
    sheet_destroy(s);
    free(text);
}

static void test_text(void **state) {
    (void)state;
    expect(text_of, "  who    cycles   share  mean  bar\n"
                    "  a,\"b\"   1,235  33.3 %  2.50  ##\n"
                    "  ü           0   0.0 %     -  -\n");
}

// Widths are those of the rows that are written.
static void test_first(void **state) {
    (void)state;
    expect(first_of, "  who    cycles   share  mean  bar\n"
                     "  a,\"b\"   1,235  33.3 %  2.50  ##\n");
}

static void test_csv(void **state) {
    (void)state;
    expect(csv_of, "name,weight,share,space,mean\n"
                   "\"a,\"\"b\"\"\",14814,0.33333333333333331,0x80000000,2.50\n"
                   "ü,5,0,0xffffffffffffffff,\n");
}

static void test_json(void **state) {
    (void)state;
    expect(json_of,
           "[\n{\"name\":\"a,\\\"b\\\"\",\"weight\":14814,\"share\":0.33333333333333331,\"space\":\"0x80000000\","
           "\"mean\":2.50},\n"
           "{\"name\":\"ü\",\"weight\":5,\"share\":0,\"space\":\"0xffffffffffffffff\",\"mean\":null}]");
}

// Of the page: what text shows, and numbers to sort by, of as many rows as there may be.
static void test_page(void **state) {
    (void)state;
    expect(page_of,
           "\"columns\":[{\"key\":\"name\",\"heading\":\"who\",\"right\":false,\"texts\":[\"a,\\\"b\\\"\"],"
           "\"values\":null},\n"
           "{\"key\":\"weight\",\"heading\":\"cycles\",\"right\":true,\"texts\":[\"1,235\"],\"values\":[14814]},\n"
           "{\"key\":\"share\",\"heading\":\"share\",\"right\":true,\"texts\":[\"33.3 %\"],"
           "\"values\":[0.33333333333333331]},\n"
           "{\"key\":\"mean\",\"heading\":\"mean\",\"right\":true,\"texts\":[\"2.50\"],\"values\":[2.50]},\n"
           "{\"key\":\"bar\",\"heading\":\"bar\",\"right\":false,\"texts\":[\"##\"],\"values\":null}]");
}

// In a document: a column of what may be known is left out of objects that do not know it.
static void test_item(void **state) {
    (void)state;
    struct sheet *s = sheet_create();
    sheet_column(s, "error", "error", SHEET_RIGHT);
    sheet_column(s, "chance", "", SHEET_KNOWN);
    sheet_column(s, "file", "", SHEET_FILES);
    sheet_add(s, value_number(0.1));
    sheet_add(s, value_number(NAN));
    sheet_text(s, "a\nb"); // nobody reads it as text: it stays as it is
    sheet_add(s, value_none());
    sheet_add(s, value_count(UINT64_MAX));
    sheet_add(s, value_none());
    cJSON *array = sheet_json(s);
    char *text = cJSON_PrintUnformatted(array);
    assert_string_equal(text, "[{\"error\":0.1,\"file\":\"a\\nb\"},"
                              "{\"error\":null,\"chance\":18446744073709551615,\"file\":null}]");
    cJSON_free(text);
    cJSON_Delete(array);
    sheet_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_first),
                                       cmocka_unit_test(test_csv),  cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_item), cmocka_unit_test(test_page)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
