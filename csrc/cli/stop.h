// Where a run on the ISS stops for its checkpoint: the texts of --at, and when they are reached.
#ifndef TIPOFF_CLI_STOP_H
#define TIPOFF_CLI_STOP_H

#include "iss/iss.h"

enum stop_kind { STOP_NEVER, STOP_AFTER, STOP_ADDRESS, STOP_MARKER };
struct stop {
    enum stop_kind kind;
    uint64_t number; // instructions and traps; or an address; or a marker, 0: any
    uint64_t left;   // arrivals at the address that are still to come
    bool marked;
};

// N, SYMBOL, SYMBOL:COUNT, 0xADDRESS:COUNT, marker or marker:NUMBER; false with err. image may be NULL: no symbols.
bool stop_parse(struct stop *stop, const char *text, const struct image *image, struct error *err);
bool stop_needs_steps(const struct stop *stop); // it is found step by step alone
bool stop_at_marker(const struct stop *stop);
uint64_t stop_limit(const struct stop *stop, uint64_t max); // steps that a run of `max` may take at most
bool stop_reached(const struct stop *stop, const struct iss *iss, uint64_t done);
// After a step, or a run of several (retire NULL).
void stop_after(struct stop *stop, struct iss *iss, const struct iss_retire *retire);

#endif
