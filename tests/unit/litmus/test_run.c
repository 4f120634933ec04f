// Machine code as the disassembler reads it; tests that run: on the ISS, and on machines that do what is not allowed.
#include "isa/disasm.h"
#include "litmus/encode.h"
#include "litmus/program.h"
#include "litmus/report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Each instruction that is read, as LLVM disassembles it.
static void test_encode(void **unused) {
    static const char *const rows[] = {"lui t0, 74565",
                                       "addi t0, t1, -2048",
                                       "slti t0, t1, 2047",
                                       "sltiu t0, t1, 7",
                                       "xori t0, t1, 3",
                                       "ori t0, t1, 1",
                                       "andi t0, t1, 128",
                                       "slli t0, t1, 63",
                                       "srli t0, t1, 1",
                                       "srai t0, t1, 33",
                                       "add t0, t1, t6",
                                       "sub t0, t1, t2",
                                       "sll t0, t1, t2",
                                       "slt t0, t1, t2",
                                       "sltu t0, t1, t2",
                                       "xor t0, t1, t2",
                                       "srl t0, t1, t2",
                                       "sra t0, t1, t2",
                                       "or t0, t1, t2",
                                       "and t0, t1, t2",
                                       "addiw t0, t1, -1",
                                       "slliw t0, t1, 31",
                                       "srliw t0, t1, 31",
                                       "sraiw t0, t1, 31",
                                       "addw t0, t1, t2",
                                       "subw t0, t1, t2",
                                       "sllw t0, t1, t2",
                                       "srlw t0, t1, t2",
                                       "sraw t0, t1, t2",
                                       "lb t0, -1(t1)",
                                       "lh t0, 2(t1)",
                                       "lw t0, 4(t1)",
                                       "ld t0, 2040(t1)",
                                       "lbu t0, 0(t1)",
                                       "lhu t0, 0(t1)",
                                       "lwu t0, 0(t1)",
                                       "sb t0, -2048(t1)",
                                       "sh t0, 2046(t1)",
                                       "sw t0, 33(t1)",
                                       "sd t0, 0(t1)",
                                       "fence rw, w",
                                       "fence iorw, r",
                                       "fence.tso",
                                       "fence.i",
                                       "lr.w t0, (t1)",
                                       "lr.d.aq t0, (t1)",
                                       "lr.w.aqrl t0, (t1)",
                                       "sc.w.rl t0, t2, (t1)",
                                       "sc.d t0, t2, (t1)",
                                       "amoadd.w t0, t2, (t1)",
                                       "amoswap.d t0, t2, (t1)",
                                       "amoxor.w.aq t0, t2, (t1)",
                                       "amoor.d t0, t2, (t1)",
                                       "amoand.w t0, t2, (t1)",
                                       "amomin.w t0, t2, (t1)",
                                       "amomax.d t0, t2, (t1)",
                                       "amominu.w t0, t2, (t1)",
                                       "amomaxu.d.aqrl t0, t2, (t1)"};
    struct error err = {""};
    struct disasm *d = disasm_create(&err);
    assert_non_null(d);
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256], got[64];
        snprintf(text, sizeof text, "RISCV a\n{}\nP0;%s;exists true", rows[i]);
        struct litmus_test *t = litmus_parse(text, "t.litmus", &err);
        if (!t) fail_msg("%s", err.text);
        disasm_text(d, 0x1000, litmus_encode(&t->threads[0].code[0]), got, sizeof got);
        assert_string_equal(got, rows[i]);
        litmus_destroy(t);
    }
    static const struct {
        enum insn_op op;
        int32_t imm;
        const char *text;
    } jumps[] = {{INSN_BEQ, -4096, "beq t0, t1, 0x80000000"}, {INSN_BNE, 4094, "bne t0, t1, 0x80001ffe"},
                 {INSN_BLT, 2048, "blt t0, t1, 0x80001800"},  {INSN_BGE, -2, "bge t0, t1, 0x80000ffe"},
                 {INSN_BLTU, 30, "bltu t0, t1, 0x8000101e"},  {INSN_BGEU, 4, "bgeu t0, t1, 0x80001004"}};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        char got[64];
        const struct litmus_instruction insn = {.op = (uint8_t)jumps[i].op, .rs1 = 5, .rs2 = 6, .imm = jumps[i].imm};
        disasm_text(d, 0x80001000, litmus_encode(&insn), got, sizeof got);
        assert_string_equal(got, jumps[i].text);
    }
    char got[64];
    disasm_text(d, 0x80001000, litmus_encode(&(struct litmus_instruction){.op = INSN_JAL, .imm = -4}), got, sizeof got);
    assert_string_equal(got, "j 0x80000ffc");
    disasm_destroy(d);
}

