// Functions, inlined calls and source lines of every instruction of programs in C, C++ and Rust, by their compilers and
// many of their options, against addr2line of binutils and of LLVM and objdump. Where these differ from each other:
//   - binutils 2.40 finds nothing at addresses that follow some gaps, and in files whose unit is split: where it says
//     "??" LLVM's answer alone counts, which has to have one everywhere but in code without a symbol.
//   - binutils names a wrong file for functions of headers at -O0, and "<artificial>" with -flto; it does not see all
//     inlined calls of clang's.
//   - All three name a label inside a function (crt0.S, trap_nested), which is a place in it here.
//   - Bytes that align a function are the one's before it for binutils, nobody's for LLVM and here, and are left out by
//     objdump.
//   - addr2line gives clones the name that the debug information has: "f" for f.constprop.0.
//   - Of several names for one place each takes another one.
//   - Code of line 0 belongs to the line before it here, and to none there.
//   - LLVM writes lambdas' names in another way.
// With a file as its argument, only that one's functions: make test-linux hands the kernel in.
#include "analysis/analysis.h"
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { DEEPEST = 32, LINE = 2048 };
static char folder[] = "/tmp/tipoff-inlines-XXXXXX";

// One address of addr2line -a -i -f: pairs of a function and its place, innermost first.
struct answer {
    const char *symbols; // all_symbols
    uint64_t entry;      // of the function that is not inlined
    size_t count;
    char text[2 * DEEPEST][LINE];
};

static void run(const char *format, const char *a, const char *b) {
    char command[4096];
    snprintf(command, sizeof command, format, a, b);
    if (system(command) != 0) fail_msg("failed: %s", command);
}

// "file:12", as far as it says something: what follows a line, and how it prints nothing, are the tool's own.
static void normalise(char *line) {
    char *end = strstr(line, " (discriminator");
    if (end) *end = '\0';
    end = strrchr(line, ':');
    if (end && (strcmp(end, ":?") == 0 || strcmp(end, ":0") == 0)) strcpy(line, "??");
}

// False: the end. The line after the answer is the next address, kept in `next`.
static bool read_answer(FILE *in, struct answer *a, char *next) {
    a->count = 0;
    if (!*next) return false;
    while (fgets(next, LINE, in) && strncmp(next, "0x", 2) != 0) {
        next[strcspn(next, "\n")] = '\0';
        assert_true(a->count < 2 * DEEPEST);
        strcpy(a->text[a->count], next);
        if (a->count++ % 2) normalise(a->text[a->count - 1]);
    }
    if (feof(in)) *next = '\0';
    return true;
}

static void ours(const struct program *p, uint64_t pc, const struct program_function *f, struct answer *a) {
    struct program_inline calls[DEEPEST];
    unsigned line = 0;
    const char *file = program_source(p, pc, &line);
    size_t depth = program_inlines(p, pc, calls, DEEPEST);
    assert_true(depth < DEEPEST);
    a->count = 0;
    a->entry = f->entry;
    for (size_t i = 0; i <= depth; i++) {
        snprintf(a->text[a->count++], LINE, "%s", i < depth ? calls[i].function : f->name);
        if (file && line) {
            snprintf(a->text[a->count++], LINE, "%s:%u", file, line);
        } else {
            strcpy(a->text[a->count++], "??");
        }
        if (i < depth) file = calls[i].file, line = calls[i].line;
    }
}

static bool silent(const struct answer *a) {
    return a->count == 2 && (strcmp(a->text[1], "??") == 0 || strcmp(a->text[0], "??") == 0);
}

static char *output_of(const char *command) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *in = popen(command, "r");
    assert_non_null(in);
    assert_true(getdelim(&text, &bytes, '\0', in) > 0);
    pclose(in);
    return text;
}

