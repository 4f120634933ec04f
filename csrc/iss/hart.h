// One hart of a machine: what it executes, and its registers. The machine, its memory and its devices: iss/iss.h.
#ifndef TIPOFF_ISS_HART_H
#define TIPOFF_ISS_HART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hart;
struct iss_retire;

// Executes one instruction or takes one trap, whoever's turn it is. out may be NULL.
void hart_step(struct hart *h, struct iss_retire *out);
bool hart_waits(const struct hart *h);      // in wfi, in a machine of several harts
uint64_t hart_steps(const struct hart *h);  // instructions and traps since reset
unsigned hart_number(const struct hart *h); // among the machine's: its place in CLINT and PLIC

// ---- lockstep ----
// Interrupts that software set pending in mip (SSIP, STIP, SEIP, LCOFIP); what devices ask for is not among them.
uint64_t hart_software_interrupts(const struct hart *h);
// The interrupt that mie, mideleg, mstatus and the mode let be taken now if these are pending: its cause, or -1.
int hart_interrupt_due(const struct hart *h, uint64_t pending);
// Takes this interrupt now (mcause's code), whatever mie says. out may be NULL.
void hart_take_interrupt(struct hart *h, unsigned cause, struct iss_retire *out);
void hart_override(struct hart *h, unsigned rd, uint64_t value); // after a step: x[rd] = value
void hart_set_sc(struct hart *h, int force); // outcome of store-conditionals: -1 by the reservation, 0 fail, 1 succeed

// Registers that are looked at in every cycle: where they stand, as long as the simulator lives.
struct iss_registers {
    const uint64_t *pc, *fflags;
    const uint64_t *mip; // as software wrote it: hart_software_interrupts
};
struct iss_registers hart_registers(const struct hart *h);

// The last trap that was taken; false: none. cause without the interrupt bit; ago: the hart's instructions since.
struct iss_last_trap {
    bool interrupt;
    uint8_t cause;
    uint64_t epc, tval, ago;
};
bool hart_last_trap(const struct hart *h, struct iss_last_trap *out);
// It as the end of a line about a program that does not get on: "; the last trap, ..."; "" where there was none.
enum { ISS_LAST_TRAP_TEXT = 128 };
void hart_last_trap_text(const struct hart *h, char *text, size_t size);

// ---- state, for tests and debuggers ----
bool hart_fetch_address(struct hart *h, uint64_t pc, uint64_t *physical);     // false: nothing can be fetched there
bool hart_load_address(struct hart *h, uint64_t address, uint64_t *physical); // nor loaded from in this mode
// Whether an access would be translated and allowed now, but for A and D bits that hardware sets, and to where.
enum hart_access { HART_FETCHES, HART_LOADS, HART_STORES };
bool hart_reaches(struct hart *h, uint64_t va, enum hart_access access, uint64_t *physical);
void hart_forget(struct hart *h, uint64_t va); // what it has kept of that page's translation
bool hart_translates(const struct hart *h);    // satp names tables; in M-mode, too
// Physical addresses of the page-table entries that a walk for `va` would read now, root first: how many (0 to 3).
unsigned hart_table_entries(const struct hart *h, uint64_t va, uint64_t entries[3]);
uint64_t hart_pc(const struct hart *h);
void hart_set_pc(struct hart *h, uint64_t pc);
unsigned hart_privilege(const struct hart *h);
uint64_t hart_x(const struct hart *h, unsigned number);
void hart_set_x(struct hart *h, unsigned number, uint64_t value);
uint64_t hart_f(const struct hart *h, unsigned number); // singles NaN-boxed
void hart_set_f(struct hart *h, unsigned number, uint64_t value);
uint64_t hart_fflags(const struct hart *h);                            // accrued floating-point exceptions
int hart_csr(const struct hart *h, unsigned address, uint64_t *value); // 0, or -EINVAL for no such CSR
// tdata1 and tdata2 of a trigger, whatever tselect says; 0 of one that does not exist. number: below ISS_TRIGGERS.
enum { ISS_TRIGGERS = 8 };
void hart_trigger(const struct hart *h, unsigned number, uint64_t *control, uint64_t *address);
int hart_set_csr(struct hart *h, unsigned address, uint64_t value); // masked as by a CSR instruction

#endif
