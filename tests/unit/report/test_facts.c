// What a report says of single instructions from the run's statistics, of a file made here, of the program
// tests/unit/analysis/tiny.S. By hand, of 1,000 cycles:
//   the branch at 0x80000008 is executed 1 + 399 times, and mispredicted 90 + 10 times: 25 %
//   it costs 180 + 20 cycles of an empty ROB and 270 after it, all at 0x80000004: 20.0 + 27.0 = 47.0 %
#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "report/formats.h"
#include "tests/unit/report/report_test.h"
#include "tests/unit/samples/old_file.h"

enum { UNITS = 12 };
static char folder[] = "/tmp/test_facts_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH];

#define GROUP "\"from_mode\": 3, \"from_space\": 0, \"to_mode\": 3, \"to_space\": 0"
#define EDGES                                                                                                          \
    "\"edges\": [{" GROUP ", \"taken\": [\"- 80000000 1\", \"80000008 80000004 399\", \"8000000c 8000001c 1\", "       \
    "\"80000022 80000010 1\", \"80000010 - 1\"]}]"
#define REFILLS                                                                                                        \
    "\"refills\": [{" GROUP ", \"pairs\": [\"80000008 80000004 90 180 270\", \"80000008 8000000c 10 20 0\", "          \
    "\"8000001e 80000020 1 0 0\"]}]"
#define MET                                                                                                            \
    "\"met\": [{\"mode\": 3, \"space\": 0, \"met\": [\"8000001c 40 100\", \"8000001c 1c0 20\", \"80000008 8 100\"]}]"
#define TOTALS "\"cycles\": 1000, \"instructions\": 1206"

static const struct profile_row oracle[] = {
    {.pc = 0x80000004, .state = STATE_STALLED, .weight = 300 * UNITS, .context = MODE_MACHINE},
    {.pc = 0x80000008, .state = STATE_FLUSHED, .psv = 1 << EVENT_FL_MB, .weight = 200 * UNITS, .context = MODE_MACHINE},
    {.pc = 0x8000001c, .state = STATE_COMPUTING, .weight = 500 * UNITS, .context = MODE_MACHINE}};

static void write_file(const char *statistics) {
    static const char *const events[] = {EVENT_NAMES};
    struct samples_header h = {.clock_mhz = 1000,
                               .width = 4,
                               .units = UNITS,
                               .sampling.period = 10,
                               .event_count = EVENT_COUNT,
                               .contexts = true};
    for (int i = 0; i < EVENT_COUNT; i++)
        strcpy(h.events[i], events[i]);
    snprintf(h.program, sizeof h.program, "%s", elf);
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 3, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    old_file(tips, 2, statistics);
}

static char *report(const struct report_format *format) {
    const struct report_options o = {.format = format, .granularity = BY_INSTRUCTION, .top = 20};
    struct error err = {""};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_int_equal(report_write(tips, &o, out, &err), 0);
    fclose(out);
    return text;
}

static void expect(const char *text, const char *words, bool there) {
    if (!!strstr(text, words) != there) fail_msg("%s: '%s' in:\n%s", there ? "not found" : "found", words, text);
}

