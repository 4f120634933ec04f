// Reports of a sample file of four samples, made here, of the program tests/unit/analysis/tiny.S. Sums done by hand:
//
//   unit 1/12 cycle        samples (480)   Oracle (540)   common
//   _start 0x80000000      120 Drained     100            100
//   _start 0x80000004       60 Computing    50             50   } one block: 240, 280, 240
//   _start 0x80000008       60 + 120        230            180  }
//   leaf   0x8000001c      120 Stalled     160            120
//   shares of the four samples: by function _start 1, 0, 1, 1 and leaf 0, 1, 0, 0: 3/4 of 100 * 4/3, deviation 10
//   cycles; of the four instructions 10, 5, 9.574, 10; of _start's second block 1, 0, 1, 0: 11.547; 1.96 of them of 40
//   cycles are the intervals, and sqrt(2 / pi) / 2 of their sum what is elsewhere by chance
//   by instruction 450 of 540, by block 460, by function 360 + 120 = 480, as one application 480

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "report/formats.h"
#include "tests/unit/report/report_test.h"

enum { UNITS = 12 };
static char folder[] = "/tmp/test_report_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH], second[REPORT_TEST_PATH];

static const struct profile_row oracle[] = {{0x80000000, STATE_DRAINED, 1, 100, 0, 0},
                                            {0x80000004, STATE_COMPUTING, 0, 50, 0, 0},
                                            {0x80000008, STATE_FLUSHED, 8, 230, 0, 0},
                                            {0x8000001c, STATE_STALLED, 0x140, 160, 0, 0}};
static const struct profile_row nci[] = {{0x8000001c, STATE_COUNT, 0, 480, 0, 0}};
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

static struct samples_writer *create(const char *path, const char *build_id) {
    struct samples_header h = report_test_header(elf);
    strcpy(h.build_id, build_id);
    return samples_create(path, &h, NULL);
}

// samples: how many of the four. Closed cleanly, or left as by a run that died.
static void write_file(const char *path, size_t samples, bool with_oracle, bool with_nci, bool clean) {
    struct samples_writer *w = create(path, "0123456789abcdef");
    assert_non_null(w);
    for (size_t i = 0; i < samples; i++)
        assert_int_equal(samples_add(w, &records[i], NULL), 0);
    if (with_oracle) assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 4, NULL), 0);
    if (with_nci) assert_int_equal(samples_add_profile(w, "NCI", 0, nci, 1, NULL), 0);
    if (!clean) {
        assert_int_equal(samples_flush(w, NULL), 0);
        samples_abandon(w);
        return;
    }
    assert_true(report_test_totals(w, 45, 90));
    assert_int_equal(samples_close(w, NULL), 0);
}

