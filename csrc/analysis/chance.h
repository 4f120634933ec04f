// What chance alone does to a profile of a number of samples, from the Oracle: the error of an unbiased profiler whose
// samples are independent draws of cycles.
//
// A draw gives a component (a unit, and with events its vector) the part x of itself: nothing, all, or, where several
// instructions commit together, their share. Its expectation p is the component's part of the Oracle's time. If x is 0
// or v, the number of draws of N that have it is binomial, of probability p/v, and its mean absolute deviation is known
// in closed form (de Moivre 1730; Diaconis and Zabell, Statistical Science 6, 1991, with m = floor(N p/v) + 1):
//
//     E|X - N p/v| = 2 m C(N, m) (p/v)^m (1 - p/v)^(N - m + 1)
//
// The error is half the sum over all components of v E|X - N p/v| / N. The Oracle's profile says p, but not who
// commits together: v is E[x^2] / E[x] of the samples that have the component (so that x has its first two moments),
// or of all samples where none has. That is exact where v is always the same, as in Stalled, Flushed and Drained.
#ifndef TIPOFF_ANALYSIS_CHANCE_H
#define TIPOFF_ANALYSIS_CHANCE_H

#include "analysis/analysis.h"

struct chance;
// By instruction, block, ...; event_mask as for error_compute. The images stay the caller's. NULL: no memory.
struct chance *chance_create(const struct images *images, enum granularity g, uint16_t event_mask);
void chance_destroy(struct chance *c); // NULL is fine
// A sample, or several alike: as many draws as they stand for triggers; units: U. False: no memory.
bool chance_add(struct chance *c, uint32_t units, const struct sample *sample, uint64_t draws);

struct chance_estimate {
    double draws;     // triggers that the samples stand for; 0: nothing is known
    double error;     // expected, as a part of all time
    double deviation; // standard deviation of the error from one profile to the next: those that commit together are
                      // taken for one, all others for independent (so with many components it is rather too large)
};
// Against the Oracle's rows. False: no memory.
bool chance_of(const struct chance *c, const struct profile_row *reference, size_t count,
               struct chance_estimate *result);
// E|X - Np| of a binomial X. draws: 1 or more; probability: 0..1.
double chance_binomial(double draws, double probability);

#endif
