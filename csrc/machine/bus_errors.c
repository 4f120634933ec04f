// Registers of the bus error unit
#include "machine/bus_errors.h"
#include "memory_map.h"

#define ROW(type, name, dimension, range) STATE_ROW(struct bus_errors, type, name, range),
static const struct state_member rows[] = {BUS_ERRORS_STATE(ROW)};
const struct state_table bus_errors_table = STATE_TABLE(rows);

enum { LOST = 0x0, ADDRESS = 0x8, ERRORS_FROM = 0x800 };

bool bus_errors_answers(uint64_t address) {
    const uint64_t offset = address - BUSERROR_BASE;
    return address - FAULTY_BASE < FAULTY_BYTES || (offset < BUSERROR_BYTES && offset >= ERRORS_FROM);
}

void bus_errors_lose(struct bus_errors *unit, uint64_t address) {
    if (unit->lost++ == 0) unit->address = address;
}

uint64_t bus_errors_read(const struct bus_errors *unit, uint64_t offset) {
    uint64_t word = 0;
    if ((offset & ~UINT64_C(7)) == LOST) word = unit->lost;
    if ((offset & ~UINT64_C(7)) == ADDRESS) word = unit->address;
    return word >> 8 * (offset & 7);
}

void bus_errors_write(struct bus_errors *unit, uint64_t offset) {
    if ((offset & ~UINT64_C(7)) == LOST) unit->lost = 0;
}
