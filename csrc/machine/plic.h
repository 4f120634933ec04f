// Platform-level interrupt controller (RISC-V PLIC specification 1.0.0), as QEMU's virt machine and SiFive's chips lay
// it out: 31 sources, level-triggered, and two contexts, M-mode and S-mode of the only hart.
//
//   source's line -> gateway -> pending -> enabled, priority above the context's threshold -> the context's line
//                       ^--- complete <-- claim
#ifndef TIPOFF_MACHINE_PLIC_H
#define TIPOFF_MACHINE_PLIC_H

#include "base/state.h"
#include <stdbool.h>
#include <stdint.h>

enum { PLIC_SOURCES = 32, PLIC_CONTEXTS = 2, PLIC_PRIORITIES = 8 }; // source 0 does not exist; priority 0: never
enum { PLIC_CONTEXT_M, PLIC_CONTEXT_S };

enum { PLIC_NO_SOURCE = 1 }; // bit of source 0, in masks of sources
// clang-format off
#define PLIC_STATE(FIELD) \
    FIELD(uint8_t, priority, [PLIC_SOURCES], STATE_UP_TO(PLIC_PRIORITIES - 1)) \
    FIELD(uint32_t, lines, , STATE_WITHOUT(PLIC_NO_SOURCE))   /* a bit a source */ \
    FIELD(uint32_t, pending, , STATE_WITHOUT(PLIC_NO_SOURCE)) \
    FIELD(uint32_t, claimed, , STATE_WITHOUT(PLIC_NO_SOURCE)) /* the gateway waits for its completion */ \
    FIELD(uint32_t, enabled, [PLIC_CONTEXTS], STATE_WITHOUT(PLIC_NO_SOURCE)) \
    FIELD(uint8_t, threshold, [PLIC_CONTEXTS], STATE_UP_TO(PLIC_PRIORITIES - 1))
// clang-format on
struct plic {
    PLIC_STATE(STATE_MEMBER)
};
extern const struct state_table plic_table;

// All zero is the state after reset.
// The line of a source, 1 to 31, has this level from now on.
void plic_line(struct plic *p, unsigned source, bool level);
// Whether the line to that context (PLIC_CONTEXT_*) is high.
bool plic_asks(const struct plic *p, unsigned context);
// Registers are 32 bits wide; offset from the controller's base. Reading the claim register claims.
uint32_t plic_read(struct plic *p, uint64_t offset);
void plic_write(struct plic *p, uint64_t offset, uint32_t value);

#endif
