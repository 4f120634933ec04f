// Callers and callees, inclusive and exclusive time, collapsed stacks: of a sample file made here of the program
// tests/unit/analysis/tiny.S. What code calls what is made up. Time in 1/12 cycle, by hand:
//
//   stack                             here                          time
//   2: _start                         _start                         100
//   3: _start calls leaf              leaf                            50
//                                     _start+4, by a tail call         5
//   4: leaf calls leaf                leaf+4                          30
//   5: an interrupt of 3's leaf       [.text+0x18]                    20
//   6: which calls _start             _start+4                        10
//   0, 1: not known, one too many     leaf+6                       7 + 3
//   end of run                                                         4
//
//   function      exclusive                 inclusive
//   _start        100 + 5 + 10 = 115        100 + 50 + 5 + 30 + 20 + 10 = 215
//   leaf          50 + 30 + 7 + 3 = 90      50 + 30 + 20 + 10 + 7 + 3 = 120
//   [.text+0x18]  20                        20 + 10 = 30
//   end of run    4                         4
#include "report/formats.h"
#include "report/report.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report/report_test.h"

static char folder[] = "/tmp/test_calls_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH];

enum { START = 0x80000000, LEAF = 0x8000001c, BARE = 0x80000018 };
static const struct stack_node nodes[] = {{0, STACK_ROOT, 0, START, 3},
                                          {2, STACK_CALL, START + 0xc, LEAF, 3},
                                          {3, STACK_CALL, LEAF + 4, LEAF, 3},
                                          {3, STACK_INTERRUPT, LEAF + 2, BARE, 3},
                                          {5, STACK_CALL, BARE, START, 3}};
static const struct profile_row oracle[] = {
    {START, STATE_STALLED, 1, 70, 3, 2},      {START, STATE_COMPUTING, 0, 30, 3, 2},
    {START + 4, STATE_COMPUTING, 0, 5, 3, 3}, {START + 4, STATE_COMPUTING, 0, 10, 3, 6},
    {BARE, STATE_FLUSHED, 0, 20, 3, 5},       {LEAF, STATE_COMPUTING, 0, 50, 3, 3},
    {LEAF + 4, STATE_COMPUTING, 0, 30, 3, 4}, {LEAF + 6, STATE_COMPUTING, 0, 7, 3, 0},
    {LEAF + 6, STATE_COMPUTING, 0, 3, 3, 1},  {PROFILE_PC_END, STATE_DRAINED, 0, 4, 0, 0}};
static const struct profile_row nci[] = {{LEAF, STATE_COUNT, 0, 229, 3, 0}};

static void write_file(bool stacks) {
    struct samples_header h = report_test_header(elf);
    h.contexts = true;
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    for (size_t i = 0; stacks && i < sizeof nodes / sizeof *nodes; i++)
        assert_int_equal(samples_add_stack(w, &nodes[i], NULL), 0);
    // Two lanes of one cycle, 12 each: a call, and its callee's first.
    const struct sample_record one = {
        .cycle = 2,
        .cycles = 2,
        .sample = {.state = STATE_COMPUTING, .valid = 3, .addr = {START + 0xc, LEAF}, .priv = 3},
        .stack = {2, 3}};
    assert_int_equal(samples_add(w, &one, NULL), 0);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, sizeof oracle / sizeof *oracle, NULL), 0);
    assert_int_equal(samples_add_profile(w, "NCI", 0, nci, 1, NULL), 0);
    assert_true(report_test_totals(w, 19, 9));
    assert_int_equal(samples_close(w, NULL), 0);
}

static int set_up(void **state) {
    (void)state;
    return report_test_begin(folder, elf, tips, "") ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return report_test_end(folder);
}

static char *write_report(struct report_options o, const char *profiler) {
    o.profiler = profiler;
    return report_test_write(tips, &o);
}

#define EXPECT(text, ...)                                                                                              \
    report_test_expect(text, (const char *const[]){__VA_ARGS__},                                                       \
                       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static size_t lines(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void test_functions(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = &format_csv, .children = true}, "Oracle");
    EXPECT(text, "profiler,function,inclusive_cycles,exclusive_cycles,source,mode,space,image\n",
           "\nOracle,_start,17.916666666666668,9.5833333333333339,", "\nOracle,leaf,10,7.5,",
           "\nOracle,[.text+0x18],2.5,1.6666666666666667,",
           "\nOracle,end of run,0.33333333333333331,0.33333333333333331,,,0x0,\n", ",machine,0x0,tiny.elf\n");
    assert_int_equal(lines(text), 1 + 4);
    free(text);
    text = write_report((struct report_options){.children = true, .top = 2}, "Oracle");
    EXPECT(text, "Functions with what they call (2 of 4)", // 215, 115 and 120, 90 of 229
           "   93.9 %     50.2 %            18  _start", "   52.4 %     39.3 %            10  leaf",
           "4.4 % of the time has no known callers");
    free(text);
}

