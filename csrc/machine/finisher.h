// Test finisher, as SiFive's chips and QEMU's virt machine have it (sifive,test0): software stores a word, and the run
// is over. Firmware powers the machine off with it, and software that knows of it gives an exit status along.
#ifndef TIPOFF_MACHINE_FINISHER_H
#define TIPOFF_MACHINE_FINISHER_H

#include "base/state.h"
#include <stdbool.h>
#include <stdint.h>

enum { FINISHER_FAIL = 0x3333, FINISHER_PASS = 0x5555, FINISHER_RESET = 0x7777 };

#define FINISHER_RESET_TEXT                                                                                            \
    "asked for a reset, which this machine does not do: a kernel does so in a panic; its last lines say why"

// reset: it was a reset that was asked for: this machine has none; status: FAIL: bits 31:16 of the word
#define FINISHER_STATE(FIELD)                                                                                          \
    FIELD(bool, ended, , STATE_FLAG)                                                                                   \
    FIELD(bool, reset, , STATE_FLAG)                                                                                   \
    FIELD(uint16_t, status, , STATE_ANY)
struct finisher {
    FINISHER_STATE(STATE_MEMBER)
};
extern const struct state_table finisher_table;

// All zero is the state after reset. The register is at offset 0 and reads 0; other words than the three are passed
// over, and so is everything after the end.
void finisher_write(struct finisher *f, uint64_t offset, uint64_t value);

#endif
