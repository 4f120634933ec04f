// Cycle stacks, and their errors, of a sample file made here of the program tests/unit/analysis/tiny.S, whose vectors
// are those at commit. Sums by hand, in 1/12 cycle; a vector is DR_L1 1, FL_MB 8, ST_L1 0x40, ST_LLC 0x100:
//
//   unit               samples (480)        Oracle (540)             common  IBS (480)        common in IBS's events
//   _start 0x80000000  120 DR_L1            100 DR_L1                  100
//   _start 0x80000004   60 Base              50 Base                    50
//   _start 0x80000008   60 Base, 120 FL_MB  200 FL_MB, 30 FL_MB+FL_EX  120    200 FL_MB        200 (of 230)
//   leaf   0x8000001c  120 ST_L1+ST_LLC     160 ST_L1+ST_LLC           120    280 ST_L1        0
#include "report/formats.h"
#include "report/report.h"
#include "report/stacks.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report/report_test.h"
#include "tests/unit/samples/old_file.h"

static char folder[] = "/tmp/test_stacks_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH];

static const struct profile_row oracle[] = {
    {0x80000000, STATE_STALLED, 1, 20, 0, 0},    {0x80000000, STATE_DRAINED, 1, 80, 0, 0},
    {0x80000004, STATE_COMPUTING, 0, 50, 0, 0},  {0x80000008, STATE_FLUSHED, 8, 200, 0, 0},
    {0x80000008, STATE_FLUSHED, 0x18, 30, 0, 0}, {0x8000001c, STATE_STALLED, 0x140, 160, 0, 0}};
static const struct profile_row ibs[] = {{0x80000008, STATE_COUNT, 8, 200, 0, 0},
                                         {0x8000001c, STATE_COUNT, 0x40, 280, 0, 0}};
static const struct sample_record records[] = {
    {.cycle = 10,
     .cycles = 10,
     .sample = {.state = STATE_COMPUTING, .valid = 0x3, .addr = {0x80000004, 0x80000008}, .psv = {0, 0}}},
    {.cycle = 20, .cycles = 10, .sample = {.state = STATE_STALLED, .valid = 0x1, .addr = {0x8000001c}, .psv = {0x140}}},
    {.cycle = 30,
     .cycles = 10,
     .sample = {.state = STATE_FLUSHED, .valid = 0x1, .addr = {0x80000008}, .psv = {8}, .mispredict = 1}},
    {.cycle = 40, .cycles = 10, .sample = {.state = STATE_DRAINED, .valid = 0x1, .addr = {0x80000000}, .psv = {1}}},
};
// 1000 executions, 50 with an event, 15 of these with several; 200 Base stalls, 99 % of them up to 5 cycles.
static const char statistics[] =
    "{\"cycles\": 45, \"instructions\": 90, \"executions\": [{\"psv\": 0, \"count\": 950}, {\"psv\": 8, \"count\": "
    "35}, {\"psv\": 320, \"count\": 15}], \"base_stalls\": {\"count\": 200, \"cycles\": 520, \"lengths\": [[1, 100], "
    "[3, 80], [5, 18], [40, 2]], \"long\": [{\"pc\": \"0x8000001c\", \"count\": 2, \"cycles\": 80, \"longest\": "
    "40}]}}";

