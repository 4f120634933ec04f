// Lockstep: every instruction that the simulated core commits is executed by the golden ISS and compared.
//
// Open, step, error, close. What the ISS cannot know (counters, time, device reads, when an interrupt comes) is taken
// over from the core; the one table of such places is in cosim_takeover.c.
#ifndef TIPOFF_COSIM_COSIM_H
#define TIPOFF_COSIM_COSIM_H

#include "base/elf.h"
#include "base/error.h"
#include "iss/iss.h"
#include "trace/cycle.h"
#include <stdio.h>

struct cosim;

// What the core has of what the ISS must do alike.
struct cosim_core {
    bool fp;              // F and D
    unsigned pmp_entries; // regions of physical memory protection
    bool window;          // indirect access to registers
    unsigned ctr_depth;   // control transfer records; 0: none
    bool profileme;       // ProfileMe's registers
    unsigned triggers;    // on addresses; 0: none
    bool ad_update;       // sets A and D of page-table entries
    unsigned hart_id;     // what mhartid reads
    unsigned harts, hart; // of its machine, 0: one; which of them it is
    uint64_t memory;      // bytes of DRAM; 0: DRAM_BYTES
};

// Of a hart whose memory others store to: the ISS's own memory is what this hart has been proved to see, and whoever
// proves it is asked about each instruction.
struct cosim_shared {
    void *context;
    // Before the instruction, which the core has retired: what it has to load from memory, and the code and the entries
    // of page tables that it may have seen, are brought into the ISS's. Before an exception: likewise.
    void (*before)(void *context, const struct retired *core, struct iss *iss, struct hart *hart);
    void (*before_trap)(void *context, const struct trapped *trap, struct iss *iss, struct hart *hart);
    // After it: step is what the ISS did, with the core's value of what it loaded. 0, or -EBADMSG with err.
    int (*after)(void *context, uint64_t cycle, const struct iss_retire *step, struct error *err);
};

// The image is loaded into the ISS's own memory; it need not live on.
struct cosim *cosim_create(const struct image *image, const struct cosim_core *core, struct error *err);
void cosim_destroy(struct cosim *cosim);
// Before the first cycle. An SC that fails in the core then does in the ISS, too: it may at any time.
void cosim_share(struct cosim *cosim, const struct cosim_shared *shared);
// Executes and compares what retired and trapped in this cycle, in this privilege mode. 0, or -EBADMSG at the first
// difference: err is one line with cycle, lane, pc, what differs, expected and got. After a difference the ISS is of no
// more use.
int cosim_cycle(struct cosim *cosim, uint64_t cycle, uint8_t privilege, const struct trace_left *left,
                struct error *err);
void cosim_begin(struct cosim *cosim);                  // restarts the count, and compares as before
uint64_t cosim_instructions(const struct cosim *cosim); // compared so far
uint64_t cosim_traps(const struct cosim *cosim);

// The golden hart, and what it did in the last cycle that was executed: for other checks. Lives as long as cosim.
struct golden {
    const struct iss *iss;    // its machine
    const struct hart *hart;  // of that, the one in lockstep
    struct iss_registers now; // of it
    uint64_t cycle;           // of the steps
    unsigned count;
    bool plain;                            // all steps are (iss_retire.plain). False: nothing is known
    struct iss_retire step[MAX_LANES + 1]; // one for each retired instruction, then the trap's
};
const struct golden *cosim_golden(const struct cosim *cosim);
// Whether the destination register of this step got what only the core can know, and was given to the ISS after it.
bool cosim_takes_over_rd(const struct iss_retire *step); // cosim_takeover.c
// The last instructions before a difference, disassembled, oldest first.
void cosim_print_history(const struct cosim *cosim, FILE *out);

#endif