static struct litmus_test *parse(const char *text) {
    struct error err = {""};
    struct litmus_test *t = litmus_parse(text, "t.litmus", &err);
    if (!t) fail_msg("%s", err.text);
    return t;
}

// "1000: 0:x5=1; x=2; | ..." in order of the states.
static char *run(const struct litmus_test *t, const struct litmus_run *how) {
    struct error err = {""};
    struct litmus_seen seen;
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!litmus_run(t, how, "t.litmus", &seen, &err)) fail_msg("%s", err.text);
    for (size_t i = 0; i < litmus_states_count(seen.states); i++) {
        fprintf(out, i ? " | %llu: " : "%llu: ", (unsigned long long)seen.counts[i]);
        litmus_states_print(seen.states, i, out);
    }
    fclose(out);
    litmus_seen_free(&seen);
    return text;
}

static const struct litmus_run plain = {.on = &litmus_machine_iss, .iterations = 100, .seed = 1};

static void expect(const char *test, const char *states) {
    struct litmus_test *t = parse(test);
    char *got = run(t, &plain);
    assert_string_equal(got, states);
    free(got);
    litmus_destroy(t);
}

// One thread: everything is known.
static void test_alone(void **unused) {
    (void)unused;
    expect(
        "RISCV a\n{uint64_t x=0x100000001; int8_t b=-1; uint8_t c=255; int a[2]={7,8}; int *p=&y; y=3; 0:x6=x; 0:x7=p;"
        "0:s2=a;}\nP0;ld x5,(x6);ld x10,(x7);lw x11,0(x10);lw x12,4(s2);sw x11,0(s2);"
        "locations [x; b; c; a[0]; a[1]; p;]\nexists 0:x5=1 /\\ 0:x11=3 /\\ 0:x12=8 /\\ 0:x10=y",
        "100: 0:x5=4294967297; 0:x10=y; 0:x11=3; 0:x12=8; a[0]=3; a[1]=8; b=-1; c=255; p=y; x=4294967297;");
    // a branch over an instruction, a jump, what filter drops, all but one register
    expect("RISCV a\n{0:x6=x;}\nP0;beqz x5,L;li x7,1;L:;j M;li x8,1;M:;lr.w x9,(x6);sc.w x10,x6,(x6);amoswap.w "
           "x11,x0,(x6);"
           "exists (0:x7=0 /\\ 0:x8=0 /\\ x=0)",
           "100: 0:x7=0; 0:x8=0; x=0;");
    expect("RISCV a\n{0:x6=x;}\nP0;lw x5,0(x6);filter (0:x5=1)\nexists (0:x5=1)", "");
}

#define SB                                                                                                             \
    "RISCV SB\n{0:x5=1;0:x6=x;0:x7=y;1:x5=1;1:x6=y;1:x7=x;}\nP0|P1;sw x5,0(x6)|sw x5,0(x6);lw x8,0(x7)|lw x8,0(x7);"   \
    "exists (0:x8=0 /\\ 1:x8=0)"

