// What looks at the cycles of a trace: the Oracle, the profilers, and the sampling that all of them share.
#ifndef TIPOFF_IMPORT_WATCH_H
#define TIPOFF_IMPORT_WATCH_H

#include "base/error.h"
#include "profile/sampling_settings.h"
#include "records.h"
#include "samples/samples.h"
#include <stdbool.h>
#include <stdint.h>

struct watch_settings {
    const char *path;                  // that errors name
    struct sampling_settings sampling; // period 0: nobody samples
    unsigned width, rob_entries;       // lanes, 1..MAX_LANES; 1 at least
    unsigned shows;                    // enum import_shows: profilers that need what is not shown are left out
    struct samples_writer *writer;     // gets the samples
};
struct watch;
struct watch *watch_create(const struct watch_settings *settings, struct error *err); // NULL with err
void watch_destroy(struct watch *w);                                                  // NULL is fine
// `count` equal cycles from `cycle` on, in order; more than one only where nothing commits, excepts or dispatches.
bool watch_show(void *watch, const struct commit_bundle *bundle, uint64_t cycle, uint64_t count, struct error *err);
// The rule of a bundle (docs/guide/integration.md) that this next one breaks; 0: none.
unsigned watch_rule_broken(const struct watch *w, const struct commit_bundle *bundle);
// After the last cycle. 0, or a negative errno with err.
int watch_finish(struct watch *w, struct error *err);
bool watch_add_profiles(struct watch *w, struct error *err); // to the file, after watch_finish

struct watch_counts {
    uint64_t cycles, retired, mispredictions, traps, replays, flushes, samples, triggers;
};
const struct watch_counts *watch_counts(const struct watch *w);
double watch_state_cycles(const struct watch *w, unsigned state, unsigned width);

#endif
