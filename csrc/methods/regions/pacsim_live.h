// A run that is sampled while it goes on: its regions, from marker to marker, each in detail or not as Pac-Sim says
// (pacsim.h). Markers (Sabu's thesis, 5.3.1): a region ends at a barrier, if it is long enough by then and not yet too
// long, else at the first loop beyond that: where a branch is taken, or a jump within a function, to a place before
// itself (RISC-V's compilers close loops by either).
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_LIVE_H
#define TIPOFF_METHODS_REGIONS_PACSIM_LIVE_H

#include "iss/iss.h"
#include "methods/regions/pacsim.h"
#include <signal.h>

// What simulates in detail.
struct pacsim_engine {
    void *context;
    // A region begins at the present state of the machine; number: from 0 on. NULL: nothing is to be done. False with
    // err.
    bool (*begin)(void *context, struct iss *iss, size_t number, bool detailed, struct error *err);
    // Its next instruction or trap, done by the machine and seen by the model. NULL: no hart will ever go on. *fault:
    // no memory. The member NULL: the machine goes on alone in detail, too.
    struct hart *(*step)(void *context, struct iss *iss, bool detailed, struct iss_retire *out, bool *fault);
    bool always; // also of regions that are not simulated in detail: they warm up the model
    // The region ended; steps: its instructions and traps; *cycles: what it took, if that is known now.
    bool (*end)(void *context, size_t number, bool detailed, uint64_t steps, double *cycles, struct error *err);
};

enum pacsim_phase { PACSIM_FAST, PACSIM_DETAIL, PACSIM_ANALYSIS, PACSIM_PHASES };
#define PACSIM_PHASE_NAMES "fast-forward", "detail", "analysis"

struct pacsim_live {
    uint64_t least, most;     // instructions and traps of a region: for barriers, for loops. least: 1 to most
    bool markers;             // without: regions of `most`
    uint64_t max;             // end after as many instructions and traps
    const uint64_t *barriers; // addresses that each begin a region; NULL: none
    size_t barrier_count;
    bool (*same_function)(void *names, uint64_t a, uint64_t b); // NULL: not known, so each jump backward is a loop
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
