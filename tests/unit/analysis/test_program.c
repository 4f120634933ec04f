// The program model: functions, basic blocks, source lines and branches of tests/unit/analysis/tiny.S, listed by hand.
#include "analysis/analysis.h"
#include "tests/unit/analysis/tiny.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/test_program_XXXXXX";
static struct program *program; // owned by `images`
static struct images *images;

static int set_up(void **state) {
    (void)state;
    int fd = mkstemp(path);
    if (fd < 0) return -1;
    close(fd);
    struct error err = {""};
    if (!tiny_build(path, "-Wl,--build-id=0x0123456789abcdef") || !(program = program_load(path, &err))) {
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    const struct image_extent everywhere = {.modes = UINT32_MAX, .any_space = true};
    images = images_create();
    return images_add(images, "tiny", &everywhere, program) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    images_destroy(images);
    return unlink(path);
}

static void test_functions(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t start, end;
        size_t count;
    } expected[] = {{"[boot ROM]", 0x1000, 0x1014, 5},
                    {"_start", 0x80000000, 0x80000018, 6},
                    {"[.text+0x18]", 0x80000018, 0x8000001c, 1},
                    {"leaf", 0x8000001c, 0x80000024, 4}};
    size_t count, first = 0;
    const struct program_function *f = program_functions(program, &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(f[i].name, expected[i].name);
        assert_int_equal(f[i].start, expected[i].start);
        assert_int_equal(f[i].end, expected[i].end);
        assert_int_equal(f[i].first, first);
        assert_int_equal(f[i].count, expected[i].count);
        assert_int_equal(program_find_function(program, expected[i].name), i);
        first += f[i].count;
    }
    assert_true(program_find_function(program, "loop") == PROGRAM_NONE); // a local label is no function
    assert_string_equal(program_build_id(program), "0123456789abcdef");
}

// Instruction, the first of its block, the first of its function.
static const struct {
    uint64_t pc, block, function;
} places[] = {
    {0x1000, 0x1000, 0x1000},             // auipc
    {0x1010, 0x1000, 0x1000},             // jr: it ends the block, but is in it
    {0x80000000, 0x80000000, 0x80000000}, // addi
    {0x80000004, 0x80000004, 0x80000000}, // target of the bne
    {0x80000008, 0x80000004, 0x80000000}, // bne
    {0x8000000c, 0x8000000c, 0x80000000}, // jal: after a branch
    {0x80000010, 0x80000010, 0x80000000}, // ecall: after a call
    {0x80000014, 0x80000014, 0x80000000}, // j: after an ecall, and its own target
    {0x80000018, 0x80000018, 0x80000018}, // the gap
    {0x8000001c, 0x8000001c, 0x8000001c}, // c.addi
    {0x8000001e, 0x8000001c, 0x8000001c}, // c.beqz
    {0x80000020, 0x80000020, 0x8000001c}, // c.li: after a branch
    {0x80000022, 0x80000022, 0x8000001c}, // c.jr: target of the c.beqz
};

static uint64_t unit(const struct images *list, enum granularity g, uint64_t pc) {
    const struct place place = unit_of(list, g, (struct place){pc, 7}); // in machine mode of some address space
    assert_int_equal(place.context, pc == PROFILE_PC_END ? 0 : g == BY_APPLICATION ? 4 : 7);
    return place.pc;
}

static void test_units(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(unit(images, BY_INSTRUCTION, places[i].pc), places[i].pc);
        assert_int_equal(unit(images, BY_BLOCK, places[i].pc), places[i].block);
        assert_int_equal(unit(images, BY_FUNCTION, places[i].pc), places[i].function);
        assert_int_equal(unit(images, BY_APPLICATION, places[i].pc), 0);
    }
    for (int g = 0; g < GRANULARITY_COUNT; g++)
        assert_true(unit(images, (enum granularity)g, PROFILE_PC_END) == PROFILE_PC_END);
    assert_int_equal(unit(images, BY_FUNCTION, 0x90000000), 0x90000000); // outside the program
    assert_int_equal(unit(NULL, BY_BLOCK, 0x80000008), 0x80000008);      // no program at all
}

