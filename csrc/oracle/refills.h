// What a misprediction costs: more than the cycles in which the ROB is empty, which TIP books to the branch. After it
// the first instructions of the correct path need the length of the pipeline before any of them can commit; that time
// is Stalled, and booked to the first of them (design 1, section 2c).
//
// Of a mispredicted branch B and F, the next instruction that leaves the ROB:
//   d_B, d_F  cycles in which they enter it; c_B, c_F: in which they leave it; h_F: the first in which F is the oldest
//   flushed = h_F - c_B - 1        the ROB is empty: Flushed, booked to B
//   waited  = c_F - h_F            Stalled, booked to F; and the cycle c_F itself, where F excepts
//   shadow  = min(flushed + waited, d_F - d_B) - flushed
// Predicted right, F would have entered the ROB with B or after it, d_F - d_B cycles earlier: more than these the
// misprediction cannot cost, however long F then waits for reasons of its own. (Interval analysis has the same bound:
// the time from the branch's entry to that of the first correct instruction. Eyerman, Smith, Eeckhout: Characterizing
// the branch misprediction penalty, ISPASS 2006.) What a misprediction costs behind F's commit, while the ROB fills, is
// not in it; with that, it is
//   late    = d_F - d_B            at most, if no other work overlaps it (interval analysis again)
//
// An instruction that flushes the pipeline each time it executes (a write of the floating-point flags, fence.i) is
// followed by the same refill, and the same holds with it in the place of B: without its flush F would have entered
// with it or after it. Traps are not counted: what one costs is its handler, too, which no shorter pipeline saves.
#ifndef TIPOFF_ORACLE_REFILLS_H
#define TIPOFF_ORACLE_REFILLS_H

#include "base/error.h"
#include "profile/pair_table.h"

enum refill_count { REFILL_TIMES, REFILL_FLUSHED, REFILL_SHADOW, REFILL_LATE }; // of pairs (B, F): how often; cycles

struct refill_leaves { // an instruction that leaves the ROB
    struct place place;
    uint64_t dispatched, headed; // cycles: it entered the ROB; it was the oldest for the first time
    bool mispredict;             // it commits, and was mispredicted
    bool flush;                  // it commits, and flushes the pipeline
    bool exception;              // it does not commit
};

struct refills;
struct refills *refills_create(struct error *err); // NULL with err
void refills_destroy(struct refills *r);           // NULL is fine
// All that leave in this cycle, oldest first. 0, or -ENOMEM with err.
int refills_step(struct refills *r, uint64_t cycle, const struct refill_leaves *list, unsigned count,
                 struct error *err);
void refills_begin(struct refills *r, uint64_t cycle); // counts time from this cycle on
void refills_end(struct refills *r);                   // what follows does not count: a pair that is open is left out
// By (B, F): enum refill_count; of mispredicted branches, and of instructions that flush.
const struct pair_table *refills_pairs(const struct refills *r);
const struct pair_table *refills_flushes(const struct refills *r);

#endif
