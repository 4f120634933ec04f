// The UART as a driver sees it: divisor latch, transmitter, receiver, reasons of its interrupt in their order.
#include "machine/uart.h"
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

// ---- a second UART, from the data sheet's register summary (table II) and interrupt control (table IV) ----
// One implementation serves the ISS and the machine around a core, so that lockstep cannot find a fault in it; QEMU's,
// with which tests/fuzz/device_fuzz.py compares it, is not compared where bytes are received.
struct sheet {
    bool dlab, fifos, empty_request; // the latch of "transmitter holding register empty"
    uint8_t ier, lcr, mcr, scr, divisor[2];
    int buffer; // the receiver's, -1: empty
    const char *line, *line_end;
    char sent[1 << 17];
    size_t sent_count;
};

// A byte of the line comes into the buffer when the program looks for one, or while it wants the interrupt (uart.h).
static void sheet_receives(struct sheet *s) {
    bool loop = s->mcr & 0x10;
    if (s->buffer == -1 && !loop && s->line != s->line_end) s->buffer = (uint8_t)*s->line++;
}

static uint8_t sheet_reason(const struct sheet *s) {
    if (s->ier & 1 && s->buffer != -1) return 4;   // second priority: received data available
    return s->ier & 2 && s->empty_request ? 2 : 1; // third; no others happen here
}

static uint8_t sheet_read(struct sheet *s, unsigned reg) {
    uint8_t value = 0;
    switch (reg) {
    case DATA:
        if (s->dlab) return s->divisor[0];
        sheet_receives(s);
        if (s->buffer != -1) value = (uint8_t)s->buffer;
        s->buffer = -1;
        if (s->ier & 1) sheet_receives(s);
        return value;
    case IER: return s->dlab ? s->divisor[1] : s->ier;
    case IIR:
        value = sheet_reason(s);
        if (value == 2) s->empty_request = false; // reading IIR as the source of the interrupt resets it
        return value | (s->fifos ? 0xc0 : 0);
    case LCR: return s->lcr;
    case MCR: return s->mcr;
    case LSR: sheet_receives(s); return 0x60 | (s->buffer != -1);
    case MSR:
        if (!(s->mcr & 0x10)) return 0xb0;
        return (s->mcr & 2 ? 0x10 : 0) | (s->mcr & 1 ? 0x20 : 0) | (s->mcr & 4 ? 0x40 : 0) | (s->mcr & 8 ? 0x80 : 0);
    default: return s->scr;
    }
}

static void sheet_write(struct sheet *s, unsigned reg, uint8_t value) {
    switch (reg) {
    case DATA:
        if (s->dlab) {
            s->divisor[0] = value;
            return;
        }
        if (s->mcr & 0x10)
            s->buffer = value;
        else
            s->sent[s->sent_count++] = (char)value;
        s->empty_request = true; // it is gone at once
        return;
    case IER:
        if (s->dlab) {
            s->divisor[1] = value;
            return;
        }
        if (!(s->ier & 2) && value & 2) s->empty_request = true; // it is empty, and now it may report it
        s->ier = value & 0x0f;
        if (s->ier & 1) sheet_receives(s);
        return;
    case IIR: // FCR: bit 0 changed clears both FIFOs; bit 1 the receiver's, bit 2 the transmitter's
        if (value & 2 || s->fifos != (value & 1)) s->buffer = -1;
        if (value & 4 || s->fifos != (value & 1)) s->empty_request = true;
        s->fifos = value & 1;
        return;
    case LCR:
        s->lcr = value;
        s->dlab = value & 0x80;
        return;
    case MCR: s->mcr = value & 0x1f; return;
    case SCR: s->scr = value; return;
    default: return; // LSR, MSR
    }
}

static void test_random(void **state) {
    (void)state;
    enum { STEPS = 200000, TYPED = 50000 };
    static char typed[TYPED];
    static struct sheet s;
    char *text = NULL;
    size_t size = 0;
    srand(11);
    for (size_t i = 0; i < TYPED; i++)
        typed[i] = (char)rand();
    FILE *out = open_memstream(&text, &size), *in = fmemopen(typed, TYPED, "r");
    struct uart u;
    uart_reset(&u, out, in);
    s.buffer = -1;
    s.line = typed;
    s.line_end = typed + TYPED;
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned reg = (unsigned)rand() % 8;
        uint8_t value = (uint8_t)rand();
        if (reg == LCR && rand() % 4) value &= 0x7f; // mostly no divisor
        if (reg == MCR && rand() % 2) value &= 0x0f; // mostly no loop
        if (rand() % 2) {
            const uint8_t expected = sheet_read(&s, reg), got = uart_read(&u, reg);
            if (got != expected) fail_msg("step %u: register %u reads 0x%x, should be 0x%x", step, reg, got, expected);
        } else {
            sheet_write(&s, reg, value);
            uart_write(&u, reg, value);
        }
        if (uart_interrupt(&u) != (sheet_reason(&s) != 1)) fail_msg("step %u: interrupt %d", step, uart_interrupt(&u));
    }
    fclose(out);
    fclose(in);
    assert_true(s.line - typed > 5000 && s.sent_count > 5000); // bytes have gone both ways
    assert_int_equal(size, s.sent_count);
    assert_memory_equal(text, s.sent, size);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transmit),
        cmocka_unit_test(test_empty_interrupt),
        cmocka_unit_test(test_interrupt_for_input),
        cmocka_unit_test(test_receive),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
