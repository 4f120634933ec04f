// Golden instruction-set simulator: one RV64IMAFDC_Zicsr_Zifencei hart with machine, supervisor and user mode,
// Sv39 and physical memory protection, its memory and devices.
//
// Two ways to use it. Alone (autonomous, the default): own CLINT and interrupts, mtime advances one tick every
// 100 instructions. In lockstep: the core decides when an interrupt comes (iss_take_interrupt) and gives the values
// that only it can know (iss_override).
#ifndef TIPOFF_ISS_ISS_H
#define TIPOFF_ISS_ISS_H

#include "base/elf.h"
#include "base/error.h"
#include <stdio.h>

struct iss;

enum iss_access { ISS_ACCESS_NONE, ISS_ACCESS_LOAD, ISS_ACCESS_STORE }; // an AMO that executes is a store
enum { ISS_PRIVILEGE_U = 0, ISS_PRIVILEGE_S = 1, ISS_PRIVILEGE_M = 3 };

// What one step did.
struct iss_retire {
    uint64_t pc, next_pc;
    uint32_t insn;        // as fetched: 16-bit forms zero-extended; 0 if the fetch faulted or an interrupt was taken
    uint8_t privilege;    // before the step
    bool translated;      // its own address was, and ...
    bool data_translated; // ... that of its access would be

    // A trap excludes all that follows it here.
    bool trap, interrupt;
    uint8_t cause;
    uint64_t epc, tval;

    bool rd_written; // never for x0
    bool rd_fp;      // rd is a floating-point register
    uint8_t rd;
    uint64_t rd_value;
    uint8_t fflags; // accrued exceptions after the step

    uint8_t access; // enum iss_access; none for a store-conditional that fails
    uint8_t size;   // bytes
    uint64_t virtual_address;
    uint64_t address, data; // address: physical; data: what was stored, or the register value that was loaded

    bool csr_accessed, csr_written;
    uint16_t csr;
    uint64_t csr_value; // after the write, as the CSR holds it

    bool is_sc, sc_success;
    bool reads_nondeterministic; // rd comes from a counter, mip, a profiling CSR, a device, or tohost or fromhost
    // Computes, branches or loads, and no more: no trap, no store or AMO, no CSR, fence or system instruction, and rd
    // is deterministic. Most are: their checks may leave out what such a one cannot do. False: nothing is known.
    bool plain;
};

struct iss *iss_create(struct error *err);
void iss_destroy(struct iss *iss); // NULL is fine

// Resets the hart and all memory, writes the boot ROM (which jumps to the entry) and the program.
// 0, or -EINVAL with err. The image need not live on.
int iss_load(struct iss *iss, const struct image *image, struct error *err);

// Whether the hart has F and D (the default). Without, their instructions and CSRs are illegal. Before iss_load, which
// resets the CSRs, or right after iss_create.
void iss_set_fp(struct iss *iss, bool fp);

// How many regions of physical memory protection there are, 0 to 16; 0: everything is allowed. As iss_set_fp.
void iss_set_pmp_entries(struct iss *iss, unsigned entries);

// Whether there is indirect access to registers (siselect and so on; yes without it). As iss_set_fp.
void iss_set_window(struct iss *iss, bool window);
// How many control transfer records the core has at most (0 without it: their CSRs and sctrclr are illegal). As
// iss_set_fp.
void iss_set_ctr_depth(struct iss *iss, unsigned depth);
// Whether the core has ProfileMe (not without it). As iss_set_fp.
void iss_set_profileme(struct iss *iss, bool profileme);
// What mhartid reads (0 without it). As iss_set_fp.
void iss_set_hart_id(struct iss *iss, unsigned id);

// Whether the hart sets the accessed and dirty bits of page-table entries (Svadu) instead of a page fault (the
// default).
void iss_set_ad_update(struct iss *iss, bool ad_update);

// Executes one instruction or takes one trap. out may be NULL.
void iss_step(struct iss *iss, struct iss_retire *out);
// Steps until `max` instructions and traps are done or the program exits; returns the number done. Not slowed by
// records.
uint64_t iss_run(struct iss *iss, uint64_t max);
// Whether marker instructions (slti x0, x0, N with N > 0: a hint that is left to users) end iss_run behind them.
void iss_watch_markers(struct iss *iss, bool watch);
unsigned iss_take_marker(struct iss *iss); // N of the marker that was executed last, once; 0: none
// From now on counts how often each instruction is executed; those that trap do not count, an ecall does. False with
// err: no memory. What runs later than `iss_counts_whole` says no is not all counted.
bool iss_count(struct iss *iss, struct error *err);
bool iss_counts_whole(const struct iss *iss); // no memory was missing on the way
// Each place that was executed, in no order. space: satp's page number, whatever the mode; 0 without Sv39.
typedef void iss_counted(void *context, uint64_t pc, uint8_t privilege, uint64_t space, uint64_t count);
void iss_each_count(const struct iss *iss, iss_counted *counted, void *context);
// Whether the program wrote its exit code to tohost (machine/htif.h), alone only: in lockstep the harness is the host.
// Or to the test finisher (machine/finisher.h).
bool iss_exited(const struct iss *iss, uint64_t *code);
uint64_t iss_finisher_note(const struct iss *iss); // what it said of its end; 0: nothing
// Whether it asked the finisher for a reset, which ends a run, too, without a code.
bool iss_asks_for_reset(const struct iss *iss);
// Whether it asked its host for what is not served, which ends a run, too; err is the line that says so.
bool iss_refused(const struct iss *iss, const char *program, struct error *err);