static int set_up(void **state) {
    (void)state;
    if (!report_test_begin(folder, elf, tips, "-Wl,--build-id=0x0123456789abcdef")) return -1;
    snprintf(second, sizeof second, "%s/b.tips", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    return report_test_end(folder);
}

static struct report_options plain(void) {
    return (struct report_options){.format = &format_text, .granularity = BY_INSTRUCTION, .top = 20};
}

static void expect_text(const struct report_options *o, const char *const *expected, size_t count) {
    char *text = report_test_write(tips, o);
    report_test_expect(text, expected, count);
    free(text);
}

static void test_csv(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    o.format = &format_csv;
    char *text = report_test_write(tips, &o);
    assert_string_equal(
        text,
        "profiler,granularity,unit,state,events,psv,cycles,name,source,instruction,mode,space,image\n"
        "TIP,instruction,0x80000000,Drained,DR_L1,1,10,_start,tests/unit/analysis/tiny.S:8,\"li a0, "
        "5\",user,0x0,tiny.elf\n"
        "TIP,instruction,0x80000004,Computing,,0,5,_start+0x4,tests/unit/analysis/tiny.S:10,\"addi a0, a0, "
        "-1\",user,0x0,tiny.elf\n"
        "TIP,instruction,0x80000008,Computing,,0,5,_start+0x8,tests/unit/analysis/tiny.S:11,\"bnez a0, "
        "_start+0x4\",user,0x0,tiny.elf\n"
        "TIP,instruction,0x80000008,Flushed,FL_MB,8,10,_start+0x8,tests/unit/analysis/tiny.S:11,\"bnez a0, "
        "_start+0x4\",user,0x0,tiny.elf\n"
        "TIP,instruction,0x8000001c,Stalled,ST_L1+ST_LLC,320,10,leaf,tests/unit/analysis/tiny.S:20,\"addi a1, a1, "
        "1\",user,0x0,tiny.elf\n");
    free(text);
    o.granularity = BY_FUNCTION;
    o.profiler = "Oracle";
    text = report_test_write(tips, &o);
    assert_string_equal(text,
                        "profiler,granularity,unit,state,events,psv,cycles,name,source,instruction,mode,space,image\n"
                        "Oracle,function,_start,Computing,,0,4.166666666666667,_start,tests/unit/analysis/"
                        "tiny.S:8,,user,0x0,tiny.elf\n"
                        "Oracle,function,_start,Flushed,FL_MB,8,19.166666666666668,_start,tests/unit/analysis/"
                        "tiny.S:8,,user,0x0,tiny.elf\n"
                        "Oracle,function,_start,Drained,DR_L1,1,8.3333333333333339,_start,tests/unit/analysis/"
                        "tiny.S:8,,user,0x0,tiny.elf\n"
                        "Oracle,function,leaf,Stalled,ST_L1+ST_LLC,320,13.333333333333334,leaf,tests/unit/analysis/"
                        "tiny.S:20,,user,0x0,tiny.elf\n");
    free(text);
    o.granularity = BY_BLOCK;
    o.profiler = "NCI";
    text = report_test_write(tips, &o);
    assert_string_equal(text,
                        "profiler,granularity,unit,state,events,psv,cycles,name,source,instruction,mode,space,image\n"
                        "NCI,block,0x8000001c,Unknown,,0,40,leaf,tests/unit/analysis/tiny.S:20,,user,0x0,tiny.elf\n");
    free(text);
}

// Rows that a file has in no order, and those that it has twice, are as if it had them in order, once.
static void test_order(void **state) {
    (void)state;
    static const struct profile_row rows[][3] = {
        {{0x80000004, STATE_COMPUTING, 0, 50, 0, 0},
         {0x80000008, STATE_FLUSHED, 8, 200, 0, 0},
         {0x80000008, STATE_FLUSHED, 8, 30, 0, 0}},
        {{0x80000008, STATE_FLUSHED, 8, 200, 0, 0},
         {0x80000004, STATE_COMPUTING, 0, 50, 0, 0},
         {0x80000008, STATE_FLUSHED, 8, 30, 0, 0}},
    };
    struct report_options o = plain();
    o.format = &format_csv;
    for (size_t i = 0; i < 2; i++) {
        struct samples_writer *w = create(tips, "");
        assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, rows[i], 3, NULL), 0);
        assert_int_equal(samples_close(w, NULL), 0);
        char *text = report_test_write(tips, &o);
        const char *rest = strstr(text, "Oracle,instruction,0x80000004,Computing,,0,4.166666666666667,");
        assert_non_null(rest);
        assert_non_null(rest = strstr(rest, "Oracle,instruction,0x80000008,Flushed,FL_MB,8,19.166666666666668,"));
        assert_null(strstr(rest + 1, "Oracle,"));
        free(text);
    }
}

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *string(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static void expect_error(const cJSON *errors, const char *profiler, const char *granularity, double total,
                         double correct) {
    const cJSON *e;
    cJSON_ArrayForEach(e, errors) {
        if (strcmp(string(e, "profiler"), profiler) != 0 || strcmp(string(e, "granularity"), granularity) != 0)
            continue;
        assert_string_equal(string(e, "components"), "time");
        assert_true(number(e, "total") == total);
        assert_true(number(e, "correct") == correct);
        assert_true(number(e, "booked") == 480);
        assert_true(number(e, "samples") == 4);
        assert_true(fabs(number(e, "error") - (total - correct) / total) < 1e-15);
        return;
    }
    fail_msg("no error of %s by %s", profiler, granularity);
}

static void test_json(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    o.format = &format_json;
    char *text = report_test_write(tips, &o);
    cJSON *root = cJSON_Parse(text);
    free(text);
    assert_non_null(root);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(root, "complete")));
    assert_true(number(root, "U") == 12 && number(root, "cycles") == 45 && number(root, "instructions") == 90);
    assert_true(number(root, "ipc") == 2 && number(root, "samples") == 4 && number(root, "weight") == 480);
    const cJSON *states = cJSON_GetObjectItem(root, "states");
    assert_true(number(states, "Computing") == 120 && number(states, "Stalled") == 120);
    assert_true(number(states, "Flushed") == 120 && number(states, "Drained") == 120);
    const cJSON *units = cJSON_GetObjectItem(root, "units");
    assert_int_equal(cJSON_GetArraySize(units), 4);
    const cJSON *branch = cJSON_GetArrayItem(units, 2);
    assert_string_equal(string(branch, "unit"), "0x80000008");
    assert_string_equal(string(branch, "name"), "_start+0x8");
    assert_string_equal(string(branch, "instruction"), "bnez a0, _start+0x4");
    assert_string_equal(string(branch, "why"), "the pipeline refills after it: mispredicted");
    assert_true(number(branch, "line") == 11 && number(branch, "weight") == 180);
    assert_true(number(branch, "cycles") == 15 && number(branch, "share") == 0.375);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(branch, "stack")), 2);
    const cJSON *errors = cJSON_GetObjectItem(root, "errors");
    assert_int_equal(cJSON_GetArraySize(errors), 8);
    expect_error(errors, "TIP", "instruction", 540, 450);
    expect_error(errors, "TIP", "block", 540, 460);
    expect_error(errors, "TIP", "function", 540, 480);
    expect_error(errors, "TIP", "application", 540, 480);
    expect_error(errors, "NCI", "instruction", 540, 160);
    expect_error(errors, "NCI", "application", 540, 480);
    cJSON_Delete(root);
}

