// Where a run on the ISS stops for its checkpoint: the texts of --at, and when they are reached.
#ifndef TIPOFF_CLI_STOP_H
#define TIPOFF_CLI_STOP_H

#include "base/position.h"
#include "iss/iss.h"

struct stop {
    bool wanted;        // else the run stops nowhere
    struct position at; // a cycle: instructions and traps
    uint64_t left;      // arrivals at the place that are still to come
    bool marked;
};

// One of POSITIONS_ON_ISS; false with err. image may be NULL: no symbols.
bool stop_parse(struct stop *stop, const char *text, const struct image *image, struct error *err);
bool stop_needs_steps(const struct stop *stop); // it is found step by step alone
bool stop_at_marker(const struct stop *stop);
uint64_t stop_limit(const struct stop *stop, uint64_t max); // steps that a run of `max` may take at most
// next: the hart of the next step; NULL: no next step.
bool stop_reached(const struct stop *stop, const struct hart *next, uint64_t done);
// After a step, or a run of several (retire NULL).
void stop_after(struct stop *stop, struct iss *iss, const struct iss_retire *retire);

#endif
