// Rows whose columns each format picks by name: as text, CSV and JSON, with texts from outside in them, and without
// memory; and the columns that say where a place is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka's own order
#include <cmocka.h>

#include "report/columns.h"
#include "report/formats.h"
#include "report/place_columns.h"
#include "tests/unit/report/report_test.h"
#include <cjson/cJSON.h>
#include <math.h>

struct row {
    const char *name;
    uint64_t weight, states[STATE_COUNT + 1];
    double mean;
};

static struct value get(const void *row, const char *column, char *room, size_t size) {
    const struct row *r = row;
    if (column_is(column, "weight")) return value_weight(r->weight, 12);
    if (column_is(column, "share")) return value_share(r->weight, 12000);
    if (column_is(column, "states")) return value_states(r->states, 12, 12000);
    if (column_is(column, "mean")) return value_number(r->mean);
    if (column_is(column, "digits")) return value_weight(12345, 1);
    if (column_is(column, "list")) return value_item(cJSON_CreateArray());
    if (column_is(column, "known")) return isnan(r->mean) ? value_none() : value_truth(true);
    if (column_is(column, "fewer")) return (struct value){.kind = VALUE_CYCLES, .real = -1234.5};
    if (column_is(column, "more")) return (struct value){.kind = VALUE_CYCLES, .with = true, .real = 0.25};
    if (column_is(column, "less")) return (struct value){.kind = VALUE_POINTS, .with = true, .real = -0.125};
    if (column_is(column, "points")) return (struct value){.kind = VALUE_POINTS, .real = 0.125};
    if (column_is(column, "of.weight") || column_is(column, "of.mean"))
        return get(row, strchr(column, '.') + 1, room, size);
    assert_true(column_is(column, "name"));
    snprintf(room, size, "%s", r->name);
    return value_text(room);
}

static const struct columns columns = {.text = "{share}|{weight:9}|{states:8}|{name:-6}|{mean} {digits:7}\n",
                                       .csv = "name,weight,states,mean,digits",
                                       .json =
                                           "name,?mean,weight,share,mean,digits,states,list,of.weight,?of.mean,?known",
                                       .get = get};
// 1234.5 cycles; a mean that is not known, and a name that is hostile to each of the formats.
static const struct row plain = {"ü", 14814, {6000, 6000}, 0.1};
static const struct row hostile = {"\x1b[2J,\"\n\xff", 6000, {0, 0, 0, 0, 6000}, NAN};

static char *written(const struct report_format *format, bool colour, struct cJSON *array) {
    const struct report_options o = {.format = format, .colour = colour};
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    struct rows to = {&o, out, array, false};
    if (format == &format_csv) columns_csv_heading(&columns, out);
    rows_add(&to, &columns, &plain);
    rows_add(&to, &columns, &hostile);
    assert_false(to.failed);
    fclose(out);
    return text;
}

static void test_text(void **state) {
    (void)state;
    char *text = written(&format_text, false, NULL);
    assert_string_equal(text, " 123.5 %|    1,235|CCCCSSSS|ü     |0.100  12,345\n"
                              "  50.0 %|      500|xxxx    |\\x1b[2J,\"\\x0a\\xff|-  12,345\n");
    free(text);
    text = written(&format_text, true, NULL);
    assert_non_null(strstr(text, "\033[1;31m  50.0 %\033[0m|      500|xxxx\033[0m    |\\x1b[2J,\"\\x0a\\xff|"));
    free(text);
}

static void test_csv(void **state) {
    (void)state;
    char *text = written(&format_csv, false, NULL);
    assert_string_equal(text, "name,weight,Computing,Stalled,Flushed,Drained,Unknown,mean,digits\n"
                              "ü,14814,500,500,0,0,0,0.1,12345\n"
                              "\"\\x1b[2J,\"\"\\x0a\\xff\",6000,0,0,0,0,500,,12345\n");
    free(text);
}

static void test_json(void **state) {
    (void)state;
    cJSON *array = cJSON_CreateArray();
    char *text = written(&format_json, false, array);
    assert_string_equal(text, "");
    free(text);
    cJSON *second = cJSON_GetArrayItem(array, 1);
    assert_string_equal(cJSON_GetObjectItem(second, "name")->valuestring, hostile.name);
    cJSON_DeleteItemFromObject(second, "name");
    text = cJSON_PrintUnformatted(array);
    assert_string_equal(text,
                        "[{\"name\":\"ü\",\"mean\":0.1,\"weight\":14814,\"share\":1.2345,\"mean\":0.1,\"digits\":12345,"
                        "\"states\":{\"Computing\":6000,\"Stalled\":6000,\"Flushed\":0,\"Drained\":0},\"list\":[],"
                        "\"of\":{\"weight\":14814,\"mean\":0.1},\"known\":true},"
                        "{\"weight\":6000,\"share\":0.5,\"mean\":null,\"digits\":12345,"
                        "\"states\":{\"Computing\":0,\"Stalled\":0,\"Flushed\":0,\"Drained\":0,\"Unknown\":6000},"
                        "\"list\":[],\"of\":{\"weight\":6000}}]");
    cJSON_free(text);
    cJSON_Delete(array);
}

