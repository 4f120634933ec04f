// The test finisher, and the devices together: which of them an address means, and their wires.
#include "machine/peripherals.h"
#include "memory_map.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { THR = 0, IER = 1, IIR = 2, SCR = 7, IER_EMPTY = 2 };

static void test_finisher(void **state) {
    (void)state;
    static const struct {
        uint64_t word;
        bool ended, reset;
        unsigned status;
    } cases[] = {{0x5555, true, false, 0},         {0x3333, true, false, 0},     {0x2a3333, true, false, 42},
                 {0xffff3333, true, false, 65535}, {0x2a5555, true, false, 0},   {0x7777, true, true, 0},
                 {0x1234, false, false, 0},        {0, false, false, 0},         {0x33330000, false, false, 0},
                 {0x100073333, true, false, 7},    {UINT64_MAX, false, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct finisher f = {0};
        finisher_write(&f, 4, cases[i].word); // no register there
        assert_false(f.ended);
        finisher_write(&f, 0, cases[i].word);
        assert_int_equal(f.ended, cases[i].ended);
        assert_int_equal(f.reset, cases[i].reset);
        assert_int_equal(f.status, cases[i].status);
    }
    struct finisher f = {0}; // the first word counts
    finisher_write(&f, 0, 0x33333);
    finisher_write(&f, 0, 0x7777);
    assert_true(f.ended && !f.reset && f.status == 3);
}

static void test_note(void **state) {
    (void)state;
    const struct console console = {0};
    struct peripherals p;
    peripherals_reset(&p, &console);
    peripherals_store(&p, FINISHER_BASE + FINISHER_NOTE, 1);
    peripherals_store(&p, FINISHER_BASE + FINISHER_NOTE, UINT64_C(0x123456789abcdef0));
    assert_false(p.finisher.ended);
    peripherals_store(&p, FINISHER_BASE, 0x33333);
    peripherals_store(&p, FINISHER_BASE + FINISHER_NOTE, 2); // it is over
    assert_true(p.finisher.status == 3 && p.note == UINT64_C(0x123456789abcdef0));
}

static void test_ways(void **state) {
    (void)state;
    char *text[2] = {NULL};
    size_t size[2];
    struct console console = {.out = open_memstream(&text[0], &size[0]), .out1 = open_memstream(&text[1], &size[1])};
    struct peripherals p;
    peripherals_reset(&p, &console);
    peripherals_store(&p, UART_BASE + THR, 'a');
    peripherals_store(&p, UART1_BASE + THR, 'b');
    peripherals_store(&p, UART_BASE + SCR, 0x12);
    peripherals_store(&p, UART1_BASE + SCR, 0x34);
    assert_int_equal(peripherals_load(&p, UART_BASE + SCR, 1), 0x12);
    assert_int_equal(peripherals_load(&p, UART1_BASE + SCR, 1), 0x34);
    peripherals_store(&p, PLIC_BASE + UINT64_C(4) * UART1_INTERRUPT, 5);
    assert_int_equal(peripherals_load(&p, PLIC_BASE + UINT64_C(4) * UART1_INTERRUPT, 4), 5);
    assert_int_equal(peripherals_load(&p, PLIC_BASE + UINT64_C(4) * UART1_INTERRUPT, 1), 5);
    assert_int_equal(peripherals_load(&p, FINISHER_BASE, 4), 0);
    assert_int_equal(peripherals_load(&p, DRAM_BASE, 8), 0);
    peripherals_store(&p, FINISHER_BASE, 0x93333);
    assert_true(p.finisher.ended && p.finisher.status == 9);
    fclose(console.out);
    fclose(console.out1);
    assert_string_equal(text[0], "a");
    assert_string_equal(text[1], "b");
    free(text[0]);
    free(text[1]);
}

// Two consoles of one log: the first one's bytes wait in a buffer, the second one's do not, and none overtakes.
static void test_order(void **state) {
    (void)state;
    FILE *log = tmpfile();
    assert_non_null(log);
    struct console console = {.out = fdopen(dup(fileno(log)), "w"), .out1 = fdopen(dup(fileno(log)), "w")};
    assert_true(console.out && console.out1 && setvbuf(console.out1, NULL, _IONBF, 0) == 0);
    struct peripherals p;
    char text[8] = "";
    peripherals_reset(&p, &console);
    peripherals_store(&p, UART_BASE + THR, 'a');
    peripherals_store(&p, UART1_BASE + THR, 'b');
    peripherals_store(&p, UART_BASE + THR, 'c');
    fclose(console.out);
    fclose(console.out1);
    rewind(log);
    assert_int_equal(fread(text, 1, sizeof text - 1, log), 3);
    assert_string_equal(text, "abc");
    fclose(log);
}

static void test_wires(void **state) {
    (void)state;
    static const struct {
        uint64_t base;
        unsigned source;
    } uarts[] = {{UART_BASE, UART_INTERRUPT}, {UART1_BASE, UART1_INTERRUPT}};
    for (unsigned i = 0; i < 2; i++) {
        struct peripherals p;
        peripherals_reset(&p, &(struct console){0});
        assert_int_equal(p.plic.pending, 0);
        peripherals_store(&p, uarts[i].base + IER, IER_EMPTY);
        assert_int_equal(p.plic.lines, 1u << uarts[i].source);
        peripherals_load(&p, uarts[i].base + IIR, 1); // reports it, and lets the line fall
        assert_int_equal(p.plic.lines, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finisher), cmocka_unit_test(test_note),
                                       cmocka_unit_test(test_ways), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_wires)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