static void test_edges(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = &format_csv, .callers = "leaf"}, "Oracle");
    EXPECT(text, "profiler,caller,callee,inclusive_cycles\n", "\nOracle,_start,leaf,9.1666666666666661\n",
           "\nOracle,leaf,leaf,2.5\n", "\nOracle,,leaf,0.83333333333333337\n");
    assert_int_equal(lines(text), 1 + 3);
    free(text);
    text = write_report((struct report_options){.format = &format_csv, .callees = "_start"}, "Oracle");
    EXPECT(text, "\nOracle,_start,leaf,9.1666666666666661\n", "\nOracle,_start,_start,0.41666666666666669\n");
    assert_int_equal(lines(text), 1 + 2);
    free(text);
    text = write_report((struct report_options){.callers = "_start", .callees = "leaf"}, "Oracle");
    EXPECT(text, "Callers of _start (3 of 3)", "(none: outermost frame)", "[.text+0x18]", "(recursion)",
           "Callees of leaf (2 of 2)", "  39.3 %    75.0 %             8  (itself)",
           "  13.1 %    25.0 %             3  leaf                             (recursion)");
    free(text);
}

static void test_json(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = &format_json, .children = true}, "Oracle");
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    assert_int_equal(cJSON_GetObjectItem(root, "weight")->valueint, 229);
    assert_int_equal(cJSON_GetObjectItem(root, "unknown")->valueint, 10);
    const cJSON *functions = cJSON_GetObjectItem(root, "functions"), *calls = cJSON_GetObjectItem(root, "calls"), *each;
    assert_int_equal(cJSON_GetArraySize(functions), 4);
    assert_int_equal(cJSON_GetArraySize(calls), 8);
    int exclusive = 0;
    cJSON_ArrayForEach(each, functions) exclusive += cJSON_GetObjectItem(each, "exclusive")->valueint;
    assert_int_equal(exclusive, 229);
    const cJSON *first = cJSON_GetArrayItem(functions, 0);
    assert_string_equal(cJSON_GetObjectItem(first, "name")->valuestring, "_start");
    assert_int_equal(cJSON_GetObjectItem(first, "inclusive")->valueint, 215);
    assert_int_equal(cJSON_GetObjectItem(first, "line")->valueint, 8);
    assert_string_equal(cJSON_GetObjectItem(first, "mode")->valuestring, "machine");
    assert_string_equal(cJSON_GetObjectItem(first, "space")->valuestring, "0x0");
    const cJSON *end = cJSON_GetArrayItem(functions, 3); // of no mode, file or process
    assert_string_equal(cJSON_GetObjectItem(end, "name")->valuestring, "end of run");
    assert_int_equal(cJSON_GetArraySize(end), 3);
    cJSON_ArrayForEach(each, calls) {
        const cJSON *caller = cJSON_GetObjectItem(each, "caller");
        const char *callee = cJSON_GetObjectItem(each, "callee")->valuestring;
        if (cJSON_IsNull(caller) && strcmp(callee, "_start") == 0)
            assert_int_equal(cJSON_GetObjectItem(each, "inclusive")->valueint, 215);
    }
    cJSON_Delete(root);
    free(text);
}

static void test_folded(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = report_format_find(false, "folded")}, "Oracle");
    EXPECT(text, "_start 100\n", "_start;leaf 50\n", "_start;_start 5\n", "_start;leaf;leaf 30\n",
           "_start;leaf;[.text+0x18] [interrupt] 20\n", "_start;leaf;[.text+0x18] [interrupt];_start 10\n",
           "\nleaf 10\n", "end of run 4\n");
    assert_int_equal(lines(text), 8);
    free(text);
    text = write_report((struct report_options){.format = report_format_find(false, "folded"), .one_table = true},
                        "Oracle");
    EXPECT(text, "0x80000000 100\n", "0x8000000c;0x8000001c 50\n", "0x8000000c;0x80000020;0x80000020 30\n",
           "0x8000000c;0x8000001e;0x80000018;0x80000004 10\n", "0x80000022 10\n");
    assert_int_equal(lines(text), 8);
    free(text);
    text = write_report((struct report_options){.format = report_format_find(false, "folded")}, NULL); // the samples
    assert_string_equal(text, "_start 12\n_start;leaf 12\n");
    free(text);
}

