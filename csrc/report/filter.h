// What of a run is shown: the time of some modes, of one process, below some functions, or without what is below
// others. Applied once, when the run is opened; every view and format shows what is left.
//
// An instruction is below the function that has it, below those it was inlined from, and below all its callers. Where
// callers are not known (the run kept no more stacks) it is below what has it alone. All tests hold together; of
// several functions to focus on one is enough, of several to ignore, too. The end of the run is no one's: it is left
// out.
#ifndef TIPOFF_REPORT_FILTER_H
#define TIPOFF_REPORT_FILTER_H

#include "analysis/spread.h"
#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The place of a sample's lane that is left out; no row of a profile that is shown has it.
#define FILTER_CUT SPREAD_LEFT_OUT

enum { FILTER_FUNCTIONS = 16 };
struct report_filter { // of all zeros: everything is shown
    unsigned modes;    // bit of each enum place_mode; 0: all
    const char *process;
    const char *focus[FILTER_FUNCTIONS], *ignore[FILTER_FUNCTIONS];
    size_t focus_count, ignore_count;
};

struct run;
bool filter_is_set(const struct report_filter *f);
// To the run's rows and samples, after its images are open. False with err: no memory, no such process or function, or
// the file does not keep what is asked for.
bool filter_apply(struct run *d, const struct report_filter *f, struct error *err);
// "user mode, below main, without memset": what is shown.
void filter_words(const struct run *d, char *text, size_t size);
// One line: what is shown, and which share of all time that is. Only where there is a filter.
void filter_share_words(const struct run *d, char *text, size_t size);

#endif
