// How sure the shares of a sampled profile are: standard deviations by unit, and what chance does to the whole
// profile. Not for other libraries.
#ifndef TIPOFF_REPORT_CONFIDENCE_H
#define TIPOFF_REPORT_CONFIDENCE_H

#include "analysis/spread.h"
#include "report/run.h"
#include "report/units.h"

struct confidence;
struct beats;
// Of a profile by samples; made once, and the run's. NULL with err: no memory.
const struct confidence *run_confidence(const struct run *d, enum granularity g, struct error *err);
// ... of a kind of units: the caller's. NULL with err: no memory.
struct confidence *confidence_create_by(struct units *units, struct error *err);
void confidence_destroy(struct confidence *c);                 // NULL is fine
const struct run *confidence_data(const struct confidence *c); // what it was made of
// Of a unit, by its place (unit_of) or its number among `units`; as spread_of.
struct estimate confidence_of(const struct confidence *c, struct place unit, unsigned component);
struct estimate confidence_of_number(const struct confidence *c, size_t unit, unsigned component);
// The part of all time that is at another unit by chance alone, on average: half the sum of the mean absolute
// deviations, which of a normal distribution are sqrt(2 / pi) standard deviations.
double confidence_by_chance(const struct confidence *c);
// The part of all time that is at units which one sample each has shown: about that of units that none has (Good, The
// population frequencies of species, Biometrika 40, 1953).
double confidence_unseen(const struct confidence *c);
// What of the time keeps step with the triggers. NULL: not known, as of units that are none of a granularity; or no
// triggers of that kind do (beats_possible).
const struct beats *confidence_beats(const struct confidence *c);

#endif