static void mispredictions_text(void **state) {
    (void)state;
    write_file("{" TOTALS ", " EDGES ", " REFILLS "}");
    char *text = report(&format_text);
    expect(text, "Mispredictions cost 47.0 %: 20.0 % Flushed, and 27.0 % Stalled while the pipeline fills again\n",
           true);
    expect(text,
           "the pipeline refills after it: mispredicted in 25.0 % of 400 executions; costs 47.0 % of the time, 20.0 % "
           "here and "
           "27.0 % booked to what runs next\n",
           true);
    expect(text, "the core waits for it; 27.0 % of the time while the pipeline fills after _start+0x8, mispredicted\n",
           true);
    expect(text, "Mispredicted branches by cost (1 of 2)\n", true); // the other one costs nothing
    expect(text, "  47.0 %  20.0 %  27.0 %          100    25.0 %  0x80000008  bnez a0, _start+0x4", true);
    expect(text, "tiny.S:11        _start+0x4\n", true);
    free(text);
}

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void mispredictions_json(void **state) {
    (void)state;
    write_file("{" TOTALS ", " EDGES ", " REFILLS "}");
    char *text = report(&format_json);
    cJSON *root = cJSON_Parse(text);
    const cJSON *list = cJSON_GetObjectItem(root, "mispredictions"), *first = cJSON_GetArrayItem(list, 0);
    assert_int_equal(cJSON_GetArraySize(list), 2);
    assert_string_equal(cJSON_GetObjectItem(first, "unit")->valuestring, "0x80000008");
    assert_true(number(first, "executions") == 400 && number(first, "mispredicted") == 100);
    assert_true(number(first, "cycles_here") == 200 && number(first, "cycles_behind") == 270);
    const cJSON *behind = cJSON_GetObjectItem(first, "behind");
    assert_int_equal(cJSON_GetArraySize(behind), 2);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(behind, 1), "name")->valuestring, "_start+0xc");
    assert_true(number(cJSON_GetArrayItem(behind, 1), "mispredicted") == 10);
    cJSON_Delete(root);
    free(text);
}

// The correct path is delayed by 600 + 30 cycles: more than the visible cost, and printed; 40: less, and not.
static void at_most(void **state) {
    (void)state;
    write_file("{" TOTALS ", " EDGES ", \"refills\": [{" GROUP
               ", \"pairs\": [\"80000008 80000004 90 180 270 600\", \"80000008 8000000c 10 20 0 30\"]}]}");
    char *text = report(&format_text);
    expect(text, "fills again\n  ... and up to 63.0 %, if no other work overlaps the delay of the correct path\n",
           true);
    expect(text,
           "27.0 % booked to what runs next; up to 63.0 % if no other work overlaps the delay of the correct path\n",
           true);
    free(text);
    text = report(&format_json);
    cJSON *root = cJSON_Parse(text);
    assert_true(number(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "mispredictions"), 0), "cycles_late") == 630);
    cJSON_Delete(root);
    free(text);
    write_file("{" TOTALS ", \"refills\": [{" GROUP ", \"pairs\": [\"80000008 80000004 90 180 270 40\"]}]}");
    text = report(&format_text);
    expect(text, "up to", false);
    free(text);
}

// A run without the workers says nothing of them.
static void not_known(void **state) {
    (void)state;
    write_file("{" TOTALS "}");
    char *text = report(&format_text);
    expect(text, "ispredictions cost", false);
    expect(text, "Mispredicted branches", false);
    expect(text, "the pipeline refills after it: mispredicted\n", true);
    free(text);
    text = report(&format_json);
    cJSON *root = cJSON_Parse(text);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(root, "mispredictions")));
    cJSON_Delete(root);
    free(text);
    write_file("{" TOTALS ", " REFILLS "}"); // costs, and no counts of executions
    text = report(&format_text);
    expect(text, "the pipeline refills after it: mispredicted; costs 47.0 % of the time", true);
    expect(text, "          100         -  0x80000008", true);
    free(text);
}

// Lines that a damaged file might have are passed over.
static void damaged(void **state) {
    (void)state;
    write_file("{" TOTALS ", \"refills\": [{" GROUP ", \"pairs\": [\"\", \"zz\", 7, \"80000008\", null]}, 3, "
               "{\"pairs\": 5}], \"met\": [2, {\"met\": [\"x\", 4, \"8000001c\", \"8000001c 99999999999 1\"]}]}");
    char *text = report(&format_text);
    expect(text, "Mispredicted branches", false);
    free(text);
}

