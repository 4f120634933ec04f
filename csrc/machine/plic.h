// Platform-level interrupt controller (RISC-V PLIC specification 1.0.0), as QEMU's virt machine and SiFive's chips lay
// it out: 31 sources, level-triggered, and two contexts a hart, of its M-mode and its S-mode.
//
//   source's line -> gateway -> pending -> enabled, priority above the context's threshold -> the context's line
//                       ^--- complete <-- claim
#ifndef TIPOFF_MACHINE_PLIC_H
#define TIPOFF_MACHINE_PLIC_H

#include "base/state.h"
#include "machine/harts.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    PLIC_SOURCES = 32,
    PLIC_CONTEXTS = 2,
    /* of a hart */ PLIC_PRIORITIES = 8
};                                       // source 0 does not exist; priority 0: never
enum { PLIC_CONTEXT_M, PLIC_CONTEXT_S }; // of the first hart; those of hart n: 2 * n more

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

// The contexts of all other harts. They stand apart: most machines have one hart, and struct plic is in checkpoints.
enum { PLIC_FURTHER_CONTEXTS = PLIC_CONTEXTS * (MACHINE_MOST_HARTS - 1) };
#define PLIC_FURTHER_STATE(FIELD)                                                                                      \
    FIELD(uint32_t, enabled, [PLIC_FURTHER_CONTEXTS], STATE_WITHOUT(PLIC_NO_SOURCE))                                   \
    FIELD(uint8_t, threshold, [PLIC_FURTHER_CONTEXTS], STATE_UP_TO(PLIC_PRIORITIES - 1))
struct plic_further {
    PLIC_FURTHER_STATE(STATE_MEMBER)
};
extern const struct state_table plic_further_table;
struct plic_harts { // the whole, as a machine of several harts has it
    struct plic *plic;
    struct plic_further *further; // not looked at where harts is 1
    unsigned harts;
};

// All zero is the state after reset.
// The line of a source, 1 to 31, has this level from now on.
void plic_line(struct plic *p, unsigned source, bool level);
// Whether the line to that context is high: of the first hart, PLIC_CONTEXT_*, or of any.
bool plic_asks(const struct plic *p, unsigned context);
// Registers are 32 bits wide; offset from the controller's base. Reading the claim register claims.
uint32_t plic_read(struct plic *p, uint64_t offset);
void plic_write(struct plic *p, uint64_t offset, uint32_t value);
// The same of a machine of several harts. Registers of contexts that do not exist read 0 and ignore writes.
bool plic_harts_ask(const struct plic_harts *p, unsigned context);
uint32_t plic_harts_read(const struct plic_harts *p, uint64_t offset);
void plic_harts_write(const struct plic_harts *p, uint64_t offset, uint32_t value);

#endif
