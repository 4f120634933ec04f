// Disassembly: one space after the mnemonic and none at the end; direct branches say where they go, not how far.
#include "isa/disasm.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_text(void **state) {
    static const struct {
        uint32_t insn;
        const char *text;
        size_t length;
    } rows[] = {
        {0x00150513, "addi a0, a0, 1", 4},
        {0x00000073, "ecall", 4},
        {0x30200073, "mret", 4},
        {0x0505, "addi a0, a0, 1", 2},
        {0xfe000ee3, "beqz zero, 0x80000ffc", 4},
        {0x0040006f, "j 0x80001004", 4},
        {0xbffd, "j 0x80000ffe", 2},
        {0xffffffff, ".word 0xffffffff", 0},
        {0x0000, "unimp", 2},
    };
    struct error err = {0};
    struct disasm *d = disasm_create(&err);
    (void)state;
    assert_non_null(d);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        assert_int_equal(disasm_text(d, 0x80001000, rows[i].insn, text, sizeof text), rows[i].length);
        assert_string_equal(text, rows[i].text);
    }
    disasm_destroy(d);
}

static void test_cut(void **state) {
    struct error err = {0};
    struct disasm *d = disasm_create(&err);
    char text[6];
    (void)state;
    assert_non_null(d);
    assert_int_equal(disasm_text(d, 0x80001000, 0x00150513, text, sizeof text), 4);
    assert_string_equal(text, "addi"); // "addi " without the space
    disasm_destroy(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