// Every symbol of the program, as "address name\n".
static char *all_symbols(const char *elf) {
    char command[1024];
    snprintf(command, sizeof command, "riscv64-unknown-elf-nm -C '%s' | sed 's/^0*\\([^ ]*\\) . /\\1 /'", elf);
    return output_of(command);
}

static bool is_alias(const char *symbols, uint64_t entry, const char *name) {
    char line[LINE];
    snprintf(line, sizeof line, "%llx %s\n", (unsigned long long)entry, name);
    return strstr(symbols, line) != NULL;
}

// The function of an address, as a tool has it. b: the tool's.
static bool same_function(const char *a, const char *b) {
    const size_t bytes = strlen(b);
    if (strcmp(a, b) == 0 || strcmp(b, "trap_nested") == 0) return true;
    return bytes && strncmp(a, b, bytes) == 0 && (a[bytes] == '.' || strncmp(a + bytes, " [clone", 7) == 0);
}

// Entry i of the two answers. b: the tool's.
static bool same_entry(const struct answer *a, const struct answer *b, bool llvm, size_t i) {
    if (llvm && strstr(b->text[i], "lambda")) return true;
    if (i == b->count - 2) return same_function(a->text[i], b->text[i]) || is_alias(a->symbols, a->entry, b->text[i]);
    return (i % 2 && strcmp(b->text[i], "??") == 0) || strcmp(a->text[i], b->text[i]) == 0;
}

static void expect_equal(uint64_t pc, const char *tool, const struct answer *a, const struct answer *b) {
    for (size_t i = 0; i < a->count || i < b->count; i++) {
        if (i < a->count && i < b->count && same_entry(a, b, *tool == 'l', i)) continue;
        fail_msg("0x%llx, %s, entry %zu: '%s', here '%s'", (unsigned long long)pc, tool, i,
                 i < b->count ? b->text[i] : "none", i < a->count ? a->text[i] : "none");
    }
}

// A file of the command line, instead of all else: the kernel, after `make linux`.
static const char *named;
static char *named_functions; // of it, a line each

// Of that file: what no symbol says it has, after the end of a function. For the tools it is that function's.
static bool is_nobodys(const struct program_function *f) {
    return named && f->name[0] == '[';
}

// Of that file: a place inside a function, which the tools take for one.
static bool is_label(const char *name) {
    char line[LINE];
    snprintf(line, sizeof line, "\n%s\n", name);
    return named && !strstr(named_functions, line);
}

// The functions, and what is data, as objdump has them.
static void compare_listing(const char *elf, const struct program *p, const char *symbols) {
    char command[1024], line[LINE], name[LINE] = "", what[64];
    size_t count, n, seen = 0, data = 0, left_out = 0;
    const struct program_instruction *i = program_instructions(p, &count);
    const struct program_function *f = program_functions(p, &n);
    unsigned long long pc;
    snprintf(command, sizeof command, "riscv64-unknown-elf-objdump -d -C -w --no-show-raw-insn '%s'", elf);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        char *end = strstr(line, ">:\n"), *begin = strchr(line, '<');
        if (end && begin && line[0] != ' ') {
            *end = '\0';
            strcpy(name, begin + 1);
        }
        if (sscanf(line, " %llx: %63s", &pc, what) != 2) continue;
        const size_t at = program_find(p, pc);
        // Data that is not aligned has other words there; the kernel has two marks, of code and of data, at one place.
        const bool as_data = named && (what[0] == '.' || (at != PROGRAM_NONE && i[at].data));
        data += as_data;
        if (as_data) continue;
        if (at == PROGRAM_NONE) fail_msg("0x%llx: objdump has '%s' there", pc, line);
        const struct program_function *of = &f[i[at].function];
        if (i[at].data != (what[0] == '.')) fail_msg("0x%llx: objdump has '%s' there", pc, line);
        if (!same_function(of->name, name) && !is_alias(symbols, of->entry, name) && !is_label(name) && !is_nobodys(of))
            fail_msg("0x%llx: objdump: '%s', here '%s'", pc, name, of->name);
        seen++;
    }
    pclose(in);
    for (size_t k = 0; k < count; k++)
        left_out += i[k].insn == 0 && (named || f[i[k].function].name[0] == '['); // zeros: objdump prints dots
    assert_true(data < 300);
    if (seen + data + left_out < count) fail_msg("objdump lists %zu of %zu, and %zu are zeros", seen, count, left_out);
}

