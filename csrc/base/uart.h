// ns16550a: what drivers see of the UART. Sending takes no time, so the transmitter is always empty; receiving reads
// the next byte of a stream when the one before has been read.
#ifndef TIPOFF_BASE_UART_H
#define TIPOFF_BASE_UART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct uart {
    FILE *out, *in; // where it prints and reads; NULL: nowhere, nothing
    uint8_t ier, lcr, mcr, scr, dll, dlm, fcr;
    bool empty_told;   // the interrupt "transmitter empty" has been read in IIR, and nothing was sent since
    int held;          // received byte, -1: none
    uint64_t received; // bytes taken from `in`
};

void uart_reset(struct uart *u, FILE *out, FILE *in);
// Byte registers 0..7. Reading 0 takes the received byte, reading 2 acknowledges "transmitter empty".
uint8_t uart_read(struct uart *u, unsigned offset);
void uart_write(struct uart *u, unsigned offset, uint8_t value);
bool uart_interrupt(const struct uart *u); // its line to the interrupt controller

#endif
