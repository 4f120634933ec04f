// The function of an address: in a shared library by its symbols, the dynamic ones where it was stripped, and the
// entries of its PLT; in a program by symbols of all kinds; and functions by their names.
#include "analysis/analysis.h"
#include "isa/control.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tipoff-symbols-XXXXXX";

// For Linux, without a library of its own: what the suite has installed anyway.
#define LINUX_CC "clang --target=riscv64-linux-gnu -march=rv64gc -mabi=lp64d -fuse-ld=lld -nostdlib"

// outer calls hidden, which has no dynamic symbol, and two functions of others; the first is called twice.
static const char source[] =
    "long first(long), second(long);"
    "__attribute__((noinline)) static long hidden(long x) { return x * x ^ 77; }"
    "long outer(long x) { return hidden(first(x) + first(x + 1)) + second(x + 2) + hidden(x); }";

static struct program *build(const char *name, const char *flags) {
    char command[1024], path[256];
    struct error err;
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    snprintf(command, sizeof command, "echo '%s' | " LINUX_CC " -O1 -fPIC -shared %s -o '%s' -x c -", source, flags,
             path);
    assert_int_equal(system(command), 0);
    struct program *p = program_load_guest(path, &err);
    assert_non_null(p);
    return p;
}

static const struct program_function *function(const struct program *p, const char *name) {
    size_t count, i = program_find_function(p, name);
    return i == PROGRAM_NONE ? NULL : &program_functions(p, &count)[i];
}

// Where `auipc ra, ...; jalr ra, ...(ra)` leads, as a linker leaves a call that does not shorten it.
static bool far_target(const struct program_instruction *i, uint64_t *target) {
    enum { AUIPC_RA = 0x97, JALR_RA_RA = 0x80e7 };
    *target =
        i[0].pc + (uint64_t)(int64_t)(int32_t)(i[0].insn & 0xfffff000) + (uint64_t)(int64_t)((int32_t)i[1].insn >> 20);
    return (i[0].insn & 0xfff) == AUIPC_RA && (i[1].insn & 0xfffff) == JALR_RA_RA;
}

// How often outer calls the function that starts there.
static unsigned calls(const struct program *p, const struct program_function *to) {
    size_t count;
    const struct program_function *outer = function(p, "outer");
    const struct program_instruction *i = program_instructions(p, &count) + outer->first;
    unsigned n = 0;
    for (size_t k = 0; k < outer->count; k++) {
        uint64_t target;
        n += control_target(i[k].pc, i[k].insn, &target) && target == to->start;
        n += k + 1 < outer->count && far_target(&i[k], &target) && target == to->start;
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
    const uint64_t hidden = function(whole, "hidden")->start, outer = function(whole, "outer")->start;
    char name[32];
    snprintf(name, sizeof name, "[.text+0x%llx]", (unsigned long long)(hidden > outer ? hidden - outer : 0));
    size_t count, at = program_find(p, hidden);
    check_dynamic(p);
    assert_null(function(p, "hidden"));
    assert_true(at != PROGRAM_NONE);
    const uint32_t number = program_instructions(p, &count)[at].function;
    const struct program_function *f = &program_functions(p, &count)[number];
    assert_int_equal(f->start, hidden);
    assert_string_equal(f->name, name);
    program_destroy(p);
    program_destroy(whole);
}

// ---- names.S ----
static struct program *build_names(void) {
    char command[1024], path[256];
    struct error err;
    snprintf(path, sizeof path, "%s/names", folder);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -nostdlib -march=rv64gc -mabi=lp64d -Wl,-Ttext=0x80000000 "
             "-Wl,--no-warn-rwx-segments '" TIPOFF_ROOT "/tests/unit/analysis/names.S' -o '%s'",
             path);
    assert_int_equal(system(command), 0);
    struct program *p = program_load_guest(path, &err);
    assert_non_null(p);
    return p;
}

// By hand, as names.S says. The function of each, where it begins, and whether it is data.
static const struct {
    uint64_t pc;
    const char *name;
    uint64_t entry;
    bool data;
} places[] = {
    {0x80000000, "_start", 0x80000000, false},       {0x80000004, "outer", 0x80000004, false},
    {0x80000008, "inner", 0x80000008, false},        {0x8000000c, "outer", 0x80000004, false},
    {0x80000010, "outer", 0x80000004, false},        {0x80000014, "second_entry", 0x80000014, false},
    {0x80000018, "[.text+0x18]", 0x80000018, false}, {0x8000001c, "too_long", 0x8000001c, false},
    {0x80000020, "after", 0x80000020, false},        {0x80000024, "too_long", 0x8000001c, false},
    {0x80000028, "endless", 0x80000028, false},      {0x8000002c, "strong_name", 0x8000002c, false},
    {0x80000030, "[.text+0x30]", 0x80000030, false}, {0x80000034, "$s4main3hotyyF", 0x80000034, false},
    {0x80000038, "$d", 0x80000038, false},           {0x8000003c, "resolver", 0x8000003c, false},
    {0x80000040, "with_data", 0x80000040, false},    {0x80000044, "with_data", 0x80000040, true},
    {0x80000046, "with_data", 0x80000040, false},    {0x80000048, "with_data", 0x80000040, false},
    {0x8000004a, "with_data", 0x80000040, true},     {0x8000004e, "with_data", 0x80000040, true},
    {0x80000050, "with_data", 0x80000040, false},    {0x80000052, "with_data", 0x80000040, true},
    {0x80000056, "with_data", 0x80000040, false},
};

