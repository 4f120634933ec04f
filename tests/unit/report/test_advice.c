// Which rule of tables/advice.tsv an instruction gets, of files made here, of the program tests/unit/analysis/tiny.S.
// What is expected follows from what the rules are for (state, events), not by the table's order. Of 1,000 cycles.
#include "profile/units.h"
#include "report/advice.h"
#include "report/formats.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/report/report_test.h"
#include "tests/unit/samples/old_file.h"

enum { UNITS = 12, ADD = 0x80000004, BRANCH = 0x80000008, CALL = 0x8000000c, RETURN = 0x80000022, END = 0x80000020 };
enum { DR_L1 = 1 << EVENT_DR_L1, FL_MB = 1 << EVENT_FL_MB, ST_L1 = 1 << EVENT_ST_L1, ST_TLB = 1 << EVENT_ST_TLB };
static char folder[] = "/tmp/test_advice_XXXXXX";
static char elf[REPORT_TEST_PATH], tips[REPORT_TEST_PATH];

static struct profile_row row(uint64_t pc, enum commit_state state, unsigned psv, uint64_t cycles) {
    return (struct profile_row){.pc = pc, .state = (uint8_t)state, .psv = (uint16_t)psv, .weight = cycles * UNITS};
}

static void write_file(const struct profile_row *rows, size_t count, const char *statistics) {
    struct samples_header h = report_test_header(elf);
    struct samples_writer *w = samples_create(tips, &h, NULL);
    assert_non_null(w);
    assert_int_equal(samples_add_profile(w, "Oracle", EVENT_SET_ALL, rows, count, NULL), 0);
    assert_int_equal(samples_close(w, NULL), 0);
    old_file(tips, 2, statistics);
}

struct expected {
    unsigned state;
    const char *events, *unit; // unit NULL: the rule for any
    uint64_t cycles;
    size_t instructions;
    uint64_t example;
};

static void expect(const struct profile_row *rows, size_t count, const char *statistics, const struct expected *e,
                   size_t expected) {
    const struct report_options o = {.granularity = BY_INSTRUCTION};
    struct run d;
    struct error err;
    size_t given;
    write_file(rows, count, statistics);
    assert_true(run_open(&d, tips, &o, &err));
    struct advice *list = advice_give(&d, &given);
    assert_non_null(list);
    assert_int_equal(given, expected);
    for (size_t i = 0; i < expected; i++) {
        assert_int_equal(list[i].rule->state, e[i].state);
        assert_string_equal(list[i].rule->names, e[i].events);
        assert_string_equal(list[i].rule->unit ? list[i].rule->unit : "", e[i].unit ? e[i].unit : "");
        assert_int_equal(list[i].weight, e[i].cycles * UNITS);
        assert_int_equal(list[i].count, e[i].instructions);
        assert_int_equal(list[i].examples[0].pc, e[i].example);
    }
    free(list);
    run_close(&d);
}

#define EXPECT(rows, statistics, ...)                                                                                  \
    expect(rows, sizeof(rows) / sizeof *(rows), statistics, (const struct expected[]){__VA_ARGS__},                    \
           sizeof((const struct expected[]){__VA_ARGS__}) / sizeof(struct expected))
#define TOTALS "\"cycles\": 1000, \"instructions\": 1000"

// Events that were met together in a third of the time have a rule of their own; apart, or seldom together, the one
// with most time counts. Rules for less than a hundredth of all time are left out.
static void together(void **state) {
    (void)state;
    const struct profile_row both[] = {row(ADD, STATE_STALLED, ST_L1, 300),
                                       row(ADD, STATE_STALLED, ST_L1 | ST_TLB, 200),
                                       row(BRANCH, STATE_COMPUTING, 0, 491), row(CALL, STATE_STALLED, ST_TLB, 9)};
    EXPECT(both, "{" TOTALS "}", {STATE_STALLED, "ST_L1+ST_TLB", NULL, 500, 1, ADD});
    const struct profile_row seldom[] = {row(ADD, STATE_STALLED, ST_L1, 400),
                                         row(ADD, STATE_STALLED, ST_L1 | ST_TLB, 100),
                                         row(BRANCH, STATE_COMPUTING, 0, 500)};
    EXPECT(seldom, "{" TOTALS "}", {STATE_STALLED, "ST_L1", NULL, 500, 1, ADD});
    const struct profile_row apart[] = {row(ADD, STATE_STALLED, ST_L1, 200), row(ADD, STATE_STALLED, ST_TLB, 300),
                                        row(BRANCH, STATE_COMPUTING, 0, 500)};
    EXPECT(apart, "{" TOTALS "}", {STATE_STALLED, "ST_TLB", NULL, 500, 1, ADD});
    const struct profile_row little[] = {row(ADD, STATE_STALLED, 0, 280), row(ADD, STATE_STALLED, ST_L1, 20),
                                         row(BRANCH, STATE_COMPUTING, 0, 700)};
    EXPECT(little, "{" TOTALS "}", {STATE_STALLED, "", NULL, 300, 1, ADD}); // no event has a tenth: the rule without
}

