// A core of a run: a model with its DPI context, what samples and counts it, its workers, and the machine around it.
//
// It goes through its phases in this order; a function of one core may be called in any thread, but in one at a time,
// and cores do not touch each other. Those that are harts of one machine share it: with core_apart, each may have its
// turn while others have theirs, and else one at a time:
//
//   core_create -> core_load -> core_outputs_creatable -> core_set_up -> core_turn ... -> core_finish -> core_destroy
#ifndef TIPOFF_HARNESS_CORE_H
#define TIPOFF_HARNESS_CORE_H

#include "harness/simulation.h"

struct core;
struct core_place {
    unsigned number, count; // of `count` cores, 0 for the first; with several of them messages about each name it
    bool harts;             // they are the harts of one machine, whose memory and devices the first one owns:
    struct core *first;     // NULL: this one; it lives longer, and does each phase before
};
// options live on. err gets the line of whatever goes wrong, later too. NULL with err: no memory.
struct core *core_create(const struct simulation_options *options, const struct core_place *place, struct error *err);
void core_destroy(struct core *c); // NULL is fine

// False with err: then core_failure is the exit status.
bool core_load(struct core *c);              // everything that is read, before anything is written
bool core_outputs_creatable(struct core *c); // touches none of them
bool core_set_up(struct core *c);            // out of reset, with all that watches
int core_failure(const struct core *c);      // the exit status that a failure stands for; 0: none

// What makes its model leave a run of cycles early; a signal handler may set it.
volatile int *core_stop(struct core *c);

// ---- by turns, after core_set_up ----
bool core_runs(const struct core *c); // nothing has ended it: no exit, failure, limit or signal
// Runs it for some cycles, at most up to cycle `until`, which is greater than core_cycles; then does what they ask for
// between two cycles. Ends a little behind `until` where units are programmed.
void core_turn(struct core *c, uint64_t until);
uint64_t core_cycles(const struct core *c);       // so far
uint64_t core_instructions(const struct core *c); // so far
// The first cycle from core_cycles on in which it may do anything that another core, or a device, can see: until then
// nothing is on its way from it, and it would wait as it does now if its model were not run. Today no core knows that
// of itself: it is core_cycles. Skipped cycles and links between tiles ask here (harness/schedule.h), and nowhere else.
uint64_t core_quiet_until(const struct core *c);
// Turns of this hart touch what is its own alone: what passes between it and the others waits for core_advance.
bool core_apart(const struct core *c);
// Of the harts of one machine, between two turns: what they have done reaches the machine. Where its program has ended,
// or cannot go on, or one of them runs no more, all stop some cycles later, each in the same one.
void core_advance(struct core *const *harts, unsigned count);
// All have stopped: what is to be checked of them is, and memory gets what was on its way between them.
void core_stopped(struct core *const *harts, unsigned count);
// What is due once in a second: the samples so far go to the file, so that a run that is killed loses no more.
void core_flush(struct core *c);
// The run is over: comparisons, files, summary. Seconds of wall time are those of its turns. The exit status.
int core_finish(struct core *c, double seconds);

#endif