// ---- deep stacks ----
// _start calls leaf, which calls itself: stacks of 1 to DEEP frames, those of leaf from LEAF + 4 on. Of each of the
// last ones a sample at LEAF: nothing but their number distinguishes their frames.
enum { DEEP = 3000, SAMPLES_OF_DEEP = 10 };

static void write_deep(void) {
    struct samples_header h = report_test_header(elf);
    h.contexts = true;
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    for (uint32_t i = 0; i < DEEP; i++) {
        const struct stack_node node = {i ? STACK_LOST + i : 0, i ? STACK_CALL : STACK_ROOT,
                                        i == 0   ? 0
                                        : i == 1 ? START + 0xc
                                                 : LEAF + 4,
                                        i ? LEAF : START, 3};
        assert_int_equal(samples_add_stack(w, &node, NULL), 0);
    }
    for (uint32_t i = 0; i < SAMPLES_OF_DEEP; i++) {
        const struct sample_record r = {.cycle = i + 1,
                                        .cycles = 1,
                                        .sample = {.state = STATE_COMPUTING, .valid = 1, .addr = {LEAF}, .priv = 3},
                                        .stack = {STACK_LOST + DEEP - i}};
        assert_int_equal(samples_add(w, &r, NULL), 0);
    }
    assert_int_equal(samples_close(w, NULL), 0);
}

static size_t occurrences(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        count++;
    return count;
}

// Of a limit of 5 the two outermost and the three innermost are left; so all stacks are equal, and have one line.
static void test_deep(void **state) {
    (void)state;
    write_deep();
    char *text =
        write_report((struct report_options){.format = report_format_find(false, "folded"), .max_stack = 5}, NULL);
    assert_string_equal(text, "_start;leaf;[frames left out];leaf;leaf;leaf 120\n");
    free(text);
    text = write_report(
        (struct report_options){.format = report_format_find(false, "folded"), .one_table = true, .max_stack = 5},
        NULL);
    assert_string_equal(text, "0x8000000c;0x80000020;[frames left out];0x80000020;0x80000020;0x8000001c 120\n");
    free(text);
    text =
        write_report((struct report_options){.format = report_format_find(false, "speedscope"), .max_stack = 5}, NULL);
    EXPECT(text, "\"samples\":[[0,1,2,1,1,1]],\n\"weights\":[10]");
    free(text);
    text =
        write_report((struct report_options){.format = report_format_find(false, "perf-script"), .max_stack = 5}, NULL);
    assert_int_equal(occurrences(text, " cycles:\n"), SAMPLES_OF_DEEP);
    assert_int_equal(occurrences(text, "\t"), SAMPLES_OF_DEEP * 6);
    assert_int_equal(occurrences(text, "\t               0 [frames left out]+0x0 ([unknown])\n"), SAMPLES_OF_DEEP);
    free(text);
}

// A limit that the stack does not exceed leaves nothing out, nor does 0.
static void test_deep_whole(void **state) {
    (void)state;
    write_deep();
    for (uint32_t limit = 0; limit <= DEEP; limit += DEEP) {
        char *text = write_report(
            (struct report_options){.format = report_format_find(false, "folded"), .max_stack = limit}, NULL);
        assert_int_equal(lines(text), SAMPLES_OF_DEEP);
        assert_int_equal(occurrences(text, ";leaf"), SAMPLES_OF_DEEP * (DEEP - 1) - SAMPLES_OF_DEEP * 9 / 2);
        assert_null(strstr(text, "left out"));
        free(text);
    }
    char *text = write_report(
        (struct report_options){.format = report_format_find(false, "folded"), .max_stack = DEEP - 1}, NULL);
    assert_int_equal(occurrences(text, "[frames left out]"), 1);
    free(text);
    text = write_report((struct report_options){.children = true, .max_stack = 5}, NULL); // sums cover all frames
    EXPECT(text, "100.0 %    100.0 %            10  leaf");
    free(text);
}

