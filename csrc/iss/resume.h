// A core, which begins at reset with nothing but a pc, is brought to the state of a checkpoint by instructions: a piece
// of code in the resume ROM (tables/memory_map.tsv) that writes the CSRs, then the registers, and goes to where the
// saved machine was. Core and ISS execute it alike, so that lockstep compares every one of these instructions, too.
//
//   reset -> boot ROM -> resume ROM: CSRs, f, x --.-- mret (user or supervisor mode) --> next instruction
//                                                 '-- jal, jalr (machine mode) --------->
//
// mret changes mepc, mstatus.MPIE and mstatus.MPP. Below machine mode they cannot be read before a trap has written
// them again, so that nothing is lost. In machine mode a jump changes nothing; but a jal reaches little more than the
// first 900 KiB of DRAM, and a jalr what is within 2 KiB of what some register holds anyway: after every return of a
// function, at least. In the boot ROM, which leads to this code now, nothing can go on.
//
// Of a machine of several harts each has a piece of its own, after their device tree, which stands in the resume ROM,
// too (machine/bootrom.h). All harts begin in the first one's, whose first instructions lead each to its own. A hart
// that waits in wfi executes it again.
//
// What a core keeps to itself is not brought back: caches and TLBs are empty, no reservation of an lr is held
// (so that a sc fails once more), mcycle goes on from where it was, and the sampling unit has no sample.
#ifndef TIPOFF_ISS_RESUME_H
#define TIPOFF_ISS_RESUME_H

#include "iss/iss.h"
#include "machine/harts.h"
#include "machine/htif.h"
#include "machine/peripherals.h"

enum { RESUME_HARTS = 8 }; // at most: they have room
// In machine mode, lets each hart go on to the next place that a jump reaches; returns the instructions and traps
// that took, which is 0 in other modes. At most `most` of each: then resume_image says what is wrong.
uint64_t resume_advance(struct iss *iss, uint64_t most);
// Makes `program` the restored machine: its memory, and the code above, as segments; its entry is the code. 0, or
// -EINVAL with err: a state that cannot be given to a core so (one line: what, and the remedy); or -ENOMEM.
int resume_image(const struct iss *from, struct image *program, struct error *err);
// Whether code there, in machine mode, is the boot ROM's or the resume ROM's: it comes before the restored program.
bool resume_is_rom(uint64_t pc);
// Where the saved machine, of one hart, was goes on: address and mode of its next instruction.
struct resume_place {
    uint64_t pc;
    unsigned privilege;
};
struct resume_place resume_place(const struct iss *from);

// What is outside of the harts.
struct resume_devices {
    struct peripherals peripherals; // without files
    struct plic_further further;
    uint64_t mtime;
    struct {
        uint64_t mtimecmp;
        bool msip;
    } harts[MACHINE_MOST_HARTS];
    struct htif htif; // without files
    unsigned hart_id; // tied to the first hart
};
void resume_devices(const struct iss *from, struct resume_devices *out);

// ---- a machine in lockstep that is to become a checkpoint: what lockstep leaves to the core's own machine ----
// The devices of the checkpoint that the run began with; console input goes on behind what it had read.
void resume_give_devices(struct iss *iss, const struct resume_devices *devices);
void resume_set_time(struct iss *iss, uint64_t mtime, uint64_t cycles); // mcycle counts on by `cycles`
// A byte of console input has been given to the program through its word fromhost.
void resume_received(struct iss *iss);
// The host is about to give this result to the system call whose words stand at that address.
void resume_answered(struct iss *iss, uint64_t words, uint64_t result);
bool resume_possible(const struct iss *iss); // a core can begin right here

#endif
