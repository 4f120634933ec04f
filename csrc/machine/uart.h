// ns16550a: what drivers see of the UART. Sending takes no time, so the transmitter is always empty; receiving reads
// the next byte of a stream when the one before has been read. In loop mode (MCR bit 4) a byte sent is the next one
// received, in the place of one that has not been read; no modem ever changes a line, so no delta of MSR is ever set.
#ifndef TIPOFF_MACHINE_UART_H
#define TIPOFF_MACHINE_UART_H

#include "base/state.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// clang-format off
#define UART_STATE(FIELD) \
    FIELD(FILE *, out, , STATE_ELSEWHERE)      /* where it prints and reads; NULL: nowhere, nothing */ \
    FIELD(FILE *, in, , STATE_ELSEWHERE) \
    FIELD(uint8_t, ier, , STATE_UP_TO(0xf)) \
    FIELD(uint8_t, lcr, , STATE_ANY) \
    FIELD(uint8_t, mcr, , STATE_UP_TO(0x1f)) \
    FIELD(uint8_t, scr, , STATE_ANY) \
    FIELD(uint8_t, dll, , STATE_ANY) \
    FIELD(uint8_t, dlm, , STATE_ANY) \
    FIELD(uint8_t, fcr, , STATE_UP_TO(1)) \
    FIELD(bool, empty_told, , STATE_FLAG)      /* the interrupt "transmitter empty" has been read in IIR, and nothing was sent since */ \
    FIELD(int, held, , STATE_BETWEEN(-1, 255)) /* received byte, -1: none */ \
    FIELD(uint64_t, received, , STATE_ANY)     /* bytes taken from `in` */
// clang-format on
struct uart {
    UART_STATE(STATE_MEMBER)
};
extern const struct state_table uart_table;

void uart_reset(struct uart *u, FILE *out, FILE *in);
// Byte registers 0..7. Reading 0 takes the received byte, reading 2 acknowledges "transmitter empty".
uint8_t uart_read(struct uart *u, unsigned offset);
void uart_write(struct uart *u, unsigned offset, uint8_t value);
bool uart_interrupt(const struct uart *u); // its line to the interrupt controller

#endif
