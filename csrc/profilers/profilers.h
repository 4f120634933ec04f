// Rival profilers (of TIP, MICRO 2021, and TEA, ISCA 2023), fed with the same commit bundles and sampled in the same
// cycles.
//
// A sample stands for all cycles since the sample before it (the first: since cycle 0, or profilers_begin). What comes
// after the last sample is in no profile. Rows: weight in 1/U cycles; samples whose instruction never came are
// PROFILE_PC_END. Another profiler is one file and one line in registry.c.
#ifndef TIPOFF_PROFILERS_PROFILERS_H
#define TIPOFF_PROFILERS_PROFILERS_H

#include "base/error.h"
#include "profile/place.h"
#include "profile/profile_table.h"
#include "records.h"

size_t profilers_count(void);
const char *profilers_name(size_t i); // "TIP", "NCI", ...
uint16_t profilers_events(size_t i);  // events that its rows distinguish, as a vector; 0: none

struct profilers;
// width: commit width, 1..MAX_LANES. rob_entries: of the ROB, at least 1. tags: instructions that each tagging profiler
// may have in flight, 1..PROFILERS_TAGS; a sample that finds as many is lost as if its tag were squashed. Units of
// today's machines have one or two.
enum { PROFILERS_TAGS = 512 };
struct profilers *profilers_create(unsigned width, unsigned rob_entries, unsigned tags, struct error *err);

// For what compares a profiler with hardware, sample by sample: a sample weighs 1, whatever time it stands for, and
// each booking is emitted in the cycle in which it is known. There are no rows then, and no profilers_finish.
struct profiler_booking {
    size_t profiler; // its number
    struct place place;
    unsigned state, psv;
    uint64_t weight; // samples
};
struct profilers_watch {
    void (*booked)(void *context, const struct profiler_booking *booking);
    void *context;
    unsigned tags; // as of profilers_create
};
struct profilers *profilers_create_watched(unsigned width, unsigned rob_entries, const struct profilers_watch *watch,
                                           struct error *err); // watch: copied
void profilers_destroy(struct profilers *p);                   // NULL is fine

// Every cycle, in order; `cycles` > 1 only for equal cycles in which nothing commits, excepts or dispatches.
void profilers_step(struct profilers *p, const struct commit_bundle *bundle, uint64_t cycles);
// The time that samples stand for begins with this cycle, before which none was taken.
void profilers_begin(struct profilers *p, uint64_t cycle);
// A sample is taken of `cycle`, whose bundle this is: called after the step of that cycle, or, where it is one of a run
// of unchanged cycles that is delivered later, before it.
void profilers_sample(struct profilers *p, const struct commit_bundle *bundle, uint64_t cycle);
// End of a run of `cycles` cycles: closes what is open. -ENOMEM, or -EBADMSG if a profile does not add up to the time
// that was sampled.
int profilers_finish(struct profilers *p, uint64_t cycles, struct error *err);

// Rows of profiler i by pc, context, state, psv; state is STATE_COUNT and psv 0 where it does not know them. They live
// until the next call.
const struct profile_row *profilers_rows(struct profilers *p, size_t i, size_t *count);

#endif
