// Frequencies and latencies of instructions from ProfileMe's records (ProfileMe, MICRO 1997, section 5.1): a property
// that k records of an instruction have, it has had about k S times, S being the fetched instructions that a record
// stands for. With pairs both records count, and each stands for half of the pairs' interval.
#ifndef TIPOFF_METHODS_PROFILEME_ESTIMATES_H
#define TIPOFF_METHODS_PROFILEME_ESTIMATES_H

#include "base/error.h"
#include "instruction_sample.h"
#include "profile/instruction_settings.h"
#include "profile/life_totals.h"

// What is known of all records together.
struct profileme_summary {
    uint64_t records;    // of instructions
    uint64_t empty;      // of fetch opportunities without one
    uint64_t selections; // single records, or first ones of pairs
    uint64_t collisions; // selections that found no profile registers, between the first record and the last
    uint64_t saturated;  // records with a latency longer than its register holds
    double interval; // S: fetched instructions (or opportunities) from one record, or pair, to the next; lost ones are
                     // allowed for
    double scale;    // instructions that one record stands for: S, with pairs S / 2
};
struct profileme_summary profileme_summarize(const struct instruction_sample *records, size_t count,
                                             const struct instruction_settings *settings);

struct profileme_estimates;
// NULL with err: no memory.
struct profileme_estimates *profileme_estimates_create(const struct instruction_sample *records, size_t count,
                                                       const struct instruction_settings *settings, struct error *err);
void profileme_estimates_destroy(struct profileme_estimates *e); // NULL is fine
const struct profileme_summary *profileme_estimates_summary(const struct profileme_estimates *e);
// What the records say, not multiplied: k of every count, the sum of the records' cycles of every latency. By context
// and address. USEFUL and OVERLAPPED are 0: pairs.h.
const struct lifetime *profileme_estimates_rows(const struct profileme_estimates *e, size_t *count);
const struct lifetime *profileme_estimates_find(const struct profileme_estimates *e,
                                                struct place place); // NULL: no record

bool profileme_is_latency(enum lifetime_total total); // a sum of cycles, and no count
enum lifetime_total
profileme_of(enum lifetime_total latency); // the count of those that have it: retired ones, or all fetched

// A value, and its standard deviation by chance.
struct profileme_value {
    double value, deviation;
};
// k S. The deviation is S sqrt(k), where no pair has both its records there: selections are taken as independent, and
// rare against all that is fetched (S >> f of the paper).
struct profileme_value profileme_count(const struct profileme_estimates *e, const struct lifetime *row,
                                       enum lifetime_total total);
// The mean of a latency, of one retired instruction (PROGRESS: of any fetched one), with its standard error. Of fewer
// than two records the deviation is not known: INFINITY.
struct profileme_value profileme_mean(const struct profileme_estimates *e, const struct lifetime *row,
                                      enum lifetime_total total);
// The part of `whole` that has the property: a mean of zeros and ones.
struct profileme_value profileme_part(const struct lifetime *row, enum lifetime_total total, enum lifetime_total whole);

#endif
