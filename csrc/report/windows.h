// The run cut into windows of time, and these into phases: `tipoff report --by window`. Not for other libraries.
//
// A phase is a row of windows that are alike: the next window begins another one if a state, an event or a function has
// more or less of its time than of the phase up to there, by PHASE_LEAST at least and beyond chance. Chance is that of
// the samples, by Fisher's exact test; that any of a run's phases begins by chance has a probability of PHASE_LEVEL at
// most (Bonferroni).
#ifndef TIPOFF_REPORT_WINDOWS_H
#define TIPOFF_REPORT_WINDOWS_H

#include "analysis/spread.h"
#include "report/formats.h"

enum {
    WINDOWS = 20,         // unless asked for others
    WINDOWS_MOST = 4096,  // of a run
    WINDOW_FUNCTIONS = 30 // those with most time, which a window lists
};
#define PHASE_LEVEL 0.05
#define PHASE_LEAST 0.05 // of the time

struct window {
    uint64_t first, end;   // cycles of what was sampled: end is the next one's first
    size_t phase;          // 1, 2, ...
    struct spread *spread; // by function's number
};

struct windows {
    const struct run *data;
    uint64_t cycles; // of each but the last
    size_t count, phases, function_count;
    struct place functions[WINDOW_FUNCTIONS]; // unit_of, longest of the run first
    struct window *list;
};

// False with err: the profile is not of samples, there would be more than WINDOWS_MOST, or no memory. To be freed in
// either case.
bool windows_create(struct windows *w, const struct run *d, const struct report_options *o, struct error *err);
void windows_free(struct windows *w);

// What of a window's time: SPREAD_TIME, a state or an event (analysis/spread.h).
struct estimate window_of(const struct windows *w, size_t window, unsigned component);
struct estimate window_function(const struct windows *w, size_t window, size_t function);
// The function with most of its time; function_count: none of those has any.
size_t window_hottest(const struct windows *w, size_t window);

report_writer report_windows;

#endif