static void all_kinds(void **state) {
    (void)state;
    struct program *p = build_names();
    size_t count, n;
    const struct program_instruction *i = program_instructions(p, &count);
    const struct program_function *f = program_functions(p, &n);
    assert_int_equal(count, sizeof places / sizeof *places);
    for (size_t k = 0; k < count; k++) {
        const struct program_function *of = &f[i[k].function];
        assert_int_equal(i[k].pc, places[k].pc);
        assert_string_equal(of->name, places[k].name);
        assert_int_equal(of->entry, places[k].entry);
        assert_int_equal(i[k].data, places[k].data);
        assert_true(i[k].pc >= of->start && i[k].pc + i[k].bytes <= of->end);
        assert_true(k >= of->first && k - of->first < of->count);
        assert_int_equal(program_find(p, i[k].pc), k);
    }
    for (size_t k = 1; k < n; k++)
        assert_int_equal(f[k - 1].end, f[k].start);
    program_destroy(p);
}

// The time of a function is the time of all its pieces.
static void pieces_are_one_unit(void **state) {
    (void)state;
    const struct image_extent everywhere = {.modes = UINT32_MAX, .any_space = true};
    struct images *images = images_create();
    assert_true(images_add(images, "names", &everywhere, build_names()));
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const struct place unit = unit_of(images, BY_FUNCTION, (struct place){places[k].pc, 3});
        assert_int_equal(unit.pc, places[k].entry);
    }
    images_destroy(images);
}

// Data looks like a branch and like the half of an instruction; it cuts blocks, but does not jump.
static void data_is_no_branch(void **state) {
    (void)state;
    struct program *p = build_names();
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    static const uint64_t leaders[] = {0x80000040, 0x80000044, 0x80000046, 0x8000004a,
                                       0x80000050, 0x80000052, 0x80000056};
    const size_t last = sizeof leaders / sizeof *leaders - 1;
    size_t leader = 0;
    for (size_t k = program_find(p, leaders[0]); k < count; k++) {
        if (leader < last && i[k].pc == leaders[leader + 1]) leader++;
        assert_int_equal(i[i[k].block].pc, leaders[leader]);
    }
    assert_int_equal(leader, last);
    program_destroy(p);
}

// ---- names ----
static const char cpp[] =
    "namespace { __attribute__((noinline)) int hidden(int x) { return x * 3; }"
    "  struct inner { int n; __attribute__((noinline)) int method(int x) const { return n * x; } }; }"
    "struct call { int n; __attribute__((noinline)) int operator()(int x) const { return n ^ x; }"
    "  __attribute__((noinline)) bool operator<(const call &o) const { return n < o.n; }"
    "  __attribute__((noinline)) call *operator->() { n++; return this; } };"
    "template <typename T, bool flag> __attribute__((noinline)) T pick(T x, T y) { return flag && x > y ? x : y; }"
    "__attribute__((noinline)) int twice(int x) { return x + x; }"
    "__attribute__((noinline)) long twice(long x) { return x * 5; }"
    "extern \"C\" int _start(int x) {"
    "  auto add = [x](int y) __attribute__((noinline)) { return x + y; };"
    "  call c = {x}; inner i = {x};"
    "  return hidden(x) + i.method(x) + c(x) + (c < call{3}) + c->n + add(x) + (int)twice((long)x) + twice(x) +"
    "    pick<int, (3 > 2)>(x, 4); }";

static void found(const struct program *p, const char *symbol, const char *name) {
    const struct program_function *f = function(p, name);
    if (!f) {
        fail_msg("no function '%s'", name);
    } else if (strncmp(f->symbol, symbol, strlen(symbol)) != 0) {
        fail_msg("'%s' is %s", name, f->symbol);
    }
}