// The same seed gives the same run, another one another; harts that are more than threads wait.
static void test_seed(void **unused) {
    struct litmus_test *t = parse(SB);
    struct litmus_run how = {.on = &litmus_machine_iss, .iterations = 2500, .seed = 7};
    char *a = run(t, &how), *b = run(t, &how);
    (void)unused;
    assert_string_equal(a, b);
    assert_non_null(strstr(a, "0:x8=1; 1:x8=1;")); // turns end in the middle of the test
    how.seed = 8;
    char *c = run(t, &how);
    assert_string_not_equal(a, c);
    how.harts = 5;
    char *d = run(t, &how);
    assert_string_not_equal(d, c);
    struct error err = {""};
    struct litmus_seen seen;
    how.harts = 1;
    assert_false(litmus_run(t, &how, "t.litmus", &seen, &err));
    assert_string_equal(err.text, "t.litmus: has 2 threads: give --harts 2, or more");
    litmus_seen_free(&seen);
    free(a), free(b), free(c), free(d);
    litmus_destroy(t);
}

// A machine that changes what locations hold after the run: every 1 of the test's becomes 7.
static bool wrong(const struct litmus_job *job, struct error *err) {
    if (!litmus_machine_iss.run(job, err)) return false;
    uint32_t word;
    for (size_t i = job->bytes - 4096; i < job->bytes; i += sizeof word) {
        memcpy(&word, (char *)job->memory + i, sizeof word);
        if (word == 1) memcpy((char *)job->memory + i, &(uint32_t){7}, sizeof word);
    }
    return true;
}

static bool stuck(const struct litmus_job *job, struct error *err) {
    struct litmus_job less = *job;
    less.most = 100;
    return litmus_machine_iss.run(&less, err);
}

static void test_forbidden(void **unused) {
    static const struct litmus_machine liar = {"wrong", "", wrong}, dead = {"stuck", "", stuck};
    struct litmus_test *t = parse("RISCV a\n{0:x5=1;0:x6=x;}\nP0;sw x5,0(x6);exists (x=1)");
    struct litmus_run how = {.on = &liar, .iterations = 50, .seed = 1};
    struct litmus_seen seen;
    struct error err = {""};
    char *text;
    size_t bytes, state;
    (void)unused;
    assert_true(litmus_run(t, &how, "t.litmus", &seen, &err));
    struct litmus_states *allowed = litmus_allowed(t, "t.litmus", &err);
    const struct litmus_result r = {"t.litmus", t, allowed, &seen, 0};
    const uint64_t forbidden = litmus_forbidden(&r, &state);
    assert_in_range(forbidden, 1, 50);
    FILE *out = open_memstream(&text, &bytes);
    assert_true(litmus_report(&r, LITMUS_TEXT, 0, out));
    fclose(out);
    assert_non_null(strstr(text, "\nForbidden x=7;\n"));
    assert_non_null(strstr(text, "; forbidden 1, in "));
    free(text);
    litmus_states_destroy(allowed);
    litmus_seen_free(&seen);
    how.on = &dead;
    assert_false(litmus_run(t, &how, "t.litmus", &seen, &err));
    assert_non_null(strstr(err.text, "t.litmus: the harts have not come to an end"));
    litmus_seen_free(&seen);
    litmus_destroy(t);
}

static void test_full(void **unused) {
    char text[4096] = "RISCV a\n{}\nP0;";
    struct error err = {""};
    struct litmus_seen seen;
    (void)unused;
    for (unsigned x = 1; x < 32; x++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "li x%u,1;", x);
    strcat(text, "exists (0:x1=1)");
    struct litmus_test *t = parse(text);
    assert_false(litmus_run(t, &plain, "t.litmus", &seen, &err));
    assert_string_equal(err.text, "t.litmus: thread 0 uses all registers: leave one of them for the program around it");
    litmus_seen_free(&seen);
    litmus_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_encode), cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_seed), cmocka_unit_test(test_forbidden),
                                       cmocka_unit_test(test_full)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
