// What of a run is measured: the stages that a run goes through, and its two edges.
//
//   LOADS    a checkpoint's state is being loaded: no instruction of the program has run
//   WAITS    the program runs, up to the end of its warm-up or to the first position
//   COUNTS   time counts
//   OVER     time counts no more; who owns the last of it may still be unknown
//   CLOSED   an instruction has left since then
//
// An edge is met inside the model's clock edge; what it asks of the model is done between two cycles (region_due).
//
// Of several harts an edge is all harts': each counts what commits on it, and between their turns all agree on the
// cycle in which the sum is reached (region_agree), which is up to two turns after the commit that reached it.
#ifndef TIPOFF_HARNESS_REGION_H
#define TIPOFF_HARNESS_REGION_H

#include "base/elf.h"
#include "harness/memory.h"
#include "records.h"

enum region_stage { REGION_LOADS, REGION_WAITS, REGION_COUNTS, REGION_OVER, REGION_CLOSED };
enum region_edge_kind { REGION_BEGIN, REGION_END, REGION_EDGES };
// Bits of what a cycle has met.
enum { REGION_ENTERS = 1, REGION_BEGINS = 2, REGION_ENDS = 4 };

struct region_options {
    const char *from, *to; // POSITIONS_COMMITTED (base/position.h), or NULL: reset, the end
    uint64_t warmup;       // instructions that run before the first edge
    bool loads;            // the run begins with a checkpoint's state, which does not count
    bool together;         // it is one of several harts: positions and warm-up belong to all of them
};
// What all harts have done so far: the sum of region_add_share.
struct region_share {
    uint64_t warmed;            // instructions before the first edge
    uint64_t met[REGION_EDGES]; // executions of the edges' places; of the last one without a count: in the region
};
struct region_edge {
    uint64_t cycle;              // of BEGIN: the first that counts; of END: the first that counts no more
    unsigned committed;          // instructions in that cycle
    uint64_t instructions;       // before it; the caller's, as is:
    struct memory_counts memory; // accesses before it
};

struct region;
// NULL with err: an edge is none, or they are exchanged, or there is no memory.
struct region *region_create(const struct region_options *options, const struct image *image, struct error *err);
void region_destroy(struct region *r); // NULL is fine

enum region_stage region_stage(const struct region *r);
uint64_t region_warmed(const struct region *r);           // instructions of the warm-up that have run
bool region_limited(const struct region *r);              // it has a position
bool region_watches(const struct region *r);              // cycles may change it
unsigned region_committed(const struct commit_bundle *b); // instructions of a cycle
// A cycle; between two cycles, `now` being the next. What they have met, to be passed to others at once.
unsigned region_cycle(struct region *r, uint64_t cycle, const struct commit_bundle *b);
unsigned region_between(struct region *r, uint64_t now);
// The edge that was met and is not done yet, BEGIN first; REGION_EDGES: none. And: that one is done.
enum region_edge_kind region_due(const struct region *r);
void region_done(struct region *r);
bool region_counts(const struct region *r); // its beginning is done, its end is not met
struct region_edge *region_edge(struct region *r, enum region_edge_kind kind);
// The run is over before anything counts: the empty region at its end, which is no stage.
void region_empty(struct region *r, uint64_t cycles);
// Of several harts, between their turns; cycle: the next one of this hart, which is the same of each. Nothing where no
// edge is open.
bool region_is_open(const struct region *r);
void region_add_share(const struct region *r, struct region_share *sum);
void region_agree(struct region *r, const struct region_share *sum, uint64_t cycle);
// The first cycle before `until`, behind `now`, that an edge is known to lie at; else until.
uint64_t region_next(const struct region *r, uint64_t now, uint64_t until);

#endif
