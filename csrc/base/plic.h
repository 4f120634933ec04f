// Platform-level interrupt controller (RISC-V PLIC specification 1.0.0), as QEMU's virt machine and SiFive's chips lay
// it out: 31 sources, level-triggered, and two contexts, M-mode and S-mode of the only hart.
//
//   source's line -> gateway -> pending -> enabled, priority above the context's threshold -> the context's line
//                       ^--- complete <-- claim
#ifndef TIPOFF_BASE_PLIC_H
#define TIPOFF_BASE_PLIC_H

#include <stdbool.h>
#include <stdint.h>

enum { PLIC_SOURCES = 32, PLIC_CONTEXTS = 2, PLIC_PRIORITIES = 8 }; // source 0 does not exist; priority 0: never
enum { PLIC_CONTEXT_M, PLIC_CONTEXT_S };

struct plic {
    uint8_t priority[PLIC_SOURCES];
    uint32_t lines, pending, claimed; // a bit a source; claimed: the gateway waits for its completion
    uint32_t enabled[PLIC_CONTEXTS];
    uint8_t threshold[PLIC_CONTEXTS];
};

// All zero is the state after reset.
// The line of a source, 1 to 31, has this level from now on.
void plic_line(struct plic *p, unsigned source, bool level);
// Whether the line to that context (PLIC_CONTEXT_*) is high.
bool plic_asks(const struct plic *p, unsigned context);
// Registers are 32 bits wide; offset from the controller's base. Reading the claim register claims.
uint32_t plic_read(struct plic *p, uint64_t offset);
void plic_write(struct plic *p, uint64_t offset, uint32_t value);

#endif