// Of a program: addr2line of binutils is right; nothing is inlined, or nothing records it; some of it has no lines.
enum { BINUTILS = 1, NO_CALLS = 2, NO_LINES = 4 };

// Returns how many instructions lie in inlined calls. Adds to *lines_0 how many have line 0.
static size_t compare(const char *elf, unsigned how, size_t *lines_0) {
    static struct answer mine, binutils, llvm;
    static char line_before[LINE];
    char list[256], command[1024], next[2][LINE];
    struct error err = {""};
    struct program *p = program_load_guest(elf, &err);
    if (!p) fail_msg("%s", err.text);
    size_t count, functions, inlined = 0, unknown = 0;
    const struct program_instruction *i = program_instructions(p, &count);
    const struct program_function *f = program_functions(p, &functions);
    snprintf(list, sizeof list, "%s/addresses", folder);
    FILE *out = fopen(list, "w");
    assert_non_null(out);
    mine.symbols = all_symbols(elf);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "0x%llx\n", (unsigned long long)i[k].pc);
    fclose(out);
    snprintf(command, sizeof command, "riscv64-unknown-elf-addr2line -a -i -f -C -e '%s' < '%s'", elf, list);
    FILE *b = popen(command, "r");
    snprintf(command, sizeof command, "llvm-addr2line-14 -a -i -f -C -e '%s' < '%s'", elf, list);
    FILE *l = popen(command, "r");
    next[0][0] = next[1][0] = '\0';
    assert_true(b && fgets(next[0], LINE, b));
    assert_true(l && fgets(next[1], LINE, l));
    for (size_t k = 0; k < count; k++) {
        assert_true(read_answer(b, &binutils, next[0]) && read_answer(l, &llvm, next[1]));
        ours(p, i[k].pc, &f[i[k].function], &mine);
        inlined += mine.count > 2;
        unknown += silent(&llvm);
        if (k && i[k].function == i[k - 1].function && strcmp(llvm.text[1], "??") == 0 &&
            strcmp(mine.text[1], "??") != 0) { // line 0: the line before it
            assert_string_equal(mine.text[1], line_before);
            ++*lines_0;
        }
        strcpy(line_before, mine.text[1]);
        if (!silent(&llvm)) expect_equal(i[k].pc, "llvm-addr2line", &mine, &llvm);
        if (silent(&llvm) && strcmp(llvm.text[0], "??") != 0) { // it has a name, if nothing else
            if (!same_entry(&mine, &llvm, true, 0)) fail_msg("0x%llx: '%s'", (unsigned long long)i[k].pc, llvm.text[0]);
        }
        if (how & BINUTILS && !silent(&binutils)) expect_equal(i[k].pc, "addr2line", &mine, &binutils);
    }
    assert_true(count > 20 && (how & NO_LINES || unknown <= 4 + count / 50 + *lines_0));
    compare_listing(elf, p, mine.symbols);
    free((void *)mine.symbols);
    pclose(b);
    pclose(l);
    program_destroy(p);
    return inlined;
}