// Amounts: exact in files, rounded and perhaps with their sign for people.
static void test_amounts(void **state) {
    (void)state;
    static const struct columns amounts = {.text = "{fewer}|{more:4}|{less:-9}|{points}\n",
                                           .csv = "fewer,more,less,points,known",
                                           .json = "fewer,more,less,points",
                                           .get = get},
                                open = {.csv = "name,weight,", .get = get};
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    columns_text(&amounts, &(struct report_options){0}, &plain, out);
    columns_csv(&amounts, &plain, out);
    columns_csv_heading(&open, out); // a line that goes on
    columns_csv(&open, &plain, out);
    columns_csv(&amounts, &hostile, out);
    fclose(out);
    assert_string_equal(text, "-1,235|  +0|-12.50 % |12.50 %\n-1234.5,0.25,-0.125,0.125,1\n"
                              "name,weight,ü,14814,-1234.5,0.25,-0.125,0.125,\n");
    free(text);
    cJSON *object = columns_json(&amounts, &plain);
    text = cJSON_PrintUnformatted(object);
    assert_string_equal(text, "{\"fewer\":-1234.5,\"more\":0.25,\"less\":-0.125,\"points\":0.125}");
    cJSON_free(text);
    cJSON_Delete(object);
}

// ---- no memory, from each allocation on ----
static int left, live;
static void *scarce(size_t size) {
    if (left-- <= 0) return NULL;
    live++;
    return malloc(size);
}
static void give_back(void *p) {
    live -= p != NULL;
    free(p);
}

static void test_no_memory(void **state) {
    (void)state;
    const struct report_options o = {.format = &format_json};
    bool whole = false;
    for (int allowed = 1; !whole; allowed++) {
        cJSON_InitHooks(&(cJSON_Hooks){scarce, give_back});
        left = allowed;
        struct rows to = {&o, NULL, cJSON_CreateArray(), false};
        rows_add(&to, &columns, &plain);
        whole = !to.failed;
        assert_int_equal(cJSON_GetArraySize(to.array), whole);
        cJSON_Delete(to.array);
        assert_int_equal(live, 0);
        cJSON_InitHooks(NULL);
        assert_true(allowed < 100);
    }
}

// ---- places ----
static char folder[] = "/tmp/test_columns_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH];
enum { KNOWN = 0x80000004, OUTSIDE = 0x12340 };

static void expect_place(const struct run *d, enum granularity g, struct place place, const char *json) {
    cJSON *object = place_json(d, g, place, "unit,instruction,?instruction,source,?file,?line,?mode");
    char *text = cJSON_PrintUnformatted(object);
    assert_string_equal(text, json);
    cJSON_free(text);
    cJSON_Delete(object);
}

// An instruction that no image has: a member that has to be there is empty, one that may be left out is.
static void test_places(void **state) {
    (void)state;
    static const struct profile_row oracle[] = {{KNOWN, STATE_COMPUTING, 0, 12, 0, 0}};
    const struct samples_header h = report_test_header(elf);
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 1, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    struct run d;
    struct error err;
    assert_true(run_open(&d, tips, &(struct report_options){.profiler = "Oracle"}, &err));
    expect_place(&d, BY_INSTRUCTION, (struct place){OUTSIDE, 0},
                 "{\"unit\":\"0x12340\",\"instruction\":\"\",\"source\":\"\",\"mode\":\"user\"}");
    expect_place(&d, BY_FUNCTION, (struct place){OUTSIDE, 0},
                 "{\"unit\":\"0x12340\",\"instruction\":\"\",\"source\":\"\",\"mode\":\"user\"}");
    expect_place(&d, BY_INSTRUCTION, PLACE_END, "{\"unit\":\"end of run\",\"instruction\":\"\",\"source\":\"\"}");
    cJSON *object = place_json(&d, BY_INSTRUCTION, (struct place){KNOWN, 0}, "?instruction,?file,?line");
    assert_true(*cJSON_GetObjectItem(object, "instruction")->valuestring);
    assert_int_equal(cJSON_HasObjectItem(object, "file"), cJSON_HasObjectItem(object, "line"));
    cJSON_Delete(object);
    run_close(&d);
}

static int set_up(void **state) {
    (void)state;
    return report_test_begin(folder, elf, tips, "") ? 0 : -1;
}
static int tear_down(void **state) {
    (void)state;
    return report_test_end(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),      cmocka_unit_test(test_csv),
                                       cmocka_unit_test(test_json),      cmocka_unit_test(test_amounts),
                                       cmocka_unit_test(test_no_memory), cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
