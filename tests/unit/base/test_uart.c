// The UART as a driver sees it: divisor latch, transmitter, receiver, reasons of its interrupt in their order.
#include "base/uart.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DATA, IER, IIR, LCR, MCR, LSR, MSR, SCR };

static void test_transmit(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct uart u;
    uart_reset(&u, out, NULL);
    assert_int_equal(uart_read(&u, LSR), 0x60);
    assert_int_equal(uart_read(&u, IIR) & 0xf, 1); // no reason
    uart_write(&u, LCR, 0x83);                     // the divisor is not sent
    uart_write(&u, DATA, 2);
    uart_write(&u, IER, 1);
    assert_int_equal(uart_read(&u, DATA), 2);
    assert_int_equal(uart_read(&u, IER), 1);
    uart_write(&u, LCR, 3);
    assert_int_equal(uart_read(&u, IER), 0); // the divisor's high byte was not the interrupt enables
    uart_write(&u, DATA, 'o');
    uart_write(&u, DATA, 'k');
    uart_write(&u, SCR, 0x5a);
    assert_int_equal(uart_read(&u, SCR), 0x5a);
    fclose(out);
    assert_string_equal(text, "ok");
    free(text);
}

static void test_empty_interrupt(void **state) {
    (void)state;
    struct uart u;
    uart_reset(&u, NULL, NULL);
    assert_false(uart_interrupt(&u));
    uart_write(&u, IER, 2);
    assert_true(uart_interrupt(&u)); // it is empty as soon as somebody asks
    assert_int_equal(uart_read(&u, IIR) & 0xf, 2);
    assert_false(uart_interrupt(&u)); // reading said so
    assert_int_equal(uart_read(&u, IIR) & 0xf, 1);
    uart_write(&u, DATA, 'x');
    assert_true(uart_interrupt(&u)); // sent, empty again
    uart_write(&u, IER, 0);
    assert_false(uart_interrupt(&u));
}

static void test_interrupt_for_input(void **state) {
    (void)state;
    char text[] = "a";
    FILE *in = fmemopen(text, strlen(text), "r");
    struct uart u;
    uart_reset(&u, NULL, in);
    uart_write(&u, IER, 1);
    assert_true(uart_interrupt(&u));
    assert_int_equal(uart_read(&u, DATA), 'a');
    assert_false(uart_interrupt(&u));
    fclose(in);
}

static void test_receive(void **state) {
    (void)state;
    char text[] = "ab";
    FILE *in = fmemopen(text, strlen(text), "r");
    struct uart u;
    uart_reset(&u, NULL, in);
    uart_write(&u, IER, 2);
    assert_int_equal(ftell(in), 0); // who prints alone leaves the input to others (HTIF)
    uart_write(&u, IER, 0);
    assert_int_equal(uart_read(&u, LSR), 0x61);
    uart_write(&u, IER, 3);
    assert_int_equal(uart_read(&u, IIR) & 0xf, 4); // goes before "empty", and reading does not acknowledge it
    assert_int_equal(uart_read(&u, IIR) & 0xf, 4);
    assert_int_equal(uart_read(&u, DATA), 'a');
    assert_true(uart_interrupt(&u));
    assert_int_equal(uart_read(&u, DATA), 'b');
    assert_int_equal(uart_read(&u, LSR), 0x60);
    assert_int_equal(uart_read(&u, IIR) & 0xf, 2);
    assert_false(uart_interrupt(&u));
    assert_int_equal(uart_read(&u, DATA), 0);
    fclose(in);
}

// The data sheet's 8.6.7 and 8.4: what is sent comes back, is not printed, and the modem's outputs are its inputs.
static void test_loop(void **state) {
    (void)state;
    char *text = NULL, waiting[] = "w";
    size_t size = 0;
    FILE *out = open_memstream(&text, &size), *in = fmemopen(waiting, strlen(waiting), "r");
    struct uart u;
    uart_reset(&u, out, in);
    uart_write(&u, IER, 0xff);
    assert_int_equal(uart_read(&u, IER), 0xf); // bits 7:4 do not exist
    assert_int_equal(uart_read(&u, DATA), 'w');
    uart_write(&u, MCR, 0xff);
    assert_int_equal(uart_read(&u, MCR), 0x1f);
    assert_int_equal(uart_read(&u, MSR), 0xf0); // OUT2, OUT1, RTS, DTR
    uart_write(&u, MCR, 0x11);
    assert_int_equal(uart_read(&u, MSR), 0x20); // DTR
    uart_write(&u, DATA, 'x');
    assert_int_equal(uart_read(&u, LSR), 0x61);
    assert_int_equal(uart_read(&u, IIR) & 0xf, 4);
    assert_int_equal(uart_read(&u, DATA), 'x');
    uart_write(&u, DATA, 'y');
    uart_write(&u, IIR, 2); // empties the receiver
    assert_int_equal(uart_read(&u, LSR), 0x60);
    uart_write(&u, MCR, 0);
    assert_int_equal(uart_read(&u, MSR), 0xb0);
    uart_write(&u, DATA, 'z');
    fclose(out);
    fclose(in);
    assert_string_equal(text, "z");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transmit),
        cmocka_unit_test(test_empty_interrupt),
        cmocka_unit_test(test_interrupt_for_input),
        cmocka_unit_test(test_receive),
        cmocka_unit_test(test_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