static void c_program(const char *name, const char *options, unsigned how) {
    char elf[256], all[512];
    snprintf(elf, sizeof elf, "%s/%s.elf", folder, name);
    snprintf(all, sizeof all, "%s -ffreestanding %s/tests/workloads/%s", options, TIPOFF_ROOT, name);
    run("cd '" TIPOFF_ROOT "' && riscv64-unknown-elf-gcc -march=rv64gc_zicsr_zifencei -mabi=lp64d "
        "-mcmodel=medany -DSIZE=0 -DWORKLOAD='\"w\"' -Itests/workloads/runtime -nostdlib -static "
        "-T tests/workloads/runtime/link.ld -Wl,--no-warn-rwx-segments %s/*.c "
        "" TIPOFF_ROOT "/tests/workloads/runtime/crt0.S " TIPOFF_ROOT "/tests/workloads/runtime/tohost.S "
        "" TIPOFF_ROOT "/tests/workloads/runtime/console.c " TIPOFF_ROOT
        "/tests/workloads/runtime/string.c " TIPOFF_ROOT "/tests/workloads/runtime/trap.c -lgcc -o '%s'",
        all, elf);
    size_t lines_0 = 0;
    const size_t inlined = compare(elf, how, &lines_0);
    assert_true(how & NO_CALLS ? inlined == 0 : inlined > 10);
}

