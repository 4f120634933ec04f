// Golden instruction-set simulator: a machine of RV64IMAFDC_Zicsr_Zifencei harts with machine, supervisor and user
// mode, Sv39 and physical memory protection, its memory and devices. What is one hart's: iss/hart.h.
//
// Two ways to use it. Alone (autonomous, the default): own CLINT and interrupts, mtime advances one tick every
// 100 instructions. In lockstep: the core decides when an interrupt comes (hart_take_interrupt) and gives the
// values that only it can know (hart_override).
#ifndef TIPOFF_ISS_ISS_H
#define TIPOFF_ISS_ISS_H

#include "base/elf.h"
#include "base/error.h"
#include "iss/hart.h"
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

// A machine of one hart, or of `harts` (1 to MACHINE_MOST_HARTS).
struct iss *iss_create(struct error *err);
struct iss *iss_create_harts(unsigned harts, struct error *err);
void iss_destroy(struct iss *iss); // NULL is fine

// How much DRAM there is: a size of base/memory_size.h, or 0 for DRAM_BYTES, as without it. Empties it: before
// iss_load; a checkpoint brings its own. 0, or -ENOMEM with err: the host has no such address space, and all is as it
// was.
int iss_set_memory(struct iss *iss, uint64_t bytes, struct error *err);
uint64_t iss_memory_bytes(const struct iss *iss);

// ---- harts: they live as long as the machine ----
unsigned iss_harts(const struct iss *iss);                     // how many it has
struct hart *iss_hart(const struct iss *iss, unsigned number); // 0 to iss_harts - 1
struct hart *iss_only(const struct iss *iss); // for machines that have one alone: where there are more, it aborts

// Resets all harts and all memory, writes the boot ROM (which jumps to the entry) and the program.
// 0, or -EINVAL with err. The image need not live on.
int iss_load(struct iss *iss, const struct image *image, struct error *err);

// The settings of harts are all harts' alike.
// Whether they have F and D (the default). Without, their instructions and CSRs are illegal. Before iss_load, which
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
// How many triggers on addresses there are (Sdtrig), 0, 1, 2, 4 or 8; 0, the default: their CSRs are illegal. The ISS
// keeps their registers alone, and no checkpoint has them: nothing happens where they match. As iss_set_fp.
void iss_set_triggers(struct iss *iss, unsigned count);
// What mhartid of the first hart reads (0 without it); each further one's is one more. As iss_set_fp.
void iss_set_hart_id(struct iss *iss, unsigned id);

// Whether harts set the accessed and dirty bits of page-table entries (Svadu) instead of a page fault (the
// default).
void iss_set_ad_update(struct iss *iss, bool ad_update);

// Several harts take turns, in order of their numbers, each for a quantum of instructions and traps (the default, of
// iss_create: ISS_QUANTUM); a reservation ends with its hart's turn. One that waits (wfi) lets its turn pass, and where
// all wait, time goes on to the next timer. The same machine does the same at each run, however it is stepped.
enum { ISS_LEAST_QUANTUM = 64, ISS_QUANTUM = 256, ISS_MOST_QUANTUM = 1000000 };
void iss_set_quantum(struct iss *iss, uint64_t quantum);
// The hart whose turn it is, which iss_step steps. NULL: all harts wait, and nothing will wake them. Alone only.
struct hart *iss_next(struct iss *iss);
struct hart *iss_step(struct iss *iss, struct iss_retire *out); // iss_next's, stepped; out may be NULL
// Or the caller gives the turns, of an instruction or trap each, in any order: then a reservation does not end with its
// hart's turn, but with another hart's store to its line.
bool iss_may_step(const struct iss *iss, unsigned number); // it does not wait, or what wakes it is pending
void iss_step_hart(struct iss *iss, unsigned number, struct iss_retire *out); // one that may be
// And says how time goes on (held), not the instructions that are done; it goes on from where it is. Between the two,
// no iss_step and no iss_run, and no checkpoint.
void iss_hold_time(struct iss *iss, bool held);
void iss_pass_time(struct iss *iss, uint64_t ticks); // of mtime
enum { ISS_CYCLES_PER_TICK = 100 };                  // of a core's, where it is the caller's clock
uint64_t iss_ticks_to_timer(const struct iss *iss);  // the first that a hart waits for; UINT64_MAX: there is none
// The hart that iss_step or iss_run stepped last (after a restore: whose turn it was).
struct hart *iss_last(const struct iss *iss);
// Steps until `max` instructions and traps are done or the program exits; returns the number done. Not slowed by
// records.
uint64_t iss_run(struct iss *iss, uint64_t max);
// Whether marker instructions (slti x0, x0, N with N > 0: a hint that is left to users) end iss_run after them.
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
// Whether it asked its host for what is not served, which ends a run, too; err is the line that reports it.
bool iss_refused(const struct iss *iss, const char *program, struct error *err);
// The hart that did so: it spoke last to the host, or to the finisher.
const struct hart *iss_caller(const struct iss *iss);
bool iss_over(const struct iss *iss); // any of these three has ended the run

// ---- lockstep ----
void iss_set_autonomous(struct iss *iss, bool autonomous);              // false: takes no interrupt by itself
void iss_host_write(struct iss *iss, uint64_t address, uint64_t value); // a word of memory that the core's host wrote
// Likewise 1 to 8 bytes that another hart stored, once the one in lockstep sees them. Decoded instructions stay.
void iss_show(struct iss *iss, uint64_t address, unsigned bytes, uint64_t word);
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

// ---- state, for tests and debuggers ----
// DRAM and boot ROM only; false if any byte lies elsewhere. A write is seen by the next fetch.
bool iss_read(const struct iss *iss, uint64_t address, void *data, size_t bytes);
bool iss_write(struct iss *iss, uint64_t address, const void *data, size_t bytes);

#endif
