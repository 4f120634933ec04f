// Hybrid basic block profiling: the formulas of the paper on code and samples made up, with results worked out by hand.
#include "methods/hbbp/hbbp.h"
#include "methods/hbbp/rule.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Five blocks of 4, 2, 1, 3 and 2 instructions, numbers 0-3, 4-5, 6, 7-9, 10-11. The third is an unconditional jump;
// the last lies in another section.
enum { INSTRUCTIONS = 12, BLOCKS = 5, A = 0, B = 4, C = 6, D = 7, E = 10 };
static struct code_instruction instructions[INSTRUCTIONS];
static struct code_block blocks[BLOCKS] = {{0, 4, 4, true, true},
                                           {4, 2, 2, true, true},
                                           {6, 1, 1, false, false},
                                           {7, 3, 3, true, false},
                                           {10, 2, 1, true, false}};
static const struct code code = {
    .instructions = instructions, .count = INSTRUCTIONS, .blocks = blocks, .block_count = BLOCKS};

static int set_up(void **state) {
    (void)state;
    for (uint32_t b = 0; b < BLOCKS; b++)
        for (uint32_t i = blocks[b].first; i < blocks[b].first + blocks[b].count; i++)
            instructions[i] =
                (struct code_instruction){.pc = 0x1000 + 4 * i, .insn = 0x13, .block = b, .follows = i != 0 && i != E};
    return 0;
}

static void near(double got, double expected) {
    if (fabs(got - expected) > 1e-9) fail_msg("%g, not %g", got, expected);
}

// 100 instructions a sample. Three samples in the block of 4: 300 instructions, so 75 executions. One in the block of
// 1: 100. Two in that with one instruction that traps: 200 retired, one an execution. One outside is none.
static void test_ebs(void **state) {
    (void)state;
    const uint32_t samples[] = {A, A + 3, C, A + 1, CODE_NONE, E, E + 1};
    struct hbbp_block found[BLOCKS] = {{0}};
    hbbp_add_ebs(&code, samples, sizeof samples / sizeof *samples, 100, found);
    near(found[0].ebs, 75);
    near(found[1].ebs, 0);
    near(found[2].ebs, 100);
    near(found[3].ebs, 0);
    near(found[4].ebs, 200);
    assert_int_equal(found[0].samples, 3);
    assert_int_equal(found[4].samples, 2);
}

static void add_stacks(const struct hbbp_stack *stacks, size_t count, struct hbbp_block *found,
                       struct hbbp_quality *quality) {
    memset(found, 0, BLOCKS * sizeof *found);
    *quality = (struct hbbp_quality){0};
    hbbp_add_lbr(&code, stacks, count, 60, found, quality);
}

// A stack of four: three streams of 60 / 3 = 20 transfers each. D's end to A; A to the end of B (two blocks); from A to
// the end of A; from D to the end of D. The oldest source, D's, is of no stream.
static void test_lbr(void **state) {
    (void)state;
    const struct hbbp_transfer entries[] = {{D + 2, A, true}, {B + 1, A, true}, {A + 3, D, true}, {D + 2, A, true}};
    const struct hbbp_stack stack = {entries, 4};
    struct hbbp_block found[BLOCKS];
    struct hbbp_quality quality;
    add_stacks(&stack, 1, found, &quality);
    near(found[0].lbr, 40);
    near(found[1].lbr, 20);
    near(found[2].lbr, 0);
    near(found[3].lbr, 20);
    assert_int_equal(found[0].streams, 2);
    assert_int_equal(found[3].first, 1);
    assert_int_equal(found[3].all, 2);
    assert_int_equal(quality.streams, 3);
    assert_int_equal(quality.broken + quality.outside, 0);
}

// What is no stream: a source before its target; one after a jump that cannot be passed, or in another section; a
// place in no image.
static void test_broken(void **state) {
    (void)state;
    const struct hbbp_transfer entries[] = {
        {A, D, true}, {A, B, true}, {D + 2, D, true}, {E + 1, CODE_NONE, true}, {A + 3, A, true}};
    const struct hbbp_stack stack = {entries, 5};
    struct hbbp_block found[BLOCKS];
    struct hbbp_quality quality;
    add_stacks(&stack, 1, found, &quality);
    for (unsigned b = 0; b < BLOCKS; b++)
        near(found[b].lbr, 0);
    assert_int_equal(quality.streams, 4);
    assert_int_equal(quality.broken, 3);
    assert_int_equal(quality.outside, 1);
}