static void c_programs(void **state) {
    (void)state;
    static const char *const names[] = {"interp", "graph"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        c_program(names[n], "-O2 -g", BINUTILS);
}

static void c_options(void **state) {
    (void)state;
    static const struct {
        const char *options;
        unsigned how;
    } rows[] = {{"-O0 -g", NO_CALLS},
                {"-O1 -g", BINUTILS},
                {"-O2 -g", BINUTILS},
                {"-O3 -g -gz", BINUTILS},
                {"-Os -g -msave-restore -gdwarf-4", BINUTILS | NO_LINES},
                {"-O2 -g -flto", 0},
                {"-O2 -g1", BINUTILS},
                {"-O2", NO_CALLS | NO_LINES},
                {"-O2 -g -gdwarf-5 -gsplit-dwarf", 0},
                {"-O3 -g -ffunction-sections -Wl,--gc-sections -funroll-loops", BINUTILS}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        c_program("cmark", rows[i].options, rows[i].how);
}

static const char cpp[] = "cd '" TIPOFF_ROOT "' && %s -g -nostdlib -static -fno-exceptions -march=rv64imac "
                          "-mabi=lp64 -mno-relax " TIPOFF_ROOT "/tests/unit/analysis/inlines.cpp -o '%s'";

static void cpp_gcc(void **state) {
    (void)state;
    static const char *const levels[] = {"0", "1", "2", "3"};
    char elf[256], compiler[128];
    snprintf(elf, sizeof elf, "%s/gcc.elf", folder);
    for (int i = 0; i < 4; i++) {
        size_t lines_0 = 0;
        snprintf(compiler, sizeof compiler, "riscv64-unknown-elf-g++ -O%s", levels[i]);
        run(cpp, compiler, elf);
        assert_true(i == 0 ? compare(elf, BINUTILS, &lines_0) == 0 : compare(elf, BINUTILS, &lines_0) > 10);
    }
}

// Without .debug_aranges.
static void cpp_clang(void **state) {
    (void)state;
    static const char *const options[] = {"-O1", "-O2 -gz", "-Os -gdwarf-4", "-O3", "-O2 -gline-tables-only"};
    char elf[256], compiler[128];
    snprintf(elf, sizeof elf, "%s/clang.elf", folder);
    for (int i = 0; i < 5; i++) {
        size_t lines_0 = 0;
        snprintf(compiler, sizeof compiler, "clang++ --target=riscv64-unknown-elf -fuse-ld=lld %s", options[i]);
        run(cpp, compiler, elf);
        assert_true(compare(elf, 0, &lines_0) > 10 && lines_0 > 0);
    }
}

// As rustc made it (rust.rs): Debian has no library of Rust for riscv64, so that the assembly is kept.
static void rust(void **state) {
    (void)state;
    char object[256], elf[256];
    size_t lines_0 = 0;
    snprintf(object, sizeof object, "%s/rust.o", folder);
    snprintf(elf, sizeof elf, "%s/rust.elf", folder);
    run("clang --target=riscv64-unknown-elf -march=rv64gc -mabi=lp64d -mno-relax -c '%s' -o '%s'",
        TIPOFF_ROOT "/tests/unit/analysis/rust.s", object);
    run("riscv64-unknown-elf-gcc -march=rv64gc_zicsr_zifencei -mabi=lp64d -nostdlib -static -Wl,-Ttext=0x80000000 "
        "-Wl,--no-warn-rwx-segments,--no-relax -Wl,-e,main '%s' -o '%s'",
        object, elf);
    assert_true(compare(elf, BINUTILS, &lines_0) > 0);
}

// All names of functions, against nm -C and nm.
static void names(void **state) {
    (void)state;
    char elf[256], command[1024], line[2][LINE];
    struct error err;
    snprintf(elf, sizeof elf, "%s/names.elf", folder);
    run(cpp, "riscv64-unknown-elf-g++ -O2", elf);
    struct program *p = program_load_guest(elf, &err);
    assert_non_null(p);
    size_t count, known = 0;
    const struct program_function *f = program_functions(p, &count);
    FILE *in[2];
    for (int i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "riscv64-unknown-elf-nm -n %s '%s' | grep -i ' [tw] '", i ? "-C" : "", elf);
        in[i] = popen(command, "r");
        assert_non_null(in[i]);
    }
    while (fgets(line[0], LINE, in[0]) && fgets(line[1], LINE, in[1])) {
        char *symbol = line[0] + 19, *name = line[1] + 19;
        symbol[strcspn(symbol, "\n")] = name[strcspn(name, "\n")] = '\0';
        size_t at = program_find_function(p, symbol);
        assert_true(at != PROGRAM_NONE);
        assert_string_equal(f[at].symbol, symbol);
        assert_string_equal(f[at].name, name);
        assert_int_equal(f[at].start, strtoull(line[0], NULL, 16));
        known++;
    }
    assert_true(known >= 4);
    pclose(in[0]);
    pclose(in[1]);
    size_t at = program_find_function(p, "counter::twice"); // without its parameters
    assert_true(at != PROGRAM_NONE);
    assert_string_equal(f[at].name, "counter::twice(int)");
    assert_string_equal(f[at].symbol, "_ZN7counter5twiceEi");
    assert_true(program_find_function(p, "counter::twi") == PROGRAM_NONE);
    assert_true(program_find_function(p, "twice") == PROGRAM_NONE);
    assert_true(program_find_function(p, "") == PROGRAM_NONE);
    at = program_find_function(p, "norm<long, 5>");
    assert_true(at != PROGRAM_NONE);
    assert_string_equal(f[at].name, "long norm<long, 5>(shapes::vec<long, 5> const&)");
    program_destroy(p);
}

// What p says of the inlined calls of its first inlined instruction, or "".
static void first_inline(const char *elf, const char *debug_dir, char *text, size_t size) {
    struct error err;
    const struct program_kind kind = {.guest = true, .debug_dir = debug_dir};
    struct program *p = program_load_as(elf, &kind, &err);
    assert_non_null(p);
    size_t count;
    const struct program_instruction *i = program_instructions(p, &count);
    struct program_inline call;
    *text = '\0';
    for (size_t k = 0; k < count && !*text; k++) {
        if (program_inlines(p, i[k].pc, &call, 1))
            snprintf(text, size, "0x%llx %s %s:%u %s", (unsigned long long)i[k].pc, call.function, call.file, call.line,
                     program_functions(p, &count)[i[k].function].name);
    }
    program_destroy(p);
}

// The same program, its debug information and symbols in a file of their own: beside it by .gnu_debuglink, in a folder
// that is named, by link and by build id; and nowhere.
static void separate(void **state) {
    (void)state;
    char elf[256], moved[256], debug_dir[256], whole[LINE], text[LINE];
    snprintf(elf, sizeof elf, "%s/whole.elf", folder);
    snprintf(moved, sizeof moved, "%s/split/program", folder);
    snprintf(debug_dir, sizeof debug_dir, "%s/debug", folder);
    run(cpp, "riscv64-unknown-elf-g++ -O2 -Wl,--build-id=0xabcdef0123456789abcdef0123456789abcdef01", elf);
    first_inline(elf, NULL, whole, sizeof whole);
    assert_non_null(strstr(whole, "inlines.cpp:"));
    run("mkdir -p '%s/split' '%s'", folder, debug_dir);
    run("cd '%s/split' && cp '%s' program && riscv64-unknown-elf-objcopy --only-keep-debug program program.debug && "
        "riscv64-unknown-elf-objcopy --strip-all --add-gnu-debuglink=program.debug program",
        folder, elf);
    first_inline(moved, NULL, text, sizeof text);
    assert_string_equal(text, whole);
    run("mv '%s/split/program.debug' '%s'", folder, debug_dir);
    first_inline(moved, NULL, text, sizeof text);
    assert_string_equal(text, "");
    first_inline(moved, debug_dir, text, sizeof text);
    assert_string_equal(text, whole);
    run("mkdir -p '%s/.build-id/ab' && cd '%s' && mv program.debug "
        ".build-id/ab/cdef0123456789abcdef0123456789abcdef01.debug",
        debug_dir, debug_dir);
    first_inline(moved, debug_dir, text, sizeof text);
    assert_string_equal(text, whole);
}

// Sections compressed by zlib and zstd, in the program and in its debug file: as without.
static void compressed(void **state) {
    (void)state;
    static const char *const kinds[] = {"zlib", "zlib-gnu", "zstd"};
    char plain[256], packed[256], alone[256], whole[LINE], text[LINE];
    snprintf(plain, sizeof plain, "%s/plain.elf", folder);
    snprintf(alone, sizeof alone, "%s/alone.elf", folder);
    run(cpp, "riscv64-unknown-elf-g++ -O2", plain);
    first_inline(plain, NULL, whole, sizeof whole);
    assert_true(strlen(whole) > 20);
    for (int i = 0; i < 3; i++) {
        struct error err;
        snprintf(packed, sizeof packed, "%s/%s.elf", folder, kinds[i]);
        run("cp '%s/plain.elf' '%s'", folder, packed);
        run("riscv64-unknown-elf-objcopy --compress-debug-sections=%s '%s'", kinds[i], packed);
        first_inline(packed, NULL, text, sizeof text);
        assert_string_equal(text, whole);
        run("riscv64-unknown-elf-objcopy --only-keep-debug '%s' '%s/alone.debug'", packed, folder);
        run("cd '%s' && riscv64-unknown-elf-objcopy --strip-debug --add-gnu-debuglink=alone.debug plain.elf '%s'",
            folder, alone);
        first_inline(alone, NULL, text, sizeof text);
        assert_string_equal(text, whole);
        struct program *p = program_load_guest(alone, &err);
        assert_non_null(p);
        assert_null(program_lack(p));
        program_destroy(p);
    }
}

// Compressed in a way that nobody knows, damaged, and said to be longer than it is, or than it may be: one line.
static void not_to_be_unpacked(void **state) {
    (void)state;
    static const struct {
        size_t at; // of .debug_info
        uint64_t value;
        size_t bytes;
    } damages[] = {{0, 77, 4}, {24, 0xffffffff, 4}, {8, 17, 8}, {8, UINT64_C(1) << 40, 8}, {8, 0, 8}};
    char packed[256], damaged[256];
    struct error err;
    snprintf(packed, sizeof packed, "%s/packed.elf", folder);
    snprintf(damaged, sizeof damaged, "%s/damaged.elf", folder);
    run(cpp, "riscv64-unknown-elf-g++ -O2", packed);
    run("riscv64-unknown-elf-objcopy --compress-debug-sections=zstd '%s'%s", packed, "");
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        Elf64_Ehdr header = {.e_shnum = 0};
        Elf64_Shdr section = {.sh_size = 0};
        run("cp '%s' '%s'", packed, damaged);
        FILE *file = fopen(damaged, "r+b");
        bool found = false;
        if (!file || fread(&header, sizeof header, 1, file) != 1) {
            fail_msg("cannot read %s", damaged);
            return;
        }
        for (unsigned k = 0; k < header.e_shnum && !found; k++) {
            assert_int_equal(fseek(file, (long)(header.e_shoff + k * sizeof section), SEEK_SET), 0);
            assert_int_equal(fread(&section, sizeof section, 1, file), 1);
            found = section.sh_flags & SHF_COMPRESSED; // .debug_info comes first
        }
        assert_true(found);
        assert_int_equal(fseek(file, (long)(section.sh_offset + damages[i].at), SEEK_SET), 0);
        assert_int_equal(fwrite(&damages[i].value, damages[i].bytes, 1, file), 1);
        assert_int_equal(fclose(file), 0);
        struct program *p = program_load_guest(damaged, &err);
        assert_non_null(p);
        assert_non_null(program_lack(p));
        assert_non_null(strstr(program_lack(p), "damaged.elf: section .debug_"));
        program_destroy(p);
    }
}

