// What a report says of all harts together, and of each.
#ifndef TIPOFF_METHODS_GUS_REPORT_HARTS_H
#define TIPOFF_METHODS_GUS_REPORT_HARTS_H

#include "methods/gus/report.h"

struct gus_sum {
    double cycles; // of the run
    uint64_t time; // of all harts together, of GUS_CYCLE
    uint64_t instructions;
    const struct gus_place *places; // of all harts together; NULL: none
    const struct gus_stream *stream;
    size_t count;          // of places
    struct gus_place *own; // the memory of places, if it is to be freed
};
bool gus_sum(const struct gus_report *r, struct gus_sum *sum); // false: no memory. The caller calls gus_sum_free
void gus_sum_free(struct gus_sum *sum);
// As gus_occupancy: of several harts, what they share together, else their mean.
double gus_sum_occupancy(const struct gus_report *r, const struct gus_sum *sum, unsigned resource);
// Nothing of one hart.
void gus_text_harts(const struct gus_report *r, FILE *out);
void gus_json_harts(const struct gus_report *r, FILE *out);

#endif
