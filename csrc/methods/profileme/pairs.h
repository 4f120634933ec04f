// What goes on around an instruction, from ProfileMe's pairs (MICRO 1997, section 5.2): how many other instructions
// overlap with it, by any definition of overlap that two records decide; issue slots wasted while it is in progress;
// instructions per cycle around it.
#ifndef TIPOFF_METHODS_PROFILEME_PAIRS_H
#define TIPOFF_METHODS_PROFILEME_PAIRS_H

#include "methods/profileme/estimates.h"

// ---- overlap ----
struct profileme_pair { // seen from one of its instructions
    const struct instruction_sample *self, *other;
    int64_t apart; // cycles from the fetch of self to that of the other; negative: it is the earlier one
    unsigned near; // cycles that are near, for the overlaps that ask
};
struct profileme_overlap {
    const char *name, *text;
    bool (*overlaps)(const struct profileme_pair *pair);
};
size_t profileme_overlap_count(void);
const struct profileme_overlap *profileme_overlap(size_t i);              // 0: "useful", the paper's
const struct profileme_overlap *profileme_overlap_find(const char *name); // NULL: there is none

// ---- sums by instruction ----
struct profileme_pairs_settings {
    const struct profileme_overlap *overlap; // what `before` and `after` count
    unsigned slots;                          // C: issue slots in a cycle
    unsigned near;                           // cycles around a retirement, each way
};
struct profileme_pairs_row {
    struct place place;
    uint64_t firsts, seconds; // pairs with it as the first, the second
    uint64_t before,
        after; // U_B, U_F: of the pairs with it as the second, the first, those whose other instruction overlaps
    uint64_t progress; // L: cycles from fetch to retire ready, or to its end; all its records
    uint64_t retired;  // of its records
    uint64_t near;     // of those: pairs whose other instruction retires near it
    double squares;    // of what each pair adds to `wasted`
};
struct profileme_pairs;
// NULL with err: the records are no pairs, or no memory.
struct profileme_pairs *profileme_pairs_create(const struct instruction_sample *records, size_t count,
                                               const struct instruction_settings *settings,
                                               const struct profileme_pairs_settings *pairs, struct error *err);
void profileme_pairs_destroy(struct profileme_pairs *p);                                                // NULL is fine
const struct profileme_pairs_row *profileme_pairs_rows(const struct profileme_pairs *p, size_t *count); // by place
const struct profileme_pairs_row *profileme_pairs_find(const struct profileme_pairs *p, struct place place);
double profileme_pairs_interval(const struct profileme_pairs *p); // S

// Of all executions of an instruction together; W: window of the second record.
double profileme_overlapping(const struct profileme_pairs *p, const struct profileme_pairs_row *row); // U W S
double profileme_latency(const struct profileme_pairs *p, const struct profileme_pairs_row *row);     // L S / 2
// L C S / 2 - U W S: wasted issue slots, where the overlap is the useful one.
struct profileme_value profileme_wasted(const struct profileme_pairs *p, const struct profileme_pairs_row *row);
// Instructions that retire in a cycle, in the 2 near + 1 cycles around its retirement, itself counted: 0 if no record
// retired.
double profileme_ipc(const struct profileme_pairs *p, const struct profileme_pairs_row *row);

#endif