// Calls are in a file beside the program, which says no lengths: calls with ranges of their own are as without.
static void split(void **state) {
    (void)state;
    static const char source[] =
        "static volatile unsigned long sink;\n"
        "static inline __attribute__((always_inline)) void inner(int n) {\n"
        "    for (int i = 0; i < n; i++) sink = sink * 3 + i;\n"
        "}\n"
        "static inline __attribute__((always_inline)) void middle(int n) { inner(n); sink++; }\n"
        "__attribute__((noinline)) void outer(void) { middle(2000); }\n"
        "int main(void) { outer(); return 0; }\n";
    static const char *const how[] = {"-gdwarf-5", "-gdwarf-4 -gsplit-dwarf", "-gdwarf-5 -gsplit-dwarf"};
    char elf[256], whole[LINE], text[LINE], build[1024];
    snprintf(elf, sizeof elf, "%s/split.elf", folder);
    for (int i = 0; i < 3; i++) {
        struct error err;
        snprintf(build, sizeof build,
                 "cd '%s' && echo '%s' > split.c && riscv64-unknown-elf-gcc -O2 %s -c split.c -o split.o && "
                 "riscv64-unknown-elf-ld -e outer split.o -o split.elf",
                 folder, source, how[i]);
        run("%s%s", build, "");
        first_inline(elf, NULL, i ? text : whole, sizeof text);
        assert_non_null(strstr(whole, "inner"));
        if (i == 0) continue;
        assert_string_equal(text, whole);
        struct program *p = program_load_guest(elf, &err);
        assert_non_null(p);
        assert_non_null(strstr(program_lack(p), "split.elf: 1 .dwo file has no lengths"));
        program_destroy(p);
        run("rm '%s/split.dwo'%s", folder, "");
        p = program_load_guest(elf, &err);
        assert_non_null(p);
        assert_non_null(strstr(program_lack(p), "split.elf: split.dwo is missing (split debug information, 1 file"));
        program_destroy(p);
    }
}

