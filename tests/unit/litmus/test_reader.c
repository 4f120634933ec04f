// The reader: what it takes, and what it refuses, with line, column and remedy.
#include "litmus/litmus.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct litmus_test *parse(const char *text, struct error *err) {
    *err = (struct error){""};
    return litmus_parse(text, "t.litmus", err);
}

// All allowed states, one after the other.
static char *states_of(const char *text) {
    struct error err;
    struct litmus_test *t = parse(text, &err);
    if (!t) fail_msg("%s", err.text);
    struct litmus_states *s = litmus_allowed(t, "t.litmus", &err);
    if (!s) fail_msg("%s", err.text);
    char *all;
    size_t bytes;
    FILE *out = open_memstream(&all, &bytes);
    for (size_t i = 0; i < litmus_states_count(s); i++) {
        if (i) fputs(" | ", out);
        litmus_states_print(s, i, out);
    }
    fclose(out);
    litmus_states_destroy(s);
    litmus_destroy(t);
    return all;
}

static void expect(const char *text, const char *states) {
    char *got = states_of(text);
    assert_string_equal(got, states);
    free(got);
}

static void test_taken(void **unused) {
    (void)unused;
    // comments: in each other, over lines of a cell; not in the header, where a brace stands in a text
    expect("RISCV a\n\"a {text}\"\nCycle=(* x\n{ (* a (* b *) c *) 0:x6=x; }\n P0 ;\n lw x5,0(x6) (* R\n | ; *) ;\n"
           "exists (0:x5=0)",
           "0:x5=0;");
    // types, arrays, addresses, numbers
    expect(
        "RISCV a\n{uint64_t x=0x100000001; int8_t b=-1; uint8_t c=255; int a[2]={7,8}; int *p=&y; y=3; 0:x6=x; 0:x7=p;"
        "0:s2=a; uint64_t 0:x9;}\nP0;ld x5,(x6);ld x10,(x7);lw x11,0(x10);lw x12,4(s2);"
        "locations [x; b; c; a[1]; p;]\nexists 0:x5=0x100000001 /\\ 0:x11=3 /\\ 0:x12=8 /\\ 0:x10=y",
        "0:x5=4294967297; 0:x10=y; 0:x11=3; 0:x12=8; a[1]=8; b=-1; c=255; p=y; x=4294967297;");
    // names of the ABI, pseudo-instructions, a label alone in its cell, a number of 32 bits
    expect("RISCV a\n{0:t1=x;}\nP0;li a0,0x12345fff;mv t0,a0;beqz t0,Out;sw t0,0(t1);Out:;nop;j End;sw x0,0(t1);End:;"
           "exists (x=0x12345fff)",
           "x=305422335;");
    expect("RISCV a\n{0:x6=x;}\nP0;li x5,-2;sw x5,0(x6);fence.tso;fence r,w;fence;fence.i;exists (x=-2)", "x=-2;");
    // .aq.rl is .aqrl
    expect("RISCV a\n{0:x6=x;0:x5=1;}\nP0;amoswap.w.aq.rl x7,x5,(x6);amoadd.w.aqrl x7,x5,0(x6);exists (x=2)", "x=2;");
    // what `filter` alone names is not shown
    expect("RISCV a\n{0:x6=x;0:x5=1;1:x6=x;}\nP0|P1;sw x5,0(x6)|lw x7,0(x6);|lw x8,0(x6);filter(1:x7=1)\n"
           "exists(1:x8=1)",
           "1:x8=1;");
    // operators, and what stands around a condition
    expect("RISCV a\n{}\nP0;nop;forall (true /\\ ~false /\\ (x=0 => not (x=1 \\/ x<>0)) /\\ [x]=0 /\\ *x=0)", "x=0;");
    expect("RISCV a\n{}\nP0;nop;locations [x;]", "x=0;");
    expect("RISCV a\n{}\nP0;nop;~exists x=1;", "x=0;");
}

static void test_condition(void **unused) {
    (void)unused;
    struct error err;
    struct litmus_test *t = parse("RISCV My+test \"d\"\n{}\nP0|P1;nop|;~exists\n (x=1  /\\\n y=2) ", &err);
    assert_non_null(t);
    assert_string_equal(litmus_name(t), "My+test");
    assert_string_equal(litmus_kind(t), "Forbidden");
    assert_string_equal(litmus_condition(t), "~exists (x=1 /\\ y=2)");
    assert_int_equal(litmus_threads(t), 2);
    litmus_destroy(t);
}

