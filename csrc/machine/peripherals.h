// Devices beside the CLINT, whose time is its owner's: two UARTs, the interrupt controller, the test finisher, the bus
// error unit, and the wires between them. One model for the ISS and for the machine around a core.
#ifndef TIPOFF_MACHINE_PERIPHERALS_H
#define TIPOFF_MACHINE_PERIPHERALS_H

#include "machine/bus_errors.h"
#include "machine/finisher.h"
#include "machine/plic.h"
#include "machine/uart.h"
#include <stddef.h>

// A register of 64 bits beside the finisher's, which this machine alone has: for what software says of its end. The
// guest's init leaves there where in the program's file a signal has killed it (csrc/cli/cmd_linux.c).
enum { FINISHER_NOTE = 8 }; // offset from the finisher's base
// Checkpoints hold the struct: it grows at its end alone (PERIPHERALS_OLD_BYTES, csrc/iss/checkpoint.c).
#define PERIPHERALS_STATE(FIELD)                                                                                       \
    FIELD(struct plic, plic, , STATE_OF(plic_table))                                                                   \
    FIELD(struct uart, uart, [2], STATE_OF(uart_table))                                                                \
    FIELD(struct finisher, finisher, , STATE_OF(finisher_table))                                                       \
    FIELD(struct bus_errors, bus_errors, , STATE_OF(bus_errors_table))                                                 \
    FIELD(uint64_t, note, , STATE_ANY) /* what software stored last at FINISHER_NOTE, before it ended the run */
struct peripherals {
    PERIPHERALS_STATE(STATE_MEMBER)
};
extern const struct state_table peripherals_table;
#define PERIPHERALS_OLD_BYTES offsetof(struct peripherals, note) // as checkpoints had it before there was a note

struct console { // the other ends of the UARTs; NULL: nowhere, nothing
    FILE *out, *in;
    FILE *out1;
};

void peripherals_reset(struct peripherals *p, const struct console *console);
// Accesses of 1, 2, 4 or 8 bytes at a physical address. Where none of these devices is, loads give 0.
uint64_t peripherals_load(struct peripherals *p, uint64_t address, unsigned bytes);
void peripherals_store(struct peripherals *p, uint64_t address, uint64_t value);
// A store to this physical address was answered with an error, after it had left its hart.
void peripherals_lose(struct peripherals *p, uint64_t address);

#endif