// The unit of whole.S has all addresses from its first function to its last, with the other file between them.
static void unit_in_unit(void **state) {
    (void)state;
    char elf[256];
    struct error err;
    snprintf(elf, sizeof elf, "%s/units.elf", folder);
    run("cd '%s' && cp '" TIPOFF_ROOT "/tests/unit/analysis/whole.S' . && "
        "echo 'int inside(int x) { return x * 3; }' > inside.c && "
        "echo 'SECTIONS { .text 0x10000 : { *(.text.first) *(.text.inside) *(.text.last) } }' > order.ld && "
        "riscv64-unknown-elf-gcc -c whole.S && riscv64-unknown-elf-gcc -g -O1 -ffunction-sections -c inside.c && "
        "riscv64-unknown-elf-ld -e first -T order.ld whole.o inside.o -o '%s'",
        folder, elf);
    struct program *p = program_load_guest(elf, &err);
    assert_non_null(p);
    static const struct {
        const char *function, *file;
        unsigned line;
    } expected[] = {{"first", "whole.S", 100}, {"inside", "inside.c", 1}, {"last", "whole.S", 200}};
    for (int i = 0; i < 3; i++) {
        size_t count, at = program_find_function(p, expected[i].function);
        unsigned line = 0;
        assert_true(at != PROGRAM_NONE);
        const char *file = program_source(p, program_functions(p, &count)[at].start, &line);
        assert_non_null(file);
        assert_non_null(strstr(file, expected[i].file));
        assert_int_equal(line, expected[i].line);
    }
    program_destroy(p);
}