static void write_file(enum samples_vectors vectors, const char *json) {
    struct samples_header h = report_test_header(elf);
    h.vectors = vectors;
    strcpy(h.build_id, "0123456789abcdef");
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(samples_add(w, &records[i], NULL), 0);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, sizeof oracle / sizeof *oracle, NULL), 0);
    assert_int_equal(samples_add_profile(w, "IBS", EVENT_SET_IBS, ibs, 2, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    old_file(tips, 2, json);
}

static int set_up(void **state) {
    (void)state;
    return report_test_begin(folder, elf, tips, "-Wl,--build-id=0x0123456789abcdef") ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return report_test_end(folder);
}

static char *stacks(const struct report_format *format, const char *profiler, size_t top) {
    return report_test_write(
        tips,
        &(struct report_options){.format = format, .top = top, .stacks = true, .comments = true, .profiler = profiler});
}

static void test_text(void **state) {
    (void)state;
    write_file(SAMPLES_VECTORS_COMMIT, statistics);
    char *text = stacks(&format_text, NULL, 2);
    static const char *const expected[] = {
        "by the samples of the TEA unit",
        // heaviest first, Base without a letter; of equal ones the smaller vector first
        "  .   25.0 %  Base                         Computing 25.0 %\n"
        "  A   25.0 %  DR_L1                        Drained 25.0 %\n"
        "  B   25.0 %  FL_MB                        Flushed 25.0 %\n"
        "  C   25.0 %  ST_L1+ST_LLC                 Stalled 25.0 %\n",
        "Cycle stacks of functions (2 of 2)\n",
        // 30 of 30 cycles are 40 columns: 10 A, 10 B, 10 Base
        "  75.0 %            30  AAAAAAAAAAAAABBBBBBBBBBBBBB.............  _start                   Base 33 % "
        "Computing; DR_L1 33 % Drained; FL_MB 33 % Flushed\n",
        "  25.0 %            10  CCCCCCCCCCCCC                             leaf                     ST_L1+ST_LLC 100 "
        "% Stalled\n",
        "Cycle stacks of instructions (2 of 4)\n",
        "  37.5 %            15  BBBBBBBBBBBBBBBBBBBBBBBBBBB.............  _start+0x8",
        "FL_MB 67 % Flushed; Base 33 % Computing\n",
        "1,000 instructions left the ROB, 5.00 % with an event; of these 30.0 % with several",
        "200 stalls without an event, 520 cycles: half of them up to 1 cycles, 90 % up to 3, 99 % up to 5, the longest "
        "40\n",
        "99.00 % are shorter than 5.8 cycles",
        "            80             2       40  integer operation (end of a chain)\n",
    };
    report_test_expect(text, expected, sizeof expected / sizeof *expected);
    assert_null(strstr(text, "0x80000000"));
    free(text);
    // A component of several states: 20 and 80 of the 380 of _start.
    text = stacks(&format_text, "Oracle", 0);
    static const char *const mixed[] = {"  _start                   FL_MB 53 % Flushed; DR_L1 26 % (Stalled 5, Drained "
                                        "21); Base 13 % Computing; 1 more\n"};
    report_test_expect(text, mixed, 1);
    free(text);
}

// Vectors that are not complete, a profile without events, a run that says nothing of events.
static void test_words(void **state) {
    (void)state;
    write_file(SAMPLES_VECTORS_SAMPLE, "{\"cycles\": 45, \"instructions\": 90}");
    char *text = stacks(&format_text, NULL, 0);
    static const char *const tip[] = {"by the samples of the TIP unit", "events as they stood when a sample was taken",
                                      "not known: the run did not end, or ran with --no-oracle"};
    report_test_expect(text, tip, 3);
    free(text);
    text = stacks(&format_text, "IBS", 0);
    static const char *const other[] = {"by the profile of IBS", "A   58.3 %  ST_L1                        Unknown "
                                                                 "58.3 %\n"};
    report_test_expect(text, other, 2);
    assert_null(strstr(text, "as they stood"));
    free(text);
    write_file(SAMPLES_VECTORS_NONE, "{\"cycles\": 45, \"instructions\": 90}");
    text = stacks(&format_text, NULL, 0);
    static const char *const none[] = {"by the samples of the TIP unit",
                                       "a core without vectors (profile.vectors = 0): no events"};
    report_test_expect(text, none, 2);
    assert_null(strstr(text, "as they stood"));
    free(text);
}

static void test_csv(void **state) {
    (void)state;
    write_file(SAMPLES_VECTORS_COMMIT, statistics);
    char *text = stacks(&format_csv, NULL, 0);
    static const char *const expected[] = {
        "# U=12 cycles=45 samples=4\n# executions=1000 with_event=50 with_several=15 base_stalls=200 "
        "base_stall_cycles=520 base_stall_lengths=1:100,3:80,5:18,40:2\n"
        "profiler,granularity,unit,unit_cycles,events,psv,cycles,Computing,Stalled,Flushed,Drained,Unknown,name,"
        "instruction,mode,space,image\n",
        "TIP,function,leaf,10,ST_L1+ST_LLC,320,10,0,10,0,0,0,leaf,,user,0x0,tiny.elf\n",
        "TIP,function,_start,30,FL_MB,8,10,0,0,10,0,0,_start,,user,0x0,tiny.elf\n",
        "TIP,instruction,0x80000008,15,FL_MB,8,10,0,0,10,0,0,_start+0x8,\"bnez a0, _start+0x4\",user,0x0,tiny.elf\n",
        "TIP,instruction,0x80000008,15,Base,0,5,5,0,0,0,0,_start+0x8,\"bnez a0, _start+0x4\",user,0x0,tiny.elf\n",
    };
    report_test_expect(text, expected, sizeof expected / sizeof *expected);
    free(text);
    text = stacks(&format_csv, "TEA", 1); // the same samples by that name; the highest unit of each granularity only
    assert_non_null(strstr(text, "TEA,function,_start,"));
    assert_non_null(strstr(text, "TEA,instruction,0x80000008,"));
    assert_null(strstr(text, "leaf"));
    free(text);
}

static double number(const cJSON *o, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void test_json(void **state) {
    (void)state;
    write_file(SAMPLES_VECTORS_COMMIT, statistics);
    char *text = stacks(&format_json, NULL, 0);
    cJSON *root = cJSON_Parse(text);
    free(text);
    assert_non_null(root);
    const cJSON *all = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "stacks"), "instruction"), *stack;
    double sum = 0;
    assert_int_equal(cJSON_GetArraySize(all), 4);
    cJSON_ArrayForEach(stack, all) {
        const cJSON *component;
        double height = 0;
        cJSON_ArrayForEach(component, cJSON_GetObjectItem(stack, "components")) height += number(component, "weight");
        assert_true(height == number(stack, "weight"));
        sum += height;
    }
    assert_true(sum == 480 && number(root, "weight") == 480);
    stack = cJSON_GetArrayItem(all, 0);
    assert_string_equal(cJSON_GetObjectItem(stack, "unit")->valuestring, "0x80000008");
    const cJSON *events =
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(stack, "components"), 0), "events");
    assert_string_equal(cJSON_GetArrayItem(events, 0)->valuestring, "FL_MB");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "stacks"), "function")), 2);
    assert_true(number(cJSON_GetObjectItem(root, "executions"), "combined_share") == 0.3);
    const cJSON *base = cJSON_GetObjectItem(root, "base_stalls");
    assert_true(number(base, "p50") == 1 && number(base, "p90") == 3 && number(base, "p99") == 5 &&
                number(base, "longest") == 40 && number(base, "count") == 200);
    cJSON_Delete(root);
}