// The same file as a kernel, as a program in address space 5, 64 KiB higher, and as any other program.
static void test_images(void **state) {
    (void)state;
    enum { LEAF = 0x80000022, START = 0x8000001c, BIAS = 0x10000 };
    struct error err;
    const struct image_extent extents[] = {{1u << MODE_SUPERVISOR, true, 0, 0},
                                           {1u << MODE_USER, false, 5, BIAS},
                                           {1u << MODE_USER, true, 0, 0},
                                           {1u << MODE_MACHINE, true, 0, 0}};
    static const char *const names[] = {"kernel", "tiny", "others", "firmware"};
    struct images *all = images_create();
    for (int i = 0; i < 4; i++)
        assert_true(images_add(all, names[i], &extents[i], i < 3 ? program_load_guest(path, &err) : NULL));
    const struct {
        unsigned mode;
        uint64_t space, pc, function; // 0: nobody's
        size_t image;
    } cases[] = {{MODE_SUPERVISOR, 5, LEAF, START, 0}, {MODE_USER, 5, LEAF + BIAS, START + BIAS, 1},
                 {MODE_USER, 5, LEAF, 0, 1},           {MODE_USER, 6, LEAF, START, 2},
                 {MODE_USER, 6, LEAF + BIAS, 0, 2},    {MODE_MACHINE, 5, LEAF, 0, 3},
                 {MODE_SUPERVISOR, 5, 0x1000, 0, 0}}; // no boot ROM belongs to a guest's image
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct image_hit hit;
        const struct place place = {cases[i].pc, place_context((uint8_t)cases[i].mode, cases[i].space)};
        const struct place function = unit_of(all, BY_FUNCTION, place);
        assert_int_equal(images_find(all, place, &hit), cases[i].function != 0);
        if (cases[i].function) assert_int_equal(hit.image, cases[i].image);
        assert_int_equal(function.pc, cases[i].function ? cases[i].function : cases[i].pc);
        assert_int_equal(function.context, place.context);
        assert_int_equal(images_of_context(all, place.context), cases[i].image);
    }
    images_destroy(all);
}

static void test_find(void **state) {
    (void)state;
    size_t count;
    const struct program_instruction *i = program_instructions(program, &count);
    assert_int_equal(count, 5 + 6 + 1 + 4);
    size_t at = program_find(program, 0x80000020);
    assert_true(at != PROGRAM_NONE);
    assert_int_equal(i[at].insn, 0x460d); // c.li a2, 3: funct3 010, imm 3, rd 12
    at = program_find(program, 0x80000004);
    assert_int_equal(i[at].insn, 0xfff50513);                       // addi a0, a0, -1
    assert_true(program_find(program, 0x80000002) == PROGRAM_NONE); // in the middle of one
    assert_true(program_find(program, 0x80000024) == PROGRAM_NONE); // after the last
    assert_true(program_find(program, 0) == PROGRAM_NONE);
}

static void test_source(void **state) {
    (void)state;
    static const struct {
        uint64_t pc;
        unsigned line;
    } lines[] = {{0x80000000, 8}, {0x80000004, 10}, {0x80000008, 11}, {0x80000018, 16}, {0x80000022, 23}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        unsigned line = 0;
        const char *file = program_source(program, lines[i].pc, &line);
        assert_non_null(file);
        assert_non_null(strstr(file, "tests/unit/analysis/tiny.S"));
        assert_int_equal(line, lines[i].line);
    }
    unsigned line;
    assert_null(program_source(program, 0x1000, &line));     // before the first line
    assert_null(program_source(program, 0x80000024, &line)); // after the end of the sequence
}

// Encodings by hand from the manual's formats.
static void test_stripped(void **state) {
    (void)state;
    char stripped[] = "/tmp/test_program_XXXXXX";
    int fd = mkstemp(stripped);
    assert_true(fd >= 0);
    close(fd);
    assert_true(tiny_build(stripped, "-s"));
    struct error err = {""};
    struct program *p = program_load(stripped, &err);
    assert_non_null(p);
    size_t count;
    const struct program_function *f = program_functions(p, &count);
    assert_int_equal(count, 2); // the boot ROM and one gap
    assert_string_equal(f[1].name, "[.text+0x0]");
    assert_int_equal(f[1].count, 11);
    unsigned line;
    assert_null(program_source(p, 0x80000000, &line));
    program_destroy(p);
    unlink(stripped);
}

static void test_refusals(void **state) {
    (void)state;
    struct error err = {""};
    assert_null(program_load("/nonexistent/x.elf", &err));
    assert_non_null(strstr(err.text, "/nonexistent/x.elf: cannot open"));
    char source[512];
    snprintf(source, sizeof source, "%s/tests/unit/analysis/tiny.S", TIPOFF_ROOT);
    assert_null(program_load(source, &err));
    assert_non_null(strstr(err.text, "not an ELF file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_units),  cmocka_unit_test(test_images),
        cmocka_unit_test(test_find),      cmocka_unit_test(test_source), cmocka_unit_test(test_stripped),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