// Equal lines add up, whatever the frames: here those of two address spaces.
static void test_folded_adds(void **state) {
    (void)state;
    struct samples_header h = report_test_header(elf);
    h.contexts = true;
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    for (uint8_t mode = 0; mode < 2; mode++) {
        const struct stack_node root = {0, STACK_ROOT, 0, START, mode};
        assert_int_equal(samples_add_stack(w, &root, NULL), 0);
        const struct sample_record r = {.cycle = mode + 1,
                                        .cycles = 1,
                                        .sample = {.state = STATE_COMPUTING, .valid = 1, .addr = {START}, .priv = mode},
                                        .stack = {STACK_LOST + 1 + mode}};
        assert_int_equal(samples_add(w, &r, NULL), 0);
    }
    assert_int_equal(samples_close(w, NULL), 0);
    char *text = write_report((struct report_options){.format = report_format_find(false, "folded")}, NULL);
    assert_string_equal(text, "_start 24\n");
    free(text);
}

// Other reports of the same file: what differs in its stack alone is one row.
// In whole cycles, by hand: what the rows up to each have is 6, 8, 9, 10, 11, 15, 18, 19, 19 and 19 of them. _start has
// 8, and below itself 1 + 1; leaf 4 + 1, and below itself 3; the interrupt 1.
static void test_callgrind(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = report_format_find(false, "callgrind")}, "Oracle");
    EXPECT(text, "\nsummary: 19 12 6 1 0 6 0 0 0 0 0 0 0 0 0 0\n", " _start\n0x80000000 8 8 2 6 0 0 6 ", " _start'2\n",
           " leaf'2\n", " [.text+0x18] [interrupt]\n", "calls=1 0x8000001c 20\n0x8000000c 12 9 ",
           "calls=1 0x80000000 8\n0x8000000c 12 1 ", "calls=1 0x8000001c 20\n0x80000020 22 3 ",
           "calls=1 0x80000018 16\n0x8000001e 21 2 ", "calls=1 0x80000000 8\n0x80000018 16 1 ");
    free(text);
}

static void test_speedscope(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = report_format_find(false, "speedscope")},
                              NULL); // the samples: 1 and 1 cycle
    EXPECT(text, "\"endValue\":2,", "\"samples\":[[0],[0,1]],\n\"weights\":[1,1]");
    free(text);
    write_file(false); // of a run without call stacks
    text = write_report((struct report_options){.format = report_format_find(false, "speedscope")}, NULL);
    EXPECT(text, "\"samples\":[[0],[1]],\n\"weights\":[1,1]");
    free(text);
}

static void test_perf_script(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = report_format_find(false, "perf-script")}, NULL);
    EXPECT(text, "[000] 0.000000002: 1 cycles:\n\t        8000000c _start+0xc (tiny.elf)\n\n",
           ": 1 cycles:\n\t        8000001c leaf+0x0 (tiny.elf)\n\t        8000000c _start+0xc (tiny.elf)\n\n");
    free(text);
}

static void test_others(void **state) {
    (void)state;
    write_file(true);
    char *text = write_report((struct report_options){.format = &format_csv, .granularity = BY_INSTRUCTION}, "Oracle");
    EXPECT(text, "\nOracle,instruction,0x80000004,Computing,,0,1.25,",
           "\nOracle,instruction,0x80000022,Computing,,0,0.83333333333333337,");
    free(text);
}

static void refused(struct report_options o, const char *profiler, const char *words) {
    struct error err = {""};
    char *text = NULL;
    size_t bytes;
    o.profiler = profiler;
    FILE *out = open_memstream(&text, &bytes);
    assert_int_equal(report_write(tips, &o, out, &err), -EINVAL);
    fclose(out);
    free(text);
    if (!strstr(err.text, words) || strchr(err.text, '\n')) fail_msg("'%s' lacks '%s'", err.text, words);
}

static void test_refused(void **state) {
    (void)state;
    write_file(true);
    refused((struct report_options){.callers = "nosuch"}, "Oracle", "no function 'nosuch' has time");
    refused((struct report_options){.format = &format_json, .callees = "nosuch"}, "Oracle", "no function 'nosuch'");
    refused((struct report_options){.children = true}, "NCI", "the profile of NCI has no call stacks");
    refused((struct report_options){.format = report_format_find(false, "gecko")}, "Oracle",
            "--format gecko needs samples in time");
    write_file(false);
    refused((struct report_options){.children = true}, "Oracle", "holds no call stacks: run again");
    refused((struct report_options){.format = report_format_find(false, "folded")}, NULL,
            "holds no call stacks: run again");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),   cmocka_unit_test(test_edges),      cmocka_unit_test(test_json),
        cmocka_unit_test(test_folded),      cmocka_unit_test(test_callgrind),  cmocka_unit_test(test_speedscope),
        cmocka_unit_test(test_perf_script), cmocka_unit_test(test_others),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_deep),        cmocka_unit_test(test_deep_whole), cmocka_unit_test(test_folded_adds)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