static void test_errors(void **state) {
    (void)state;
    write_file(SAMPLES_VECTORS_COMMIT, statistics);
    const char *paths[] = {tips};
    struct report_options o = {.format = &format_text};
    struct error err = {""};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_int_equal(report_compare(paths, 1, &o, out, &err), 0);
    fclose(out);
    const char *table = strstr(text, "Error of cycle stacks");
    assert_non_null(table);
    // TEA: 390 of 540; IBS: 200 of 540. By function: TEA's _start 100 + 50 + 120, IBS's 200; as one application IBS's
    // ST_L1 alone still meets no ST_L1 alone.
    static const char *const expected[] = {
        "  TEA                27.78 %     27.78 %     27.78 %     27.78 %   11 of 11 events\n",
        "  IBS                62.96 %     62.96 %     62.96 %     62.96 %   6 of 11 events\n",
    };
    report_test_expect(table, expected, 2);
    assert_null(strstr(table, "TIP "));
    assert_non_null(strstr(text, "       27.78 %             4  ")); // of TEA's stacks, beside the number of samples
    free(text);
    o.format = &format_csv;
    out = open_memstream(&text, &bytes);
    assert_int_equal(report_compare(paths, 1, &o, out, &err), 0);
    fclose(out);
    char line[256];
    snprintf(line, sizeof line, "%s,TEA,function,events,%.17g,45,32.5,40,4,", tips, 150.0 / 540);
    assert_non_null(strstr(text, line));
    // The Oracle's time of FL_MB+FL_EX is FL_MB's for IBS, not for TEA.
    snprintf(line, sizeof line, "%s,IBS,instruction,events,%.17g,45,%.17g,40,4,", tips, 340.0 / 540, 200.0 / 12);
    assert_non_null(strstr(text, line));
    free(text);
}

// The whole run as one unit: the samples of the table above.
static void test_whole(void **state) {
    (void)state;
    struct error err = {""};
    struct run d;
    struct stacks s;
    const struct report_options o = {.format = &format_text};
    write_file(SAMPLES_VECTORS_COMMIT, statistics);
    assert_true(run_open(&d, tips, &o, &err));
    assert_true(stacks_create_whole(&s, &d));
    assert_int_equal(s.count, 1);
    assert_int_equal(s.stacks[0].weight, 480);
    static const struct {
        uint16_t psv;
        unsigned state, weight;
    } expected[] = {
        {0, STATE_COMPUTING, 120}, {1, STATE_DRAINED, 120}, {8, STATE_FLUSHED, 120}, {0x140, STATE_STALLED, 120}};
    assert_int_equal(s.stacks[0].count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(s.stacks[0].components[i].psv, expected[i].psv);
        assert_int_equal(s.stacks[0].components[i].weight, expected[i].weight);
        assert_int_equal(s.stacks[0].components[i].states[expected[i].state], expected[i].weight);
    }
    stacks_destroy(&s);
    run_close(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),   cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_csv),    cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_errors), cmocka_unit_test(test_whole)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
