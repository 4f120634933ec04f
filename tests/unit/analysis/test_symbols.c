// Names in a shared library: its symbols, the dynamic ones where it was stripped, and the entries of its PLT.
#include "analysis/analysis.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tipoff-symbols-XXXXXX";

// outer calls hidden, which has no dynamic symbol, and two functions of others, of which the first is called twice.
static const char source[] =
    "long first(long), second(long);"
    "__attribute__((noinline)) static long hidden(long x) { return x * x ^ 77; }"
    "long outer(long x) { return hidden(first(x) + first(x + 1)) + second(x + 2) + hidden(x); }";

static struct program *build(const char *name, const char *flags) {
    char command[1024], path[256];
    struct error err;
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    snprintf(command, sizeof command, "echo '%s' | riscv64-linux-gnu-gcc -O1 -fPIC -shared -nostdlib %s -o '%s' -x c -",
             source, flags, path);
    assert_int_equal(system(command), 0);
    struct program *p = program_load_guest(path, &err);
    assert_non_null(p);
    return p;
}

static const struct program_function *function(const struct program *p, const char *name) {
    size_t count, i = program_find_function(p, name);
    return i == PROGRAM_NONE ? NULL : &program_functions(p, &count)[i];
}

// How often outer calls the function that starts there.
static unsigned calls(const struct program *p, const struct program_function *to) {
    size_t count;
    const struct program_function *outer = function(p, "outer");
    const struct program_instruction *i = program_instructions(p, &count) + outer->first;
    unsigned n = 0;
    for (size_t k = 0; k < outer->count; k++) {
        uint64_t target;
        n += program_branch(i[k].pc, i[k].insn, &target) && target == to->start;
    }
    return n;
}

static void check_dynamic(const struct program *p) {
    assert_non_null(function(p, "outer"));
    assert_non_null(function(p, "first@plt"));
    assert_non_null(function(p, "second@plt"));
    assert_int_equal(function(p, "first@plt")->count, 4);
    assert_int_equal(calls(p, function(p, "first@plt")), 2);
    assert_int_equal(calls(p, function(p, "second@plt")), 1);
}

static void all_symbols(void **state) {
    (void)state;
    struct program *p = build("whole", "");
    check_dynamic(p);
    assert_non_null(function(p, "hidden"));
    program_destroy(p);
}

// What no symbol covers is named by where it is.
static void stripped(void **state) {
    (void)state;
    struct program *whole = build("whole", ""), *p = build("stripped", "-s");
    uint64_t hidden = function(whole, "hidden")->start;
    size_t count, at = program_find(p, hidden);
    check_dynamic(p);
    assert_null(function(p, "hidden"));
    assert_true(at != PROGRAM_NONE);
    const uint32_t number = program_instructions(p, &count)[at].function;
    const struct program_function *f = &program_functions(p, &count)[number];
    assert_int_equal(f->start, hidden);
    assert_string_equal(f->name, "[.text+0x0]");
    program_destroy(p);
    program_destroy(whole);
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_symbols), cmocka_unit_test(stripped)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
