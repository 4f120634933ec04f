// Bus errors of the simulated machine: where its bus answers with an error, and the unit that reports to a program the
// stores that were lost by one. One model for the ISS and for the machine around a core.
//
// An access that its instruction waits for (fetch, load, AMO, LR, walk of the page table) is an access fault where the
// bus answers with an error (privileged manual, "Physical Memory Attributes"). A store leaves the core before its line
// or device has answered: it is lost, and is counted here. The unit's registers, of 8 bytes:
//
//   0x00  LOST     stores lost since it was last written; a store of anything makes it 0. Not 0: the unit interrupts
//   0x08  ADDRESS  the physical address of the first of them; read-only
//   0x800 ...      each access is answered with an error
#ifndef TIPOFF_MACHINE_BUS_ERRORS_H
#define TIPOFF_MACHINE_BUS_ERRORS_H

#include "base/state.h"
#include <stdbool.h>
#include <stdint.h>

#define BUS_ERRORS_STATE(FIELD) FIELD(uint64_t, lost, , STATE_ANY) FIELD(uint64_t, address, , STATE_ANY)
struct bus_errors {
    BUS_ERRORS_STATE(STATE_MEMBER)
};
extern const struct state_table bus_errors_table;

// Whether the bus answers an access to this physical address with an error.
bool bus_errors_answers(uint64_t address);
void bus_errors_lose(struct bus_errors *unit, uint64_t address); // a store to this physical address is lost
// Registers; offset from the unit's base, a multiple of 8 or inside such a word (loads give its bytes from there on).
uint64_t bus_errors_read(const struct bus_errors *unit, uint64_t offset);
void bus_errors_write(struct bus_errors *unit, uint64_t offset);

#endif