static void names(void **state) {
    (void)state;
    char command[4096], path[256];
    struct error err;
    snprintf(path, sizeof path, "%s/cpp", folder);
    snprintf(command, sizeof command,
             "cd '%s' && echo '%s' > odd.cpp && riscv64-unknown-elf-g++ -O1 -g -nostdlib -march=rv64imac -mabi=lp64 "
             "-o '%s' odd.cpp",
             folder, cpp, path);
    assert_int_equal(system(command), 0);
    struct program *p = program_load_guest(path, &err);
    assert_non_null(p);
    // c++filt and c++filt -p of these symbols write the names so.
    static const char *const expected[][3] = {
        {"_ZN12_GLOBAL__N_16hiddenEi", "(anonymous namespace)::hidden(int)", "(anonymous namespace)::hidden"},
        {"_ZNK12_GLOBAL__N_15inner6methodEi", "(anonymous namespace)::inner::method(int) const",
         "(anonymous namespace)::inner::method"},
        {"_ZNK4callclEi", "call::operator()(int) const", "call::operator()"},
        {"_ZNK4callltERKS_", "call::operator<(call const&) const", "call::operator<"},
        {"_ZN4callptEv", "call::operator->()", "call::operator->"},
        {"_ZZ6_startENKUliE_clEi", "_start::{lambda(int)#1}::operator()(int) const",
         "_start::{lambda(int)#1}::operator()"},
        {"_Z4pickIiLb1EET_S0_S0_", "int pick<int, true>(int, int)", "pick<int, true>"},
        {"_Z4pickIiLb1EET_S0_S0_", "int pick<int, true>", "odd.cpp:pick<int, true>"},
        {"_Z5twicel", "twice(long)", "odd.cpp:twice(long)"},
        {"_Z5twicei", "twice(int)", "odd.cpp:_Z5twicei"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        for (int k = 0; k < 3; k++)
            found(p, expected[i][0], expected[i][k]);
    }
    static const char *const none[] = {"hidden", "operator()", "operator<",         "call::operator", "call::",
                                       "",       "pick",       "call::operator-",   "anonymous",      "other.cpp:twice",
                                       ":twice", "int",        "call::operator()(", "method",         "odd.cpp:"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (function(p, none[i])) fail_msg("'%s' is %s", none[i], function(p, none[i])->name);
    }
    program_destroy(p);
}

// Two static functions of one name.
static void files(void **state) {
    (void)state;
    char command[4096], path[256];
    struct error err;
    for (int debug = 0; debug < 2; debug++) { // by the symbol table, or by the lines
        snprintf(path, sizeof path, "%s/files", folder);
        snprintf(
            command, sizeof command,
            "cd '%s' && for n in a b; do echo \"__attribute__((noinline)) static int step(int x) { return x * x; } "
            "int start_$n(int x) { return step(x) + 1; }\" > $n.c; done && "
            "riscv64-unknown-elf-gcc -O1 -nostdlib -Wl,-e,start_a %s -o '%s' a.c b.c %s",
            folder, debug ? "-g" : "", path, debug ? "&& riscv64-unknown-elf-objcopy -N a.c -N b.c files" : "");
        assert_int_equal(system(command), 0);
        struct program *p = program_load_guest(path, &err);
        assert_non_null(p);
        static const char *const order[] = {"a.c:step", "start_a", "b.c:step", "start_b"};
        for (int i = 0; i < 3; i++) {
            const struct program_function *one = function(p, order[i]), *next = function(p, order[i + 1]);
            assert_true(one && next && one->start < next->start);
            assert_string_equal((i % 2 ? next : one)->name, "step");
        }
        assert_null(function(p, "c.c:step"));
        program_destroy(p);
    }
}

// Rust's older names: without their hash, but where several functions would have one name. The expected names are
// c++filt's, which has the hash always.
static void rust_hashes(void **state) {
    (void)state;
    static const char *const symbols[] = {
        "_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
        "_ZN4core3ptr13drop_in_place17hfedcba9876543210E",
        "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
    };
    char command[2048], path[256];
    struct error err;
    snprintf(path, sizeof path, "%s/rust", folder);
    snprintf(command, sizeof command,
             "for n in '%s' '%s' '%s'; do echo \".globl \\\"$n\\\"; .type \\\"$n\\\", @function; "
             "\\\"$n\\\": ret; .size \\\"$n\\\", . - \\\"$n\\\"\"; done | " LINUX_CC " -shared "
             "-o '%s' -x assembler -",
             symbols[0], symbols[1], symbols[2], path);
    assert_int_equal(system(command), 0);
    struct program *p = program_load_guest(path, &err);
    assert_non_null(p);
    static const char *const expected[][2] = {
        {"core::ptr::drop_in_place::h0123456789abcdef", "_ZN4core3ptr13drop_in_place17h0123456789abcdefE"},
        {"core::ptr::drop_in_place::hfedcba9876543210", "core::ptr::drop_in_place::hfedcba9876543210"},
        {"core::ptr::drop_in_place::h0123456789abcdef", "core::ptr::drop_in_place"}, // the first of them
        {"<Test + 'static as foo::Bar<Test>>::bar", "<Test + 'static as foo::Bar<Test>>::bar"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct program_function *f = function(p, expected[i][1]);
        assert_non_null(f);
        assert_string_equal(f->name, expected[i][0]);
    }
    program_destroy(p);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_symbols),       cmocka_unit_test(stripped),
                                       cmocka_unit_test(all_kinds),         cmocka_unit_test(pieces_are_one_unit),
                                       cmocka_unit_test(data_is_no_branch), cmocka_unit_test(names),
                                       cmocka_unit_test(rust_hashes),       cmocka_unit_test(files)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