static void refuse(const char *text, const char *said) {
    struct error err;
    struct litmus_test *t = parse(text, &err);
    struct litmus_states *s = t ? litmus_allowed(t, "t.litmus", &err) : NULL;
    if (s || !strstr(err.text, said))
        print_error("%.200s\nsaid: %s\nexpected: %s\n", text, s ? "nothing" : err.text, said);
    assert_null(s);
    assert_non_null(strstr(err.text, said));
    litmus_destroy(t);
}

#define HEAD "RISCV a\n{0:x6=x;}\n"
static void test_refused(void **unused) {
    (void)unused;
    refuse("", "t.litmus:1:1: begins with no architecture");
    refuse("AArch64 a\n{}", "t.litmus:1:1: the test is for AArch64: name a .litmus file of RISC-V");
    refuse("RISCV\n{}\n", "name is missing");
    refuse("RISCV a\n", "no initial state: write { ... }");
    refuse("RISCV a\n{ (* (* *)", "t.litmus:2:3: the comment does not end");
    refuse("RISCV a\n{x=1;", "close it with '}'");
    refuse("RISCV a\n{x=1 y=2;}", "t.litmus:2:6: ';' is missing");
    refuse("RISCV a\n{float x;}", "t.litmus:2:2: 'float' is no type that is read");
    refuse("RISCV a\n{x=12y;}", "not a digit");
    refuse("RISCV a\n{x=0x10000000000000000;}", "more than 64 bits");
    refuse("RISCV a\n{x=18446744073709551616;}", "more than 64 bits");
    refuse("RISCV a\n{0:x0=1;}", "t.litmus:2:7: x0 is always 0");
    refuse("RISCV a\n{0:x32=1;}", "no such register");
    refuse("RISCV a\n{9:x1=1;}", "at most 8 threads");
    refuse("RISCV a\n{int x[0];}", "give it 1 to");
    refuse("RISCV a\n{int x[1000000000000];}", "give it 1 to");
    refuse("RISCV a\n{int x[1]={1,2};}", "more values than elements");
    refuse("RISCV a\n{0:x6=P1:L;}", "addresses of code");
    refuse("RISCV a\n{1:x5=1;}\nP0;nop;exists x=0", "register of thread 1");
    refuse(HEAD "P1;nop;", "t.litmus:3:1: the table's first row names the threads");
    refuse(HEAD "P0|P1;nop;exists x=0", "t.litmus:3:10: the row has 1 cells of 2");
    refuse(HEAD "P0;nop|nop;exists x=0", "more cells than there are threads");
    refuse(HEAD "P0;nop", "the row does not end");
    refuse(HEAD "P0;nop nop;exists x=0", "an instruction ends before this");
    refuse(HEAD "P0;\n  fadd.d f0,f0,f0;exists x=0", "t.litmus:4:3: 'fadd.d' is not read");
    refuse(HEAD "P0;mul x5,x5,x5;exists x=0", "'mul' is not read");
    refuse(HEAD "P0;add.aq x5,x5,x5;exists x=0", "'add.aq' is not read");
    refuse(HEAD "P0;lw x5,x6;exists x=0", "a number is missing");
    refuse(HEAD "P0;lw x5,2048(x6);exists x=0", "write -2048 to 2047");
    refuse(HEAD "P0;amoadd.w x5,x5,4(x6);exists x=0", "write 0 to 0");
    refuse(HEAD "P0;slli x5,x5,64;exists x=0", "write 0 to 63");
    refuse(HEAD "P0;fence q,w;exists x=0", "sets are made of");
    refuse(HEAD "P0;beq x5,x6,Nowhere;exists x=0", "t.litmus:3:14: no label 'Nowhere'");
    refuse(HEAD "P0;L:;L:;exists x=0", "stands here twice");
    refuse(HEAD "P0;L:;nop;j L;exists x=0", "t.litmus:3: a branch back");
    refuse(HEAD "P0;lw x5,2(x6);exists x=0", "t.litmus:3: a misaligned access of thread 0");
    refuse(HEAD "P0;lw x5,64(x6);exists x=0", "accesses what is no location");
    refuse(HEAD "P0;lw x5,0(x7);exists x=0", "accesses what is no location");
    refuse(HEAD "P0;nop;exists (x=0", "')' is missing");
    refuse(HEAD "P0;nop;exists (x=0) x", "the condition ends before this");
    refuse(HEAD "P0;nop;exists x", "'=' is missing");
    refuse(HEAD "P0;nop;exists 1:x5=0", "no thread 1");
    refuse(HEAD "P0;nop;exists x[1]=0", "x has 1 elements");
    refuse(HEAD "P0;nop;locations [x", "a register (0:x5) or a location is missing");
    refuse(HEAD "P0;nop;~forall x=0", "a condition is missing");
}

