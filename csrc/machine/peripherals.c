// Which device an address means, and the interrupt lines after each access.
#include "machine/peripherals.h"
#include "memory_map.h"

#define ROW(type, name, dimension, range) STATE_ROW(struct peripherals, type, name, range),
static const struct state_member rows[] = {PERIPHERALS_STATE(ROW)};
const struct state_table peripherals_table = STATE_TABLE(rows);

static void wire(struct peripherals *p) {
    plic_line(&p->plic, UART_INTERRUPT, uart_interrupt(&p->uart[0]));
    plic_line(&p->plic, UART1_INTERRUPT, uart_interrupt(&p->uart[1]));
    plic_line(&p->plic, BUSERROR_INTERRUPT, p->bus_errors.lost != 0);
}

void peripherals_reset(struct peripherals *p, const struct console *console) {
    p->plic = (struct plic){0};
    p->finisher = (struct finisher){0};
    p->bus_errors = (struct bus_errors){0};
    p->note = 0;
    uart_reset(&p->uart[0], console->out, console->in);
    uart_reset(&p->uart[1], console->out1, NULL);
    wire(p);
}

// The UART there, and the register in it; NULL: none.
static struct uart *uart_at(struct peripherals *p, uint64_t address, unsigned *offset) {
    static const uint64_t bases[] = {UART_BASE, UART1_BASE};
    for (unsigned i = 0; i < 2; i++) {
        if (address - bases[i] >= UART_BYTES) continue;
        *offset = (unsigned)(address - bases[i]);
        return &p->uart[i];
    }
    return NULL;
}

uint64_t peripherals_load(struct peripherals *p, uint64_t address, unsigned bytes) {
    unsigned offset;
    struct uart *uart = uart_at(p, address, &offset);
    if (uart) {
        uint8_t byte = uart_read(uart, offset);
        wire(p);
        return byte;
    }
    uint64_t word = 0;
    if (address - BUSERROR_BASE < BUSERROR_BYTES) word = bus_errors_read(&p->bus_errors, address - BUSERROR_BASE);
    if (address - PLIC_BASE < PLIC_BYTES) word = plic_read(&p->plic, address - PLIC_BASE);
    return bytes < 8 ? word & ((UINT64_C(1) << 8 * bytes) - 1) : word;
}

void peripherals_store(struct peripherals *p, uint64_t address, uint64_t value) {
    unsigned offset;
    struct uart *uart = uart_at(p, address, &offset);
    if (uart) {
        // Where both consoles end in one log, what was printed before stands before.
        if (uart == &p->uart[1] && uart->out && p->uart[0].out) fflush(p->uart[0].out);
        uart_write(uart, offset, (uint8_t)value);
        wire(p);
    }
    if (address - BUSERROR_BASE < BUSERROR_BYTES) {
        bus_errors_write(&p->bus_errors, address - BUSERROR_BASE);
        wire(p);
    }
    if (address - PLIC_BASE < PLIC_BYTES) plic_write(&p->plic, address - PLIC_BASE, (uint32_t)value);
    if (address - FINISHER_BASE < FINISHER_BYTES) finisher_write(&p->finisher, address - FINISHER_BASE, value);
    if (address == FINISHER_BASE + FINISHER_NOTE && !p->finisher.ended) p->note = value;
}

void peripherals_lose(struct peripherals *p, uint64_t address) {
    bus_errors_lose(&p->bus_errors, address);
    wire(p);
}
