// Sizes of memory: what is one, how it is spelled, which one holds an address; and memory that the host has not to
// give.
#include "base/memory_size.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)

static void test_parse(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"16M", 16 * MIB},        {"16384K", 16 * MIB}, {"256M", 256 * MIB},
                {"512M", 512 * MIB},      {"1G", 1024 * MIB},   {"1024M", 1024 * MIB},
                {"2097152K", 2048 * MIB}, {"2G", 2048 * MIB},   {"00032M", 32 * MIB}};
    static const char *const bad[] = {"",
                                      "M",
                                      "16",
                                      "16m",
                                      "16MB",
                                      "16MiB",
                                      " 16M",
                                      "+16M",
                                      "-16M",
                                      "0M",
                                      "8M",
                                      "17M",
                                      "48M",
                                      "3G",
                                      "4G",
                                      "1T",
                                      "1.5G",
                                      "0x1G",
                                      "16777215K",
                                      "18446744073709551616K",
                                      "17592186044416M"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t bytes = 0;
        struct error why = {""};
        if (!memory_size_parse(good[i].text, &bytes, &why)) fail_msg("%s", why.text);
        assert_int_equal(bytes, good[i].bytes);
        assert_true(memory_size_is(bytes));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t bytes;
        struct error why = {""};
        if (memory_size_parse(bad[i], &bytes, &why)) fail_msg("%s was taken", bad[i]);
        assert_memory_equal(why.text, bad[i], strlen(bad[i]));
        assert_non_null(strstr(why.text, "a power of two from 16M to 2G"));
    }
}

static void test_text(void **state) {
    (void)state;
    char text[MEMORY_SIZE_TEXT];
    assert_string_equal(memory_size_text(1024, text), "1K");
    assert_string_equal(memory_size_text(1536 * UINT64_C(1024), text), "1536K");
    assert_string_equal(memory_size_text(512 * MIB, text), "512M");
    assert_string_equal(memory_size_text(1024 * MIB, text), "1G");
    assert_string_equal(memory_size_text(2048 * MIB, text), "2G");
    for (uint64_t size = MEMORY_LEAST; size <= MEMORY_MOST; size *= 2) {
        uint64_t back = 0;
        assert_true(memory_size_parse(memory_size_text(size, text), &back, NULL) && back == size);
    }
}

static void test_for(void **state) {
    (void)state;
    assert_int_equal(memory_size_for(DRAM_BASE, 1), 16 * MIB);
    assert_int_equal(memory_size_for(DRAM_BASE + 16 * MIB - 8, 8), 16 * MIB);
    assert_int_equal(memory_size_for(DRAM_BASE + 16 * MIB - 7, 8), 32 * MIB);
    assert_int_equal(memory_size_for(DRAM_BASE, 2048 * MIB), 2048 * MIB);
    assert_int_equal(memory_size_for(DRAM_BASE + 2048 * MIB - 1, 1), 2048 * MIB);
    assert_int_equal(memory_size_for(DRAM_BASE + 2048 * MIB - 1, 2), 0);
    assert_int_equal(memory_size_for(DRAM_BASE + 2048 * MIB, 1), 0);
    assert_int_equal(memory_size_for(DRAM_BASE + 8, UINT64_MAX), 0);
    assert_int_equal(memory_size_for(DRAM_BASE - 1, 8), 0);
    assert_int_equal(memory_size_for(UINT64_MAX, 1), 0);
}

static void test_reserve(void **state) {
    (void)state;
    struct error err = {""};
    uint8_t *memory = memory_reserve(MEMORY_MOST, &err);
    assert_non_null(memory);
    assert_int_equal(memory[MEMORY_MOST - 1], 0);
    memory[MEMORY_MOST - 1] = 7;
    memory_clear(memory, MEMORY_MOST);
    assert_int_equal(memory[MEMORY_MOST - 1], 0);
    memory_release(memory, MEMORY_MOST);
    memory_release(NULL, MEMORY_MOST);
    assert_null(memory_reserve(UINT64_C(1) << 60, &err)); // more than any process has
    assert_non_null(strstr(err.text, "no address space"));
    assert_non_null(strstr(err.text, "a smaller --memory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parse), cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_for), cmocka_unit_test(test_reserve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
