// The flow of control of a machine that runs alone, by basic blocks: each begins after a jump or a branch, taken or
// not, a trap, a system instruction, a write of a CSR, an access outside DRAM, or the end of a page, and ends with the
// next of these; an instruction across two pages is a block of its own. Where one begins within another, the
// instructions that both have count for the one through which control came.
#ifndef TIPOFF_ISS_FLOW_H
#define TIPOFF_ISS_FLOW_H

#include "iss/iss.h"
#include "profile/place.h"

// From now on; slows iss_run. Not beside iss_count. False with err: no memory.
bool iss_watch_flow(struct iss *iss, struct error *err);
// As iss_run, and on to the end of the block in which that ends, so that no block is cut. The number done.
uint64_t iss_run_blocks(struct iss *iss, uint64_t at_least);

// Blocks have numbers from 1 on, in the order in which they were met; place: hart, mode and address space with it.
size_t iss_flow_count(const struct iss *iss);
struct place iss_flow_place(const struct iss *iss, size_t number);
// Each block with what was executed of it since the last call, or since it was first met, each once, in no order. Traps
// are no instructions.
typedef void iss_flow_seen(void *context, size_t number, uint64_t instructions);
void iss_flow_take(struct iss *iss, iss_flow_seen *seen, void *context);
bool iss_flow_whole(const struct iss *iss); // no memory was missing on the way

// Whose instructions count, and how many did, of all harts. Asked once of each block, when it is met: before the first
// run. Without it all count.
typedef bool iss_flow_counts(void *context, struct place block);
void iss_flow_count_by(struct iss *iss, iss_flow_counts *counts, void *context);
bool iss_flow_is_counted(const struct iss *iss, size_t number);
uint64_t iss_flow_counted(const struct iss *iss);

// ---- marks: addresses (virtual, in whatever mode) at which a block begins however control comes there ----
// Each execution of the instruction there is reported, before it, in order; so is one that then traps. mark: its number
// in `pcs`. True: the run ends before it, and when it goes on, it is not reported again. In the callback what was
// executed until then can be taken, and the counts are up to date.
typedef bool iss_flow_marked(void *context, struct hart *hart, size_t mark);
// pcs: ascending, each once; copied. Instead of those before. After iss_watch_flow. False with err: no memory.
bool iss_flow_mark(struct iss *iss, const uint64_t *pcs, size_t count, iss_flow_marked *marked, void *context,
                   struct error *err);
bool iss_flow_stopped(const struct iss *iss); // a mark ended the last run
// In the callback: instructions and traps of all harts since their reset, of the one of the mark up to now.
uint64_t iss_flow_steps(const struct hart *hart);

// ---- edges: which block followed which on its hart, and how often; a run then takes twice as long ----
// Before the first run. False with err: no memory.
bool iss_flow_watch_edges(struct iss *iss, struct error *err);
// event: `from` ended without a jump, with an instruction behind which the simulator looks for interrupts (a system
// instruction, an access outside DRAM or to tohost), or with a trap.
typedef void iss_flow_edges(void *context, size_t from, size_t to, bool event, uint64_t times);
void iss_flow_each_edge(const struct iss *iss, iss_flow_edges *edge,
                        void *context); // in the order in which they were met

#endif