static char *repeated(const char *before, const char *part, size_t times, const char *behind) {
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    fputs(before, out);
    for (size_t i = 0; i < times; i++)
        fprintf(out, part, (unsigned)i);
    fputs(behind, out);
    fclose(out);
    return text;
}

static void refuse_many(const char *before, const char *part, size_t times, const char *behind, const char *said) {
    char *text = repeated(before, part, times, behind);
    refuse(text, said);
    free(text);
}

static void test_bounds(void **unused) {
    (void)unused;
    refuse_many("RISCV a\n{", "x%u;", 33, "}", "more than 32 locations");
    refuse_many(HEAD "P0;", "nop;", 65, "exists x=0", "more than 64 instructions");
    refuse_many(HEAD "P0;", "L%u:;", 33, "exists x=0", "more than 32 labels");
    refuse_many(HEAD "P0;", "lw x5,0(x6);", 25, "exists x=0", "more than 24 memory operations");
    refuse_many(HEAD "P0;nop;exists ", "(", 100000, "x=0", "parts in each other");
    refuse_many(HEAD "P0;nop;exists ", "~", 100000, "x=0", "parts in each other");
    refuse_many(HEAD "P0;nop;exists x=0", "=> x=0", 100000, "", "parts in each other");
    refuse_many(HEAD "P0;nop;exists x=0", " /\\ x=0", 5000, "", "more than 4096 terms");
    refuse_many(HEAD "P0;nop;exists true", " /\\ 0:x%u=0", 65, "", "no such register"); // x32
    refuse_many("RISCV ", "n", 200, "\n{}", "longer than 127 characters");
    refuse_many("RISCV a\n{", "n", 100, ";}", "more than 63 characters");
}

// Texts that were changed at random places are read or refused with their place, whatever they are.
static void test_changed(void **unused) {
    static const char good[] =
        "RISCV a \"b\"\n{uint64_t x=1; int a[2]={1,2}; int *p=&y; 0:x5=1; 0:x6=x; 1:x6=x; 1:x7=y;}\nP0 | P1 ;\n"
        "lw x7,0(x6) | sw x5,0(x6) (* c (* d *) *) ;\nbne x7,x0,L | fence rw,rw ;\nL: | lr.w.aq x8,(x7) ;\n"
        "amoadd.d x8,x5,(x6) | sc.w x9,x8,(x7) ;\nlocations [x; a[1]; 0:x7;]\nfilter (not (p=y) \\/ true)\n"
        "~exists (0:x7=1 /\\ 1:x9=0 => x<>2)\n";
    static const char *const parts[] = {"(*",
                                        "*)",
                                        "{",
                                        "}",
                                        "|",
                                        ";",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "~",
                                        "=>",
                                        "=",
                                        "x5",
                                        "P0",
                                        ":",
                                        "-9",
                                        "0x",
                                        "li x5,99999,",
                                        "lw x5,4(x6)",
                                        "j L",
                                        "exists",
                                        ",",
                                        "18446744073709551616"};
    uint64_t random = 1;
    unsigned read = 0;
    (void)unused;
    for (unsigned i = 0; i < 5000; i++) {
        char text[sizeof good + 128];
        struct error err;
        memcpy(text, good, sizeof good);
        for (unsigned k = 0; k <= i % 3; k++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const char *part = parts[(random >> 32) % (sizeof parts / sizeof *parts)];
            const size_t length = strlen(text), at = (random >> 40) % length, cut = (random >> 62) % (length - at);
            memmove(text + at, text + at + cut, length - at - cut + 1);
            memmove(text + at + strlen(part), text + at, strlen(text + at) + 1);
            memcpy(text + at, part, strlen(part));
        }
        struct litmus_test *t = parse(text, &err);
        struct litmus_states *states = t ? litmus_allowed(t, "t.litmus", &err) : NULL;
        read += states != NULL;
        if (!states) assert_memory_equal(err.text, "t.litmus:", strlen("t.litmus:"));
        litmus_states_destroy(states);
        litmus_destroy(t);
    }
    assert_in_range(read, 50, 4900);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_taken), cmocka_unit_test(test_condition),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
