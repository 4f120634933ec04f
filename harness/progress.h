// How far a run is, and how long it will take: a line that renews itself on a terminal, else one line a minute; and
// once, for a run that takes long (ten seconds on a terminal, else a minute), its length. The time is the caller's, in
// seconds since the run began.
#ifndef TIPOFF_HARNESS_PROGRESS_H
#define TIPOFF_HARNESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// How many instructions the whole run has, about; *more: more than that, nobody knows how many. 0: unknown.
typedef uint64_t progress_length(void *context, bool *more);

struct progress {
    FILE *out; // NULL: nothing is printed
    bool terminal;
    uint64_t max_cycles;     // where the run ends at the latest; UINT64_MAX: there is no such cycle
    progress_length *length; // asked once, of a run that has lasted a second, or ten where no
                             // terminal is; NULL: never
    void *context;
    // its own, 0 at first
    bool asked, more;
    uint64_t total;
    double shown, printed; // when
};

void progress_look(struct progress *p, double seconds, uint64_t cycles, uint64_t instructions);
// Before something else is written there.
void progress_clear(const struct progress *p);

#endif
