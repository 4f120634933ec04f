// What regions of a full run would have said of it: the CPI that SimPoint projects under given settings beside the CPI
// that the run has (Gottschall's thesis, Paper C, section 6). Cycles of regions are those within the full run.
#ifndef TIPOFF_METHODS_REGIONS_STUDY_H
#define TIPOFF_METHODS_REGIONS_STUDY_H

#include "methods/regions/choice.h"
#include "methods/regions/reference.h"

struct study_settings {
    struct clustering_settings clustering;
    size_t dims;
    size_t join; // neighbouring slices of the reference that make up one, 1 or more
    double part; // of the run's slices, above 0, to 1: regions are chosen from the first ones ("benchmark coverage")
};

struct study_point {
    size_t slices, regions; // to choose from, and chosen
    uint64_t chosen;        // instructions of the regions
    double cpi;             // weighted by slices, as Paper C does
    double error;           // |cpi / the run's - 1|
    double error_counted;   // ... weighted by instructions of the cluster (Sabu's thesis, formula 3.2)
};

// c: as choice_begin leaves it; its slices are `join` of the reference's each. 0, or a negative errno with err.
int study_choose(const struct reference *r, const struct study_settings *s, struct choice *c, struct error *err);
// The same, and what it is worth.
int study_run(const struct reference *r, const struct study_settings *s, struct study_point *point, struct error *err);
// Cycles and instructions of the i-th slice of a choice.
struct study_slice {
    uint64_t cycles, instructions;
};
struct study_slice study_slice(const struct reference *r, size_t join, size_t i);
static inline double study_cpi(struct study_slice s) {
    return (double)s.cycles / (double)s.instructions;
}

#endif
