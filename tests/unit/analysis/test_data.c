// The data at a physical address: its symbol, its section, the stack or the heap (data.S, laid out by data.ld).
#include "analysis/analysis.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tipoff-data-XXXXXX";
static char path[256];

// By hand, as data.S and data.ld say. NULL: no name.
static const struct {
    uint64_t address;
    const char *name;
} places[] = {
    {0x80000000, "[.text+0x0]"}, // code is no data
    {0x80001000, "first"},
    {0x80001007, "first+0x7"},
    {0x80001008, "inner"}, // inside first
    {0x8000100b, "inner+0x3"},
    {0x8000100c, "first+0xc"}, // behind inner
    {0x80001010, "[.data+0x10]"},
    {0x80001018, "alias_of_all"},
    {0x80001020, "space::queue"},
    {0x80001037, "space::queue+0x17"},
    {0x80001038, "open_end"},
    {0x80001047, "open_end+0xf"},
    {0x80001048, "last"},
    {0x80001050, "[.after+0x0]"}, // thread-local data takes no room
    {0x80001058, NULL},
    {0x80002000, "[stack]"},
    {0x80002fff, "[stack]"},
    {0x80003000, "[heap]"},
    {0x84000000, "moved"},
    {0x84000007, "moved+0x7"},
    {0x84000008, "[heap]"},
    {0x7fffffff, NULL},
    {0, NULL},
    {0x1000, "[boot ROM]"},
};

static void names(void **state) {
    struct error err;
    char name[256];
    (void)state;
    struct program *p = program_load(path, &err);
    assert_non_null(p);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const bool found = program_data(p, places[i].address, name, sizeof name);
        assert_int_equal(found, places[i].name != NULL);
        if (found) assert_string_equal(name, places[i].name);
    }
    program_destroy(p);
}

// Under an operating system a physical address may be anybody's.
static void guest(void **state) {
    struct error err;
    char name[256];
    (void)state;
    struct program *p = program_load_guest(path, &err);
    assert_non_null(p);
    assert_false(program_data(p, 0x80001000, name, sizeof name));
    program_destroy(p);
}

static int set_up(void **state) {
    char command[1024];
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/data", folder);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -nostdlib -march=rv64gc -mabi=lp64d -Wl,--no-warn-rwx-segments "
             "-T '" TIPOFF_ROOT "/tests/unit/analysis/data.ld' '" TIPOFF_ROOT "/tests/unit/analysis/data.S' -o '%s'",
             path);
    return system(command);
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(guest)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