static void test_text(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    static const char *const expected[] = {
        "tiny.elf on test4",
        "45 cycles (0.000 ms at 1.00 GHz), 90 instructions, IPC 2.000",
        "4 samples, one every 10 cycles, without jitter",
        "by the samples of the TIP unit",
        // of 40 cycles: 5, 10 and 10 are at instructions that one sample shows, 10 at such a function
        "sampling error: at least 62.5 % of the time is booked to a wrong instruction, 25.0 % to a wrong function",
        "too few samples to compare functions: --period 1, or a run longer by the same factor, reduces",
        "? fewer than 10 samples",
        "  Flushed     25.0 %  FFFFFFFFFF                                refilling",
        "Functions by time (2 of 2)",
        "  75.0 % +49.0?            30  CCCCCCCFFFFFFDDDDDDD  _start",
        "  25.0 % +49.0?            10  SSSSSSS               leaf",
        "Hottest instructions (4 of 4)",
        "  37.5 % +46.9?            15  CCCCCCCFFFFFFFFFFFFF  0x80000008  bnez a0, _start+0x4",
        "the core waits for it: load missed the LLC",
        "arrives late: fetch missed the L1 instruction cache",
        "_start: 30 cycles, 75.0 % of the time",
        ">0x80000004  addi a0, a0, -1",
        " 0x80000008  bnez a0, _start+0x4",
        "tiny.S:11:",
        "Error of TIP against the Oracle, with 4 samples",
        "instruction 16.67 %, basic block 14.81 %, function 11.11 %",
    };
    expect_text(&o, expected, sizeof expected / sizeof *expected);
    char *text = report_test_write(tips, &o);
    assert_null(strchr(text, '\033'));
    free(text);
    o.colour = o.utf8 = true;
    static const char *const colour[] = {"\033[35m▒▒▒▒▒▒▒▒▒▒\033[0m", "\033[1;31m  37.5 %\033[0m"};
    expect_text(&o, colour, 2);
}

