// How exact a sampled profile is: the time of units, their states and events with its standard deviation, from the
// samples one by one.
//
// A sample i stands for c_i cycles; the share x_i of them is a component's (docs/guide/profiling.md: lanes in equal
// parts). With T the sum of all c_i and p = sum of c_i x_i / T, the time is pT, and its variance that of a ratio
// estimate from n independent samples: n/(n-1) * sum of c_i^2 (x_i - p)^2 (Cochran, Sampling Techniques, 3rd ed.,
// section 2.11). Samples one period apart are not independent: beats between period and loop are no part of it. A
// random period
// (--jitter) breaks them up.
#ifndef TIPOFF_ANALYSIS_SPREAD_H
#define TIPOFF_ANALYSIS_SPREAD_H

#include "profile/place.h"
#include "samples/sample_store.h"

// What of a unit's time: all of it, that in one state, that under vectors with one event.
enum { SPREAD_TIME = 0, SPREAD_STATES = 1, SPREAD_EVENTS = SPREAD_STATES + STATE_COUNT };
enum { SPREAD_COMPONENTS = SPREAD_EVENTS + 16 };

// The address of a lane whose time is nobody's, and not of all together either, though its sample counts.
#define SPREAD_LEFT_OUT (PROFILE_PC_END - 1)

struct spread;
// The unit of a place: 0 .. units - 1, or `units` for none of them.
typedef size_t spread_unit(void *context, struct place place);
// NULL: no memory. `unit` and its context have to live as long as samples are added.
struct spread *spread_create(size_t units, spread_unit *unit, void *context);
void spread_destroy(struct spread *s); // NULL is fine
void spread_add(struct spread *s, const struct samples_header *header, const struct sample_record *record);
// The same of all samples of a file, in their order, much faster. False: no memory.
bool spread_add_all(struct spread *s, const struct samples_header *header, const struct sample_store *samples);

struct estimate {
    double cycles;
    double deviation; // standard deviation of cycles; 0 with fewer than two samples
    uint64_t samples; // those that show it
};
// Of a unit, or of all places together (SPREAD_ALL).
#define SPREAD_ALL SIZE_MAX
struct estimate spread_of(const struct spread *s, size_t unit, unsigned component);

#define SPREAD_HALF_WIDTH 1.96 // standard deviations on either side of an interval: 95 % of a normal distribution
enum { SPREAD_PERCENT = 95 };  // ... which is this
enum { SPREAD_FEW = 10 };      // samples below which an estimate is marked and no change judged: far from normal

// Two-sided probability of a difference at least that great by chance, both sides being estimates: normal
// distribution. 1 where there is no difference, 0 where there is one and nothing is estimated.
double spread_chance(double difference, double deviation);

// Probability, two-sided, that two sets of samples of one kind differ at least so much in how many of them have
// something: `a_with` of `a` and `b_with` of `b`. Fisher's exact test (Statistical Methods for Research Workers,
// section 21.02), the smaller tail doubled.
double spread_same_share(uint64_t a_with, uint64_t a, uint64_t b_with, uint64_t b);

// Which of `count` probabilities, each the chance of one difference, are beyond chance: at most `rate` of those marked
// are expected to be chance after all (Benjamini and Hochberg, J. R. Statist. Soc. B 57, 1995). NAN: not judged. False:
// no memory.
bool spread_beyond_chance(const double *chances, size_t count, double rate, bool *marked);

#endif
