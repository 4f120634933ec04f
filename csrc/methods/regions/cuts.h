// A run in time, cut at the regions that stand for it: how long each took within the whole run. What they add up to,
// times their multipliers, is the best that regions can say of the run: their cores are as warm as they can be
// ("perfect" warm-up), so that what is wrong is their choice alone.
#ifndef TIPOFF_METHODS_REGIONS_CUTS_H
#define TIPOFF_METHODS_REGIONS_CUTS_H

#include "methods/regions/regions_file.h"

struct cut {
    uint64_t from, to;             // time, in whatever unit
    uint64_t from_steps, to_steps; // instructions and traps of all harts before
    bool begun, ended;             // its edges have been met
};

struct cuts;
// f: borrowed. An edge that is a marker is met with that execution, on whichever hart; any other one when as many
// instructions and traps are done as before it when the regions were found. NULL with err: no memory.
struct cuts *cuts_create(const struct regions_file *f, struct error *err);
void cuts_destroy(struct cuts *c); // NULL is fine
// Before each instruction and trap of the run, in order; time: now, on its hart. executed: the instruction at pc is
// tried, which no interrupt comes before.
void cuts_step(struct cuts *c, uint64_t pc, bool executed, uint64_t time);
void cuts_end(struct cuts *c, uint64_t time); // the run is over: of the last region, too
const struct cut *cuts_of(const struct cuts *c, size_t region);
uint64_t cuts_steps(const struct cuts *c); // so far

#endif
