// The dynamic control-flow graph of a run: what was executed, as blocks that do not overlap, the edges between them
// with how often each was taken, and from these the routines and their loops (Sabu's thesis, sections 3.3.4 and 3.4.4).
//
//   dcfg_watch -> iss_run ... -> dcfg_of_run -> blocks, edges, loops
//
// Blocks have one entry and one exit: a block of the flow (iss/flow.h) within which another begins is cut there, and an
// edge by which control falls through joins the pieces. A routine begins where a call goes to, where a run begins, and
// where a function's symbol is that another routine jumps to (a tail call); what follows a call in its routine is what
// the call returns to. Loops are natural ones: an edge from a block to a header that dominates it, and all blocks from
// which that edge is reached without the header. Edges that go back to a block that does not dominate them make no
// loop.
#ifndef TIPOFF_METHODS_REGIONS_DCFG_H
#define TIPOFF_METHODS_REGIONS_DCFG_H

#include "analysis/analysis.h"
#include "iss/flow.h"

// COMES_BACK: from a call to what follows it in its routine.
enum dcfg_kind { DCFG_FALLS, DCFG_JUMPS, DCFG_CALLS, DCFG_RETURNS, DCFG_COMES_BACK };
#define DCFG_NONE UINT32_MAX

// What a run did: from `first` on through all up to `after` (the address after the last instruction), then to `to`.
struct dcfg_transition {
    uint64_t first, after, to, times;
    enum dcfg_kind kind; // of the last step; not DCFG_COMES_BACK
};

struct dcfg_block {
    uint64_t pc, after; // its first instruction, and the address after its last one
    uint64_t executions;
    uint32_t routine;     // the first one in which control reaches it, by address; DCFG_NONE: none
    uint32_t dominator;   // in that routine: the immediate one; DCFG_NONE: the block is the routine's entry
    uint32_t loop;        // innermost around it, or DCFG_NONE
    uint32_t edge, edges; // those that leave it: the first, and how many
};
struct dcfg_edge {
    uint32_t from, to; // blocks
    enum dcfg_kind kind;
    uint64_t times; // 0, where a call was not seen to come back
};
struct dcfg_routine {
    uint32_t entry;       // block
    uint64_t irreducible; // edges back to a block that does not dominate where they come from
};
struct dcfg_loop {
    uint32_t header, parent; // block; the loop around it, or DCFG_NONE
    uint32_t routine;
    unsigned depth;               // 1: in no other one of its routine
    size_t blocks;                // in it, with those of loops inside
    uint64_t entries, iterations; // how often its header was come to from outside, and executed
};
struct dcfg { // by address each; edges by block; a loop comes after those around it
    struct dcfg_block *blocks;
    struct dcfg_edge *edges;
    struct dcfg_routine *routines;
    struct dcfg_loop *loops;
    size_t block_count, edge_count, routine_count, loop_count;
    uint64_t traps; // transitions that no instruction makes: interrupts, exceptions and what they come back to
};

// entries: where routines begin besides, by symbol, ascending; of a tail call. NULL: no memory. dcfg_free; NULL is
// fine.
struct dcfg *dcfg_create(const struct dcfg_transition *transitions, size_t count, const uint64_t *entries,
                         size_t entry_count);
void dcfg_free(struct dcfg *d);
uint32_t dcfg_block_at(const struct dcfg *d, uint64_t pc); // that begins there; DCFG_NONE

// Of a bare machine, before its run: false with err: no memory. After it, of all harts together; p: what it executed,
// other code is left out. NULL with err: no memory.
bool dcfg_watch(struct iss *iss, struct error *err);
struct dcfg *dcfg_of_run(const struct iss *iss, const struct program *p, struct error *err);

#endif