// The load at 0x8000001c (an add, in truth) met ST_L1 in 100 + 20 of 1 executions, which the edges say; the branch's
// 100 are reported with its price.
static void rates(void **state) {
    (void)state;
    write_file("{" TOTALS ", " EDGES ", " REFILLS ", " MET "}");
    char *text = report(&format_text);
    expect(text, "           400    0.75  0x80000004", true); // 300 cycles
    expect(text, "             1  500.00  0x8000001c", true);
    expect(text, "mispredicted in 25.0 % of 400 executions;", true);
    free(text);
    text = report(&format_json);
    cJSON *root = cJSON_Parse(text);
    const cJSON *unit;
    unsigned seen = 0;
    cJSON_ArrayForEach(unit, cJSON_GetObjectItem(root, "units")) {
        const cJSON *met = cJSON_GetObjectItem(unit, "met");
        if (strcmp(cJSON_GetObjectItem(unit, "unit")->valuestring, "0x8000001c") == 0) {
            assert_true(number(met, "ST_L1") == 120 && number(met, "ST_TLB") == 20 && number(met, "ST_LLC") == 20);
            assert_true(cJSON_GetArraySize(met) == 3 && number(unit, "executions") == 1);
            seen++;
        } else if (strcmp(cJSON_GetObjectItem(unit, "unit")->valuestring, "0x80000004") == 0) {
            assert_true(cJSON_GetArraySize(met) == 0 && number(unit, "executions") == 400);
            seen++;
        }
    }
    assert_int_equal(seen, 2);
    cJSON_Delete(root);
    free(text);
    write_file("{" TOTALS "}");
    text = report(&format_text);
    expect(text, "executions", false);
    free(text);
    text = report(&format_json);
    root = cJSON_Parse(text);
    unit = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "units"), 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(unit, "met")) &&
                cJSON_IsNull(cJSON_GetObjectItem(unit, "executions")));
    cJSON_Delete(root);
    free(text);
}

// 230 of the 300 cycles at 0x80000004: most of them for the branch (a load, in truth), which misses in a quarter.
static void waits(void **state) {
    (void)state;
    const char *const waiting =
        "\"waits\": [{" GROUP ", \"pairs\": [\"80000004 80000008 150 200 20\", \"80000004 8000001c "
        "30 30 30\", \"8000001c 80000008 3 49 3\"]}], \"met\": [{\"mode\": 3, \"space\": 0, "
        "\"met\": [\"80000008 40 100\"]}]";
    char statistics[1024];
    snprintf(statistics, sizeof statistics, "{" TOTALS ", " EDGES ", %s}", waiting);
    write_file(statistics);
    char *text = report(&format_text);
    expect(
        text,
        "the core waits for it; waits 200 cycles in 150 times for bnez a0, _start+0x4 at _start+0x8 (tiny.S:11), which "
        "misses the L1 in 25.0 % of its executions\n",
        true);
    expect(text, "through others", false); // 20 of 150; and 49 of 500 cycles are too few to be reported
    free(text);
    text = report(&format_json);
    cJSON *root = cJSON_Parse(text);
    const cJSON *unit, *list = NULL;
    cJSON_ArrayForEach(unit, cJSON_GetObjectItem(root, "units")) {
        if (strcmp(cJSON_GetObjectItem(unit, "unit")->valuestring, "0x80000004") == 0)
            list = cJSON_GetObjectItem(unit, "waits_for");
    }
    assert_int_equal(cJSON_GetArraySize(list), 2);
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 1), "name")->valuestring, "leaf");
    assert_true(number(cJSON_GetArrayItem(list, 0), "cycles") == 200 &&
                number(cJSON_GetArrayItem(list, 0), "times") == 150 &&
                number(cJSON_GetArrayItem(list, 0), "chained") == 20);
    cJSON_Delete(root);
    free(text);
    write_file("{" TOTALS "}");
    text = report(&format_json);
    root = cJSON_Parse(text);
    unit = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "units"), 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(unit, "waits_for")));
    cJSON_Delete(root);
    free(text);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(mispredictions_text),
                                       cmocka_unit_test(mispredictions_json),
                                       cmocka_unit_test(at_most),
                                       cmocka_unit_test(not_known),
                                       cmocka_unit_test(rates),
                                       cmocka_unit_test(waits),
                                       cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