static void test_annotate(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    o.annotate = "leaf";
    static const char *const expected[] = {"leaf: 10 cycles, 25.0 % of the time",
                                           "  25.0 %  SSSSSSSSSSSSSSSSSSSS  >0x8000001c  addi a1, a1, 1",
                                           "beqz a1, leaf+0x6", "... 1 instruction with no time"};
    expect_text(&o, expected, 4);
    o.annotate = "leave";
    struct error err;
    int result;
    free(report_test_try(tips, &o, &result, &err));
    assert_int_equal(result, -ENOENT);
    assert_non_null(strstr(err.text, "no function 'leave'"));
}

static void test_one_table(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    o.one_table = true;
    o.granularity = BY_BLOCK;
    o.top = 1;
    static const char *const expected[] = {"Hottest basic blocks (1 of 3)", "  50.0 % +56.6?            20  ",
                                           "0x80000004"};
    expect_text(&o, expected, 3);
    char *text = report_test_write(tips, &o);
    assert_null(strstr(text, "Functions by time"));
    assert_null(strstr(text, "0x8000001c"));
    free(text);
}

static void test_no_samples(void **state) {
    (void)state;
    write_file(tips, 0, true, false, true);
    struct report_options o = plain();
    static const char *const expected[] = {"no samples in this file",
                                           "profile of Oracle, which accounts for every cycle",
                                           "  42.6 %            19", "_start: 32 cycles"};
    expect_text(&o, expected, 4);
    struct error err;
    int result;
    write_file(tips, 0, false, false, true);
    free(report_test_try(tips, &o, &result, &err));
    assert_int_equal(result, -EINVAL);
    assert_non_null(strstr(err.text, "holds no samples and no profile"));
}

static void test_no_oracle(void **state) {
    (void)state;
    write_file(tips, 4, false, false, true);
    struct report_options o = plain();
    static const char *const expected[] = {"not known: the file holds no Oracle profile"};
    expect_text(&o, expected, 1);
}

static void keep_line(void *context, const char *line) {
    snprintf(context, 256, "%s", line);
}

// A run that died: its samples are good, cycles are known up to the last.
static void test_truncated(void **state) {
    (void)state;
    write_file(tips, 3, false, false, false);
    struct report_options o = plain();
    static const char *const expected[] = {"  30 cycles (0.000 ms at 1.00 GHz)\n", "3 samples"};
    char line[256] = "";
    const struct notices notices = {keep_line, line};
    o.notices = &notices;
    expect_text(&o, expected, 2);
    assert_non_null(strstr(line, "; the 3 samples before it are good"));
}

static void flip(long offset) {
    FILE *f = fopen(tips, "r+b");
    assert_non_null(f);
    fseek(f, offset, SEEK_END);
    int c = fgetc(f);
    fseek(f, offset, SEEK_END);
    fputc(c ^ 1, f);
    fclose(f);
}

