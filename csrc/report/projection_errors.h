// How far the profile that is projected from regions of a run is from the full run's.
#ifndef TIPOFF_REPORT_PROJECTION_ERRORS_H
#define TIPOFF_REPORT_PROJECTION_ERRORS_H

#include "base/error.h"
#include "base/notices.h"
#include <stdbool.h>
#include <stdint.h>

// Parts of all time that are misplaced: the error of `tipoff compare` (analysis.h), after both profiles are scaled to
// the same time, so that a wrong number of cycles is none of it. NAN: not known.
struct projection_error {
    const char *unit;       // "function"
    bool events;            // components are event vectors of the unit; else its time
    double regions;         // the regions' Oracle against the full run's: their choice and their warm-up
    double samples;         // the regions' samples against the full run's Oracle: what a user gets
    double sampling;        // the regions' samples against the regions' Oracle: their sampling alone
    double chance;          // of that: an unbiased profiler's, of as many samples with these weights (Kish 1965)
    double full, by_chance; // the full run's samples against its Oracle; what chance makes of that
};

enum { PROJECTION_ERRORS = 7 };
struct projection_errors {
    uint64_t samples, full_samples; // how many of each
    struct projection_error of[PROJECTION_ERRORS];
};

// projected: a file of samples_project; full: of the full run, of the same program and configuration. Both need samples
// and the Oracle's profile. False with err, of one line.
bool projection_errors(struct projection_errors *e, const char *projected, const char *full,
                       const struct notices *notices, struct error *err);
// Cycles between samples of a file; 0 where it has none in time. False with err.
bool projection_period(const char *full, uint64_t *period, struct error *err);

#endif