// An interrupt before A + 2 ends its stream in A, which was entered; the return to A + 2 enters no block. One before
// the first instruction of B: A was executed, and B is entered by the return. One before the first instruction of its
// target: nothing was executed.
static void test_interrupted(void **state) {
    (void)state;
    const struct hbbp_transfer inside[] = {{D + 2, A, true}, {A + 2, D, false}, {D + 2, A + 2, true}, {A + 3, D, true}};
    const struct hbbp_transfer edge[] = {{D + 2, A, true}, {B, D, false}, {D + 2, B, true}, {B + 1, D, true}};
    const struct hbbp_transfer at_once[] = {{D + 2, A, true}, {A, D, false}};
    const struct hbbp_stack stacks[] = {{inside, 4}, {edge, 4}, {at_once, 2}};
    struct hbbp_block found[BLOCKS];
    struct hbbp_quality quality;
    add_stacks(&stacks[0], 1, found, &quality);
    near(found[0].lbr, 20);
    near(found[3].lbr, 20);
    add_stacks(&stacks[1], 1, found, &quality);
    near(found[0].lbr, 20);
    near(found[1].lbr, 20);
    near(found[3].lbr, 20);
    add_stacks(&stacks[2], 1, found, &quality);
    near(found[0].lbr, 0);
    assert_int_equal(quality.broken, 0);
}

// A stack of one says nothing.
static void test_single(void **state) {
    (void)state;
    const struct hbbp_transfer entries[] = {{A + 3, A, true}};
    const struct hbbp_stack stack = {entries, 1};
    struct hbbp_block found[BLOCKS];
    struct hbbp_quality quality;
    add_stacks(&stack, 1, found, &quality);
    near(found[0].lbr, 0);
    assert_int_equal(quality.streams, 0);
}

// 16 entries, 1600 records of a branch: 100 of them in entry 0 are as many as in any other; the deviation is 10. The
// paper's case has one of half of the stacks.
static void test_bias(void **state) {
    (void)state;
    assert_false(hbbp_is_biased(100, 1600, 16));
    assert_false(hbbp_is_biased(199, 1600, 16)); // many deviations, but less than twice as often
    assert_true(hbbp_is_biased(200, 1600, 16));
    assert_false(hbbp_is_biased(3, 16, 16)); // three times as often, but two deviations: chance
    assert_true(hbbp_is_biased(50, 60, 16));
    assert_false(hbbp_is_biased(0, 0, 16));
}

// 500 of one kind taken for 510, 300 for 270, 200 for 220: (10 + 30 + 20) / 1000. In the paper's words: 2 % of a half,
// 10 % of three tenths, 10 % of two.
static void test_error(void **state) {
    (void)state;
    const double reference[] = {500, 300, 200}, measured[] = {510, 270, 220};
    near(hbbp_error(reference, measured, 3), 0.06);
    near(hbbp_error(reference, reference, 3), 0);
    near(hbbp_error(reference, measured, 0), 0);
}

static bool read_rule(const char *text, const char *name, struct rule *rule, struct error *err) {
    char path[] = "/tmp/test_hbbp_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    err->text[0] = '\0';
    const bool good = rule_read(rule, path, name, err);
    unlink(path);
    return good;
}

static bool chooses(const struct rule *rule, double length, double bias) {
    const double features[HBBP_FEATURES] = {[FEATURE_LENGTH] = length, [FEATURE_BIAS] = bias};
    return rule_chooses_lbr(rule, features);
}

static void test_rule(void **state) {
    (void)state;
    static const char table[] = "# rules\nrule\tnode\tfeature\tat_most\tthen\telse\n"
                                "paper\t0\tlength\t18\tLBR\tEBS\n"
                                "two\t0\tbias\t0.5\tLBR\t1\ntwo\t1\tlength\t4.5\tLBR\tEBS\n";
    struct rule rule;
    struct error err;
    assert_true(read_rule(table, "paper", &rule, &err));
    assert_true(chooses(&rule, 18, 1));
    assert_false(chooses(&rule, 19, 0));
    assert_true(read_rule(table, "two", &rule, &err));
    assert_true(chooses(&rule, 100, 0));
    assert_true(chooses(&rule, 4, 1));
    assert_false(chooses(&rule, 5, 1));
    assert_false(read_rule(table, "three", &rule, &err));
    assert_non_null(strstr(err.text, "no rule 'three'"));
    static const char *const wrong[] = {"x\t0\tlength\t18\tLBR\n",      "x\t1\tlength\t18\tLBR\tEBS\n",
                                        "x\t0\theight\t18\tLBR\tEBS\n", "x\t0\tlength\tmany\tLBR\tEBS\n",
                                        "x\t0\tlength\t18\tLBR\t0\n",   "x\t0\tlength\t18\tLBR\tboth\n",
                                        "x\t0\tlength\t18\tLBR\t1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(read_rule(wrong[i], "x", &rule, &err));
        assert_non_null(strstr(err.text, "node"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ebs),    cmocka_unit_test(test_lbr),
                                       cmocka_unit_test(test_broken), cmocka_unit_test(test_interrupted),
                                       cmocka_unit_test(test_single), cmocka_unit_test(test_bias),
                                       cmocka_unit_test(test_error),  cmocka_unit_test(test_rule)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