static long file_size(void) {
    FILE *f = fopen(tips, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    fclose(f);
    return size;
}

static void test_corrupt(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    static const char *const expected[] = {"  45 cycles (0.000 ms at 1.00 GHz), 90 instructions", "4 samples"};
    flip(-40); // in the totals of the run: their block is lost, the rest is good
    expect_text(&o, expected + 1, 1);
    flip(-40);
    expect_text(&o, expected, 2);
    struct error err;
    int result;
    flip(30 - file_size()); // in the header: nothing can be said of the file
    char *text = report_test_try(tips, &o, &result, &err);
    assert_int_equal(result, -EINVAL);
    assert_string_equal(text, "");
    free(text);
    assert_non_null(strstr(err.text, tips));
    assert_non_null(strstr(err.text, "bad block"));
}

// Events of another table: the file's numbers mean something else.
static void test_other_tables(void **state) {
    (void)state;
    struct samples_header h = {.clock_mhz = 1000, .width = 4, .units = UNITS, .event_count = 9, .config = "test4"};
    for (int i = 0; i < 9; i++)
        strcpy(h.events[i], i == 3 ? "FL_MO" : i == 5 ? "FL_MB" : "X");
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    assert_int_equal(samples_add(w, &records[0], NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    struct report_options o = plain();
    struct error err;
    int result;
    char *text = report_test_try(tips, &o, &result, &err);
    assert_int_equal(result, -EINVAL);
    free(text);
    assert_non_null(strstr(err.text, "other tables of events"));
}

static void test_other_program(void **state) {
    (void)state;
    struct samples_writer *w = create(tips, "ffff");
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(samples_add(w, &records[i], NULL), 0);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 4, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    struct report_options o = plain();
    static const char *const expected[] = {"addresses only", "0x80000008", "instruction 16.67 %\n"};
    expect_text(&o, expected, 3);
    o.annotate = "leaf";
    struct error err;
    int result;
    free(report_test_try(tips, &o, &result, &err));
    assert_int_equal(result, -ENOENT);
    assert_non_null(strstr(err.text, "--program"));
}

static void test_unknown_profiler(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    struct report_options o = plain();
    o.profiler = "LCI";
    struct error err;
    int result;
    free(report_test_try(tips, &o, &result, &err));
    assert_int_equal(result, -EINVAL);
    assert_non_null(strstr(err.text, "no profile 'LCI': name one of TIP, Oracle, NCI"));
}

static char *compare(const struct report_options *o, size_t files) {
    const char *paths[] = {tips, second};
    char *text = NULL;
    size_t bytes;
    struct error err = {""};
    FILE *out = open_memstream(&text, &bytes);
    assert_int_equal(report_compare(paths, files, o, out, &err), 0);
    fclose(out);
    return text;
}

static void test_compare(void **state) {
    (void)state;
    write_file(tips, 4, true, true, true);
    write_file(second, 2, true, false, true); // samples of 240: common 0, 50, 60, 120 of 540
    struct report_options o = plain();
    char *text = compare(&o, 1);
    assert_non_null(strstr(text, "  TIP                16.67 %     14.81 %     11.11 %     11.11 %\n"));
    assert_non_null(strstr(text, "  NCI                70.37 %     70.37 %     70.37 %     11.11 %\n"));
    // Four draws; shares 1, 1/2, 5/6 (of a half and a whole) and 1: half the sum of sum_k C(4, k) p^k q^(4-k) |k - 4p|.
    assert_non_null(strstr(text, "  chance             29.40 %"));
    free(text);
    // TIP: (90 + 310) / 540 / 2 and 310 / 540
    text = compare(&o, 2);
    assert_non_null(strstr(text, "  TIP              37.04 %  57.41 %"));
    assert_non_null(strstr(text, "  NCI              70.37 %  70.37 %"));
    free(text);
    o.format = &format_csv;
    text = compare(&o, 1);
    char expected[256];
    snprintf(expected, sizeof expected, "%s,TIP,block,time,%.17g,45,%.17g,40,4,", tips, 80.0 / 540, 460.0 / 12);
    assert_non_null(strstr(text, expected));
    free(text);
    o.format = &format_json;
    text = compare(&o, 2);
    cJSON *root = cJSON_Parse(text);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "errors")), 8 + 4);
    cJSON_Delete(root);
    free(text);
}

