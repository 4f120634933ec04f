// Symbols of one name in several files of a program: which one is meant where code, a variable or anything is named,
// and the message where it is not clear; alone and in positions.
#include "base/elf.h"
#include "base/position.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tipoff-elf-symbols-XXXXXX";
static struct image *image;

// In the symbol table the files' own ones come first.
static const char build[] =
    "cd '%s' && cat > a.s <<'E'\n"
    " .file \"lib/a.c\"\n"
    " .text\n"
    " .type step, @function\n"
    "step: nop\n" // 0x80000000
    " .type twin, @function\n"
    "twin: nop\n" // 0x80000004
    "label: nop\n"
    " .data\n"
    " .type count, @object\n"
    "count: .dword 1\n"
    " .size count, 8\n"
    " .type only, @object\n"
    "only: .dword 1\n"
    " .size only, 8\n"
    "E\n"
    "cat > b.s <<'E'\n"
    " .file \"b.c\"\n"
    " .text\n"
    " .type twin, @function\n"
    "twin: nop\n" // 0x8000000c
    " .weak maybe\n"
    " .type maybe, @function\n"
    "maybe: nop\n"
    "E\n"
    "cat > c.s <<'E'\n"
    " .file \"c.c\"\n"
    " .text\n"
    " .globl _start, step, count\n"
    "_start: nop\n" // 0x80000014
    " .type step, @function\n"
    "step: nop\n" // 0x80000018
    " .type count, @function\n"
    "count: nop\n" // 0x8000001c
    " .size count, 4\n"
    " .type maybe, @function\n"
    "maybe: nop\n" // 0x80000020: this file's own
    "E\n"
    "for f in a b c; do riscv64-unknown-elf-as -march=rv64i -mno-relax $f.s -o $f.o || exit 1; done\n"
    "riscv64-unknown-elf-ld -n --no-warn-rwx-segments -Ttext=0x80000000 -Tdata=0x80001000 a.o b.o c.o -o p.elf";

static int set_up(void **state) {
    (void)state;
    char command[4096], path[256];
    struct error err = {""};
    if (!mkdtemp(folder)) return -1;
    snprintf(command, sizeof command, build, folder);
    snprintf(path, sizeof path, "%s/p.elf", folder);
    if (system(command) != 0) return -1;
    image = image_load(path, &err);
    if (!image) fprintf(stderr, "%s\n", err.text);
    return image ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char command[128];
    image_destroy(image);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void code(const char *name, uint64_t expected) {
    uint64_t address = 7;
    struct error why = {""};
    if (image_find_code(image, name, &address, &why) != SYMBOL_FOUND) fail_msg("'%s': %s", name, why.text);
    assert_int_equal(address, expected);
    assert_string_equal(why.text, "");
}

static void test_code(void **state) {
    (void)state;
    code("step", 0x80000018); // not a.c's own
    code("count", 0x8000001c);
    code("label", 0x80000008);
    code("maybe", 0x80000010); // weak, but others see it
    code("a.c:step", 0x80000000);
    code("a.c:twin", 0x80000004);
    code("b.c:twin", 0x8000000c);
    code("c.c:maybe", 0x80000020);
    uint64_t address = 7;
    struct error why = {""};
    static const char *const unknown[] = {"nobody", "c.c:step", "a.c", "a.c:", "lib/a.c:step", ":step", ""};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(image_find_code(image, unknown[i], &address, &why), SYMBOL_UNKNOWN);
    assert_string_equal(why.text, "");
    assert_int_equal(image_find_code(image, "only", &address, &why), SYMBOL_UNCLEAR);
    assert_string_equal(why.text, "is a variable: name a function or a label");
    assert_int_equal(image_find_code(image, "twin", &address, &why), SYMBOL_UNCLEAR);
    assert_string_equal(why.text,
                        "names 2 places: a.c:twin (0x80000004), b.c:twin (0x8000000c): name one so, or by its "
                        "address");
    assert_int_equal(address, 7);
}

static void test_others(void **state) {
    (void)state;
    uint64_t address = 7, bytes = 7;
    assert_int_equal(image_symbol(image, "step", 7), 0x80000018);
    assert_int_equal(image_symbol(image, "count", 7), 0x8000001c);
    assert_int_equal(image_symbol(image, "twin", 7), 7);
    assert_int_equal(image_find_data(image, "count", &address, &bytes, NULL), SYMBOL_FOUND);
    assert_int_equal(address, 0x80001000);
    assert_int_equal(bytes, 8);
}

static void position(const char *text, uint64_t value, uint64_t count) {
    struct error err = {""};
    struct position p;
    if (position_parse(&p, text, POSITIONS_ON_CORE, image, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(p.value, value);
    assert_int_equal(p.count, count);
}

static void refused(const char *text, const char *words) {
    struct error err = {""};
    struct position p;
    assert_int_equal(position_parse(&p, text, POSITIONS_ON_CORE, image, &err), -EINVAL);
    if (!strstr(err.text, words)) fail_msg("'%s': %s", text, err.text);
}

static void test_positions(void **state) {
    (void)state;
    position("step", 0x80000018, 0);
    position("step:6", 0x80000018, 6);
    position("a.c:step", 0x80000000, 0);
    position("a.c:step:6", 0x80000000, 6);
    position("a.c:step+8", 0x80000008, 0);
    position("a.c:step+8:6", 0x80000008, 6);
    position("b.c:twin@sample:2", 0x8000000c, 2);
    refused("twin", "'twin' names 2 places");
    refused("twin:3", "'twin' names 2 places");
    refused("only", "'only' is a variable");
    refused("a.c:only", "'a.c:only' is a variable");
    refused("only+4:2", "'only' is a variable");
    refused("step:x", "not a count");
    refused("step:", "not a count");
    refused("nobody+8", "no symbol 'nobody'");
}

// name NULL: no code has that address.
static void code_at(uint64_t address, const char *name, uint64_t start, uint64_t end) {
    uint64_t from, to;
    const char *found = image_code_at(image, address, &from, &to);
    if (!name) assert_null(found);
    if (name) assert_string_equal(found, name);
    assert_int_equal(from, start);
    assert_int_equal(to, end);
}

static void test_addresses(void **state) {
    (void)state;
    code_at(0x7fffffff, NULL, 0, 0x80000000);
    code_at(0x80000000, "step", 0x80000000, 0x80000004);
    code_at(0x80000003, "step", 0x80000000, 0x80000004);
    code_at(0x80000008, "label", 0x80000008, 0x8000000c); // up to the next one, as it has no size
    code_at(0x8000001e, "count", 0x8000001c, 0x80000020);
    code_at(0x80000024, "maybe", 0x80000020, UINT64_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_code), cmocka_unit_test(test_addresses),
                                       cmocka_unit_test(test_others), cmocka_unit_test(test_positions)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