static int set_up(void **state) {
    (void)state;
    setenv("DEBUGINFOD_URLS", "", 1); // files here alone
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

// It has no debug information, and LLVM takes its mapping symbols ($x, $d) for functions: objdump's listing and
// addr2line of binutils are what its names are held to.
static void of_a_file(void **state) {
    (void)state;
    static struct answer mine, binutils;
    char list[256], command[1024], next[LINE] = "";
    struct error err = {""};
    size_t count, functions, nobodys = 0;
    struct program *p = program_load_guest(named, &err);
    if (!p) fail_msg("%s", err.text);
    const struct program_instruction *i = program_instructions(p, &count);
    const struct program_function *f = program_functions(p, &functions);
    assert_true(count > 100000);
    mine.symbols = all_symbols(named);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-readelf -sW '%s' | awk '$4 == \"FUNC\" && $6 == \"DEFAULT\" { print $8 }'", named);
    named_functions = output_of(command);
    compare_listing(named, p, mine.symbols);
    snprintf(list, sizeof list, "%s/addresses", folder);
    FILE *out = fopen(list, "w");
    assert_non_null(out);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "0x%llx\n", (unsigned long long)i[k].pc);
    fclose(out);
    snprintf(command, sizeof command, "riscv64-unknown-elf-addr2line -a -f -e '%s' < '%s'", named, list);
    FILE *b = popen(command, "r");
    assert_true(b && fgets(next, LINE, b));
    for (size_t k = 0; k < count; k++) {
        assert_true(read_answer(b, &binutils, next));
        ours(p, i[k].pc, &f[i[k].function], &mine);
        nobodys += is_nobodys(&f[i[k].function]);
        if (!silent(&binutils) || strcmp(binutils.text[0], "??") != 0)
            if (!same_entry(&mine, &binutils, false, 0) && !is_label(binutils.text[0]) &&
                !is_nobodys(&f[i[k].function]))
                fail_msg("0x%llx: addr2line: '%s', here '%s'", (unsigned long long)i[k].pc, binutils.text[0],
                         mine.text[0]);
    }
    pclose(b);
    assert_true(nobodys < count / 50);
    free((void *)mine.symbols);
    free(named_functions);
    program_destroy(p);
}

int main(int argc, char **argv) {
    const struct CMUnitTest one[] = {cmocka_unit_test(of_a_file)};
    named = argc > 1 ? argv[1] : NULL;
    if (named) return cmocka_run_group_tests(one, set_up, tear_down);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_programs), cmocka_unit_test(c_options),    cmocka_unit_test(cpp_gcc),
        cmocka_unit_test(cpp_clang),  cmocka_unit_test(names),        cmocka_unit_test(rust),
        cmocka_unit_test(separate),   cmocka_unit_test(compressed),   cmocka_unit_test(not_to_be_unpacked),
        cmocka_unit_test(split),      cmocka_unit_test(unit_in_unit),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