// A core whose bundle does not show what a profiler samples: 100 % would be a figure of nothing. Of a few samples that
// is not known; equal rows are one, and the others named.
static void test_compare_not_shown(void **state) {
    (void)state;
    struct samples_header h = report_test_header(elf);
    h.vectors = SAMPLES_VECTORS_SAMPLE;
    const struct profile_row nothing = {PROFILE_PC_END, STATE_COUNT, 0, 480, 0, 0};
    for (size_t samples = 4; samples <= 40; samples += 36) {
        struct samples_writer *w = samples_create(tips, &h, NULL);
        for (size_t i = 0; i < samples; i++) {
            struct sample_record record = records[i % 4];
            record.cycle += 40 * (i / 4);
            assert_int_equal(samples_add(w, &record, NULL), 0);
        }
        assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 4, NULL), 0);
        assert_int_equal(samples_add_profile(w, "NCI", 0, nci, 1, NULL), 0);
        assert_int_equal(samples_add_profile(w, "LCI", 0, nci, 1, NULL), 0);
        assert_int_equal(samples_add_profile(w, "Fetch", 0, &nothing, 1, NULL), 0);
        assert_int_equal(samples_add_profile(w, "RIS", EVENT_SET_RIS, &nothing, 1, NULL), 0);
        assert_int_equal(samples_close(w, NULL), 0);
        struct report_options o = plain();
        char *text = compare(&o, 1);
        assert_non_null(strstr(text, "   as LCI\n"));
        assert_null(strstr(text, "\n  LCI "));
        assert_true((strstr(text, "  Fetch           not shown by this core\n") != NULL) == (samples == 40));
        assert_true((strstr(text, "100.00 %") == NULL) == (samples == 40));
        const char *stacks = strstr(text, "Error of cycle stacks");
        if (samples == 40) assert_non_null(strstr(stacks, "  RIS             not shown by this core\n"));
        if (samples == 40) assert_null(strstr(stacks, "Fetch"));
        free(text);
        o.format = &format_csv;
        text = compare(&o, 1);
        assert_true((strstr(text, ",Fetch,") == NULL) == (samples == 40));
        free(text);
        o.format = &format_json;
        text = compare(&o, 1);
        cJSON *root = cJSON_Parse(text), *hidden = cJSON_GetObjectItem(root, "not_shown");
        assert_int_equal(cJSON_GetArraySize(hidden), samples == 40 ? 2 : 0);
        cJSON_Delete(root);
        free(text);
    }
}

// A core without vectors: there are no cycle stacks to be right or wrong.
static void test_compare_no_vectors(void **state) {
    (void)state;
    struct samples_header h = report_test_header(elf);
    h.vectors = SAMPLES_VECTORS_NONE;
    struct samples_writer *w = samples_create(tips, &h, NULL);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(samples_add(w, &records[i], NULL), 0);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, oracle, 4, NULL), 0);
    assert_int_equal(samples_add_profile(w, "IBS", EVENT_SET_IBS, nci, 1, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    const struct report_options o = plain();
    char *text = compare(&o, 1), *stacks = strstr(text, "Error of cycle stacks");
    assert_non_null(strstr(text, "  IBS                70.37 %"));
    assert_non_null(stacks);
    assert_non_null(strstr(stacks, "  IBS             not shown by this core\n"));
    assert_null(strstr(stacks, "70.37 %"));
    free(text);
}

static void test_compare_refusals(void **state) {
    (void)state;
    const char *paths[] = {tips};
    struct report_options o = plain();
    struct error err = {""};
    write_file(tips, 4, false, true, true);
    assert_int_equal(report_compare(paths, 1, &o, stderr, &err), -ENODATA);
    assert_non_null(strstr(err.text, "holds no Oracle profile"));
    write_file(tips, 0, true, false, true);
    assert_int_equal(report_compare(paths, 1, &o, stderr, &err), -ENODATA);
    assert_non_null(strstr(err.text, "holds no samples"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_annotate),
        cmocka_unit_test(test_one_table),
        cmocka_unit_test(test_no_samples),
        cmocka_unit_test(test_no_oracle),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_corrupt),
        cmocka_unit_test(test_other_tables),
        cmocka_unit_test(test_other_program),
        cmocka_unit_test(test_unknown_profiler),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_compare_not_shown),
        cmocka_unit_test(test_compare_no_vectors),
        cmocka_unit_test(test_compare_refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
