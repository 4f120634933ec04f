// The device tree's memory, changed in place: fdtget of Debian's device-tree-compiler reads what comes out.
#include "base/bytes.h"
#include "device_tree.h"
#include "machine/bootrom.h"
#include "machine/memory_node.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOM = BOOTROM_BYTES - BOOTROM_TREE }; // as much as the files that fdtget gets

static const uint8_t fp[] = {DEVICE_TREE_FP}, no_fp[] = {DEVICE_TREE_NO_FP};

// What fdtget says of a property of the tree.
static void says(const void *tree, const char *property, const char *want) {
    char path[] = "/tmp/test_memory_node_XXXXXX", command[256], got[512] = "";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, tree, ROOM) == ROOM);
    close(file);
    snprintf(command, sizeof command, "fdtget %s %s", path, property);
    FILE *reader = popen(command, "r"); // NOLINT(cert-env33-c): a command of ours
    assert_non_null(reader);
    size_t bytes = fread(got, 1, sizeof got - 1, reader);
    assert_int_equal(pclose(reader), 0);
    unlink(path);
    if (bytes) got[bytes - 1] = '\0'; // the line's end
    assert_string_equal(got, want);
}

static void test_boot_rom(void **state) {
    (void)state;
    uint8_t rom[BOOTROM_BYTES];
    bootrom_write(rom, 0x80001234, true, DRAM_BYTES);
    assert_memory_equal(rom + BOOTROM_TREE, fp, sizeof fp); // today's machine is described as it always was
    bootrom_write(rom, 0x80001234, false, DRAM_BYTES);
    assert_memory_equal(rom + BOOTROM_TREE, no_fp, sizeof no_fp);
    bootrom_write(rom, 0x80001234, true, UINT64_C(1) << 30);
    says(rom + BOOTROM_TREE, "-t x /memory@80000000 reg", "0 80000000 0 40000000");
    says(rom + BOOTROM_TREE, "/memory@80000000 device_type", "memory");
    says(rom + BOOTROM_TREE, "-t x /soc/test@100000 reg", "0 100000 0 1000");
    bootrom_write(rom, 0x80001234, false, UINT64_C(16) << 20);
    says(rom + BOOTROM_TREE, "-t x /memory@80000000 reg", "0 80000000 0 1000000");
    uint8_t resume[RESUME_BYTES];
    bootrom_write_harts(rom, resume, 0x80001234, true, UINT64_C(2) << 30, 3);
    says(resume, "-t x /memory@80000000 reg", "0 80000000 0 80000000");
    says(resume, "-t x /cpus/cpu@2 reg", "2");
    for (unsigned i = 0; i < sizeof(uint64_t); i++) // the entry, behind six words
        assert_int_equal(rom[24 + i], (uint8_t)(UINT64_C(0x80001234) >> 8 * i));
}

static void test_ranges(void **state) {
    (void)state;
    static const struct memory_range ranges[] = {{0x80000000, 0x0c000000},
                                                 {UINT64_C(0x123456789000), UINT64_C(0xabcdef0000)}};
    uint8_t tree[ROOM] = {0};
    memcpy(tree, fp, sizeof fp);
    assert_true(memory_node_set(tree, ROOM, ranges, 2));
    says(tree, "-t x /memory@80000000 reg", "0 80000000 0 c000000 1234 56789000 ab cdef0000");
    says(tree, "/memory@80000000 device_type", "memory");
    says(tree, "/soc/serial@10001000 compatible", "ns16550a");
    says(tree, "/pmu compatible", "riscv,pmu");
    assert_true(memory_node_set(tree, ROOM, ranges, 1)); // shorter again
    says(tree, "-t x /memory@80000000 reg", "0 80000000 0 c000000");
    says(tree, "/pmu compatible", "riscv,pmu");
}

static void test_refused(void **state) {
    (void)state;
    static const struct memory_range ranges[MEMORY_RANGES + 1] = {{1, 2}, {3, 4}, {5, 6}};
    uint8_t tree[ROOM] = {0};
    assert_false(memory_node_set(tree, ROOM, ranges, 2)); // no tree
    memcpy(tree, fp, sizeof fp);
    assert_false(memory_node_set(tree, ROOM, ranges, MEMORY_RANGES + 1));
    assert_false(memory_node_set(tree, 0, ranges, 1));
    assert_false(memory_node_set(tree, sizeof fp, ranges, 2)); // no room for another range
    memcpy(tree, fp, sizeof fp);
    for (size_t i = 0; i + 6 < sizeof fp; i++) // the type
        if (memcmp(tree + i, "memory", 7) == 0) tree[i] = 'M';
    assert_false(memory_node_set(tree, ROOM, ranges, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_boot_rom), cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
