// A reorder buffer kept beside the core's, from what dispatches, what commits and when the front end is redirected: the
// pc, valid, oldest, rob_empty, mispredict, flush and first of a bundle are compared with it instead of believed.
//
// Which entries a redirect leaves alive is seen in the cycle after it, from the index that the next one gets: the
// youngest that is left is the branch that caused it. What the ISS adds: the address at which execution really went on
// after each instruction. The rules, in every cycle:
//   1  the ROB is empty, its oldest lane, its valid lanes and their addresses are as dispatch, redirect and commit say
//   2  a redirect follows an exception or a flush in the cycle after, or is the doing of one mispredicted branch
//   3  an instruction commits as mispredicted if and only if a redirect was its doing
//   4  ... which it is not where the first instruction dispatched after it was the right one (ISS), and is where that
//      was a wrong one
//   5  an instruction commits with flush if and only if tables/instructions.tsv or csrs.tsv have it
//   6  nothing dispatches in the cycle of a redirect or of an exception, or past the end of the ROB
#ifndef TIPOFF_WORKERS_SHADOW_H
#define TIPOFF_WORKERS_SHADOW_H

#include "cosim/cosim.h"

struct shadow_left {     // an instruction that leaves the ROB in this cycle
    uint64_t dispatched; // cycle
    uint64_t headed;     // first cycle in which it was the oldest
    unsigned lane;
};

// What others may know of it (worker_view.shadow).
struct shadow_view {
    uint64_t cycle; // of `left`
    unsigned count; // committed in it, oldest first; or the one that excepted; often 0
    struct shadow_left left[MAX_LANES];
    uint64_t squashed; // last cycle in which a mispredicted branch killed younger instructions; 0: none yet
};

struct shadow_difference {
    const char *what;
    uint64_t expected, got;
};

struct shadow;
struct shadow *shadow_create(unsigned width, unsigned entries, bool fcsr_flush, struct error *err); // NULL with err
void shadow_destroy(struct shadow *s);
// The next cycle that is shown; golden: after its steps, or NULL: rules 4 and 5 are left out. False: it differs.
bool shadow_cycle(struct shadow *s, uint64_t cycle, const struct commit_bundle *b, const struct golden *golden,
                  struct shadow_difference *difference);
const struct shadow_view *shadow_view(const struct shadow *s);

#endif
