// Registers of the ns16550a (National Semiconductor PC16550D data sheet).
#include "machine/uart.h"
#include "machine/console.h"
#include <string.h>

#define ROW(type, name, dimension, range) STATE_ROW(struct uart, type, name, range),
// NOLINTNEXTLINE(bugprone-sizeof-expression): the size of a pointer is meant
static const struct state_member rows[] = {UART_STATE(ROW)};
const struct state_table uart_table = STATE_TABLE(rows);

enum { RBR_THR, IER, IIR_FCR, LCR, MCR, LSR, MSR, SCR };
enum { IER_RECEIVED = 1, IER_EMPTY = 2, IER_BITS = 0xf }; // the others ask for what never happens here: errors, modems
enum { IIR_NONE = 1, IIR_EMPTY = 2, IIR_RECEIVED = 4, IIR_FIFOS = 0xc0 };
enum { FCR_FIFOS = 1, FCR_FORGETS_RECEIVED = 2, FCR_FORGETS_SENT = 4 };
enum { LCR_DIVISOR = 0x80 };
enum { MCR_DTR = 1, MCR_RTS = 2, MCR_OUTS = 0xc, MCR_LOOP = 0x10, MCR_BITS = 0x1f };
enum { LSR_RECEIVED = 1, LSR_EMPTY = 0x60 };
enum { MSR_READY = 0xb0 }; // carrier, data set ready, clear to send

// In loop mode the modem's outputs are its inputs, too (data sheet, 8.6.7).
static uint8_t modem(const struct uart *u) {
    if (!(u->mcr & MCR_LOOP)) return MSR_READY;
    return (uint8_t)((u->mcr & MCR_OUTS) << 4 | (u->mcr & MCR_RTS) << 3 | (u->mcr & MCR_DTR) << 5);
}

// A byte is taken when the program looks for one, or wants an interrupt for it: it may read its console by HTIF
// instead.
static void receive(struct uart *u) {
    if (u->held < 0 && u->in && !(u->mcr & MCR_LOOP)) {
        int byte = console_byte(u->in);
        if (byte == EOF) {
            u->in = NULL;
        } else {
            u->held = byte;
            u->received++;
        }
    }
}

void uart_reset(struct uart *u, FILE *out, FILE *in) {
    memset(u, 0, sizeof *u);
    u->out = out;
    u->in = in;
    u->held = -1;
}

// The reason of highest priority, as IIR shows it.
static uint8_t reason(const struct uart *u) {
    if (u->ier & IER_RECEIVED && u->held >= 0) return IIR_RECEIVED;
    if (u->ier & IER_EMPTY && !u->empty_told) return IIR_EMPTY;
    return IIR_NONE;
}

bool uart_interrupt(const struct uart *u) {
    return reason(u) != IIR_NONE;
}

uint8_t uart_read(struct uart *u, unsigned offset) {
    bool divisor = u->lcr & LCR_DIVISOR;
    switch (offset) {
    case RBR_THR: {
        if (divisor) return u->dll;
        receive(u);
        uint8_t byte = u->held < 0 ? 0 : (uint8_t)u->held;
        u->held = -1;
        if (u->ier & IER_RECEIVED) receive(u);
        return byte;
    }
    case IER: return divisor ? u->dlm : u->ier;
    case IIR_FCR: {
        uint8_t shown = reason(u);
        if (shown == IIR_EMPTY) u->empty_told = true;
        return shown | (u->fcr & FCR_FIFOS ? IIR_FIFOS : 0);
    }
    case LCR: return u->lcr;
    case MCR: return u->mcr;
    case LSR: receive(u); return LSR_EMPTY | (u->held >= 0 ? LSR_RECEIVED : 0);
    case MSR: return modem(u);
    case SCR: return u->scr;
    default: return 0;
    }
}

void uart_write(struct uart *u, unsigned offset, uint8_t value) {
    bool divisor = u->lcr & LCR_DIVISOR;
    switch (offset) {
    case RBR_THR:
        if (divisor) {
            u->dll = value;
        } else {
            if (u->mcr & MCR_LOOP) {
                u->held = value;
            } else if (u->out) {
                fputc(value, u->out);
            }
            u->empty_told = false;
        }
        break;
    case IER:
        if (divisor) {
            u->dlm = value;
        } else {
            if (value & IER_EMPTY && !(u->ier & IER_EMPTY)) u->empty_told = false;
            u->ier = value & IER_BITS;
            if (u->ier & IER_RECEIVED) receive(u);
        }
        break;
    case IIR_FCR:
        if ((value ^ u->fcr) & FCR_FIFOS) value |= FCR_FORGETS_RECEIVED | FCR_FORGETS_SENT; // data sheet, 8.4
        if (value & FCR_FORGETS_RECEIVED) u->held = -1;
        if (value & FCR_FORGETS_SENT) u->empty_told = false; // it becomes empty
        u->fcr = value & FCR_FIFOS;
        break;
    case LCR: u->lcr = value; break;
    case MCR: u->mcr = value & MCR_BITS; break;
    case SCR: u->scr = value; break;
    default: break;
    }
}