// ---- lockstep ----
void iss_set_autonomous(struct iss *iss, bool autonomous); // false: takes no interrupt by itself
// Interrupts that software set pending in mip (SSIP, STIP, SEIP, LCOFIP); what devices ask for is not among them.
uint64_t iss_software_interrupts(const struct iss *iss);
// The interrupt that mie, mideleg, mstatus and the mode let be taken now if these are pending: its cause, or -1.
int iss_interrupt_due(const struct iss *iss, uint64_t pending);
// Takes this interrupt now (mcause's code), whatever mie says. out may be NULL.
void iss_take_interrupt(struct iss *iss, unsigned cause, struct iss_retire *out);
void iss_override(struct iss *iss, unsigned rd, uint64_t value); // after a step: x[rd] = value
void iss_set_sc(struct iss *iss, int force); // outcome of store-conditionals: -1 by the reservation, 0 fail, 1 succeed
void iss_host_write(struct iss *iss, uint64_t address, uint64_t value); // a word of memory that the core's host wrote
// Device loads (bytes 1, 2, 4, 8) return what the callback says; NULL: the own device model.
typedef uint64_t iss_device_read(void *context, uint64_t address, unsigned bytes);
void iss_set_device_read(struct iss *iss, iss_device_read *callback, void *context);
// Where the UART prints, and what it receives; NULL (the default): nowhere, nothing. in: before iss_load.
void iss_set_console(struct iss *iss, FILE *out, FILE *in);
void iss_set_second_console(struct iss *iss, FILE *out); // where the second UART prints
// The program's arguments, its name first, ended by NULL; borrowed. After iss_load.
void iss_set_arguments(struct iss *iss, char *const *argv);
struct host_roots;
void iss_set_file_roots(struct iss *iss, const struct host_roots *roots); // what files the program may read

// Registers that are looked at in every cycle: where they stand, as long as the simulator lives.
struct iss_registers {
    const uint64_t *pc, *fflags;
    const uint64_t *mip; // as software wrote it: iss_software_interrupts
};
struct iss_registers iss_registers(const struct iss *iss);

// The last trap that was taken; false: none. cause without the interrupt bit; ago: instructions since.
struct iss_last_trap {
    bool interrupt;
    uint8_t cause;
    uint64_t epc, tval, ago;
};
bool iss_last_trap(const struct iss *iss, struct iss_last_trap *out);
// It as the end of a line about a program that does not get on: "; the last trap, ..."; "" where there was none.
enum { ISS_LAST_TRAP_TEXT = 128 };
void iss_last_trap_text(const struct iss *iss, char *text, size_t size);

// ---- state, for tests and debuggers ----
bool iss_fetch_address(struct iss *iss, uint64_t pc,
                       uint64_t *physical); // false: an instruction cannot be fetched there
bool iss_load_address(struct iss *iss, uint64_t address, uint64_t *physical); // nor loaded from in this mode
// Physical addresses of the page-table entries that a walk for `va` would read now, root first: how many (0 to 3).
unsigned iss_table_entries(const struct iss *iss, uint64_t va, uint64_t entries[3]);
uint64_t iss_pc(const struct iss *iss);
void iss_set_pc(struct iss *iss, uint64_t pc);
unsigned iss_privilege(const struct iss *iss);
uint64_t iss_x(const struct iss *iss, unsigned number);
void iss_set_x(struct iss *iss, unsigned number, uint64_t value);
uint64_t iss_f(const struct iss *iss, unsigned number); // singles NaN-boxed
void iss_set_f(struct iss *iss, unsigned number, uint64_t value);
uint64_t iss_fflags(const struct iss *iss);                            // accrued floating-point exceptions
int iss_csr(const struct iss *iss, unsigned address, uint64_t *value); // 0, or -EINVAL for no such CSR
int iss_set_csr(struct iss *iss, unsigned address, uint64_t value);    // masked as by a CSR instruction
// DRAM and boot ROM only; false if any byte lies elsewhere. A write is seen by the next fetch.
bool iss_read(const struct iss *iss, uint64_t address, void *data, size_t bytes);
bool iss_write(struct iss *iss, uint64_t address, const void *data, size_t bytes);

#endif
