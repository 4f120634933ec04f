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

#endif