// Each state's part of an instruction goes to a rule of its own, which the events of another part do not select, and
// Computing to none: the examples of a rule are those with most time in its state.
static void parts(void **state) {
    (void)state;
    const struct profile_row half[] = {row(ADD, STATE_COMPUTING, 0, 520), row(ADD, STATE_DRAINED, DR_L1, 460),
                                       row(CALL, STATE_COMPUTING, 0, 20)};
    EXPECT(half, "{" TOTALS "}", {STATE_DRAINED, "DR_L1", NULL, 460, 1, ADD});
    const struct profile_row three[] = {
        row(ADD, STATE_STALLED, 0, 310),      row(ADD, STATE_FLUSHED, 1 << EVENT_FL_MO, 190),
        row(ADD, STATE_DRAINED, DR_L1, 50),   row(CALL, STATE_COMPUTING, 0, 250),
        row(CALL, STATE_DRAINED, DR_L1, 200),
    };
    EXPECT(three, "{" TOTALS "}", {STATE_STALLED, "", NULL, 310, 1, ADD}, {STATE_DRAINED, "DR_L1", NULL, 250, 2, CALL},
           {STATE_FLUSHED, "FL_MO", NULL, 190, 1, ADD});
    const struct profile_row elsewhere[] = {row(ADD, STATE_COMPUTING, ST_L1, 600), row(ADD, STATE_STALLED, 0, 400)};
    EXPECT(elsewhere, "{" TOTALS "}", {STATE_STALLED, "", NULL, 400, 1, ADD});
}

// A rule for the instruction's kind goes before one for all; rules are by weight, and sum up instructions.
static void kinds(void **state) {
    (void)state;
    const struct profile_row rows[] = {
        row(ADD, STATE_DRAINED, DR_L1, 100),    row(BRANCH, STATE_FLUSHED, FL_MB, 100),
        row(CALL, STATE_DRAINED, DR_L1, 200),   row(END, STATE_FLUSHED, FL_MB | DR_L1, 150),
        row(RETURN, STATE_FLUSHED, FL_MB, 450),
    };
    EXPECT(rows, "{" TOTALS "}", {STATE_FLUSHED, "FL_MB", "jalr", 450, 1, RETURN},
           {STATE_DRAINED, "DR_L1", NULL, 300, 2, CALL}, {STATE_FLUSHED, "FL_MB+DR_L1", NULL, 150, 1, END},
           {STATE_FLUSHED, "FL_MB", NULL, 100, 1, BRANCH});
}

// More of its time goes to traps: those first, though there is a rule for mispredicted jumps of its kind.
static void most_time(void **state) {
    (void)state;
    const struct profile_row rows[] = {row(RETURN, STATE_FLUSHED, FL_MB, 300),
                                       row(RETURN, STATE_FLUSHED, 1 << EVENT_FL_EX, 700)};
    EXPECT(rows, "{" TOTALS "}", {STATE_FLUSHED, "FL_EX", NULL, 1000, 1, RETURN});
}

// A wait on a mispredicted branch's account is the branch's: half of the time and more.
static void shadow(void **state) {
    (void)state;
    const struct profile_row rows[] = {row(ADD, STATE_STALLED, 0, 300), row(BRANCH, STATE_FLUSHED, FL_MB, 200),
                                       row(CALL, STATE_STALLED, 0, 500)};
    const char *refills = "{" TOTALS ", \"refills\": [{\"from_mode\": 3, \"from_space\": 0, \"to_mode\": 3, "
                          "\"to_space\": 0, \"pairs\": [\"80000008 80000004 90 200 150\", \"80000008 8000000c 10 0 "
                          "249\"]}]}";
    EXPECT(rows, refills, {STATE_STALLED, "", NULL, 500, 1, CALL}, {STATE_FLUSHED, "FL_MB", NULL, 500, 2, BRANCH});
    EXPECT(rows, "{" TOTALS "}", {STATE_STALLED, "", NULL, 800, 2, CALL},
           {STATE_FLUSHED, "FL_MB", NULL, 200, 1, BRANCH});
}

// In words, and in JSON.
static void written(void **state) {
    (void)state;
    const struct profile_row rows[] = {row(RETURN, STATE_FLUSHED, FL_MB, 1000)};
    write_file(rows, 1, "{" TOTALS "}");
    struct report_options o = {.format = &format_text, .granularity = BY_INSTRUCTION, .top = 5};
    char *text = report_test_write(tips, &o);
    const char *const words[] = {"What to do, by the time it applies to\n 100.0 %  leaf+0x6 (tiny.S:",
                                 "): Flushed, FL_MB\n            is an indirect jump with a mispredicted target: ",
                                 "\n            [docs/results/programs.md, lua;"};
    report_test_expect(text, words, 3);
    free(text);
    o.format = &format_json;
    text = report_test_write(tips, &o);
    cJSON *root = cJSON_Parse(text);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "advice"), 0);
    assert_string_equal(cJSON_GetObjectItem(first, "events")->valuestring, "FL_MB");
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(first, "examples"), 0)->valuestring, "0x80000022");
    assert_int_equal(cJSON_GetObjectItem(first, "weight")->valuedouble, 1000 * UNITS);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(together),  cmocka_unit_test(kinds),
                                       cmocka_unit_test(most_time), cmocka_unit_test(parts),
                                       cmocka_unit_test(shadow),    cmocka_unit_test(written)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
