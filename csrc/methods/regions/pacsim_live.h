// A run that is sampled while it goes on: its regions, from marker to marker, each in detail or not as Pac-Sim says
// (pacsim.h). Markers (Sabu's thesis, 5.3.1): a region ends at a barrier, if it is long enough by then and not yet too
// long, else at the first loop beyond that: where a branch is taken, or a jump within a function, to a place before
// itself (RISC-V's compilers close loops by either).
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_LIVE_H
#define TIPOFF_METHODS_REGIONS_PACSIM_LIVE_H

#include "iss/iss.h"
#include "methods/regions/pacsim.h"
#include <signal.h>

// What was done; hart: its number. True: the run ends after it.
typedef bool pacsim_stepped(void *context, unsigned hart, const struct iss_retire *retire);

// What simulates in detail.
struct pacsim_engine {
    void *context;
    // A region begins at the present state of the machine; number: from 0 on. NULL: nothing is to be done. False with
    // err.
    bool (*begin)(void *context, struct iss *iss, size_t number, bool detailed, struct error *err);
    // Instructions and traps of the region, `most` at most, done by the machine and seen by the model, each then by
    // `stepped`. False with err. NULL: the machine goes on alone in detail, too.
    bool (*run)(void *context, struct iss *iss, bool detailed, uint64_t most, pacsim_stepped *stepped, void *with,
                struct error *err);
    bool always; // also of regions that are not simulated in detail: they warm up the model
    // It ended. Sets its `cycles`, if they are known now. NULL: nothing is to be done. False with err.
    bool (*end)(void *context, struct iss *iss, size_t number, struct pacsim_region *region, struct error *err);
    // Called when about `ahead` instructions and traps are left to the region's end, if ahead is not 0: where the next
    // one may have to be warmed up from, which is `number`. False with err.
    bool (*near_end)(void *context, struct iss *iss, size_t number, struct error *err);
    uint64_t ahead;
};

enum pacsim_phase { PACSIM_FAST, PACSIM_DETAIL, PACSIM_ANALYSIS, PACSIM_PHASES };
#define PACSIM_PHASE_NAMES "fast-forward", "detail", "analysis"

struct pacsim_live {
    uint64_t least, most;     // instructions and traps of a region: for barriers, for loops. least: 1 to most
    bool markers;             // without: regions of `most`
    uint64_t max;             // end after as many instructions and traps
    const uint64_t *barriers; // addresses of barriers, ascending; NULL: none
    size_t barrier_count;
    // Whether what goes back from pc to target, a jump or a branch, closes a loop of the program: a jump may go to
    // another function, and what waits for another hart is no loop to be counted. NULL: it does.
    bool (*closes)(void *names, uint64_t pc, uint64_t target, bool jump);
    void *names;
    const volatile sig_atomic_t *stop; // not 0: end after this region (base/signals.h); or NULL
    const struct pacsim_engine *engine;
    double seconds[PACSIM_PHASES]; // out
    size_t exceptions;             // out: regions that found no marker in twice their length, and were ended there
};

// Whether this is a marker of a loop, that is, whether what begins at out->next_pc is one's next turn.
bool pacsim_is_loop(const struct pacsim_live *l, const struct iss_retire *out);
// Runs a machine that is loaded, on to its end. 0, or a negative errno with err: no memory, or the engine said no.
int pacsim_live_run(struct pacsim_live *l, struct pacsim *p, struct iss *iss, struct error *err);

#endif
