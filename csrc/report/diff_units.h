// The units of two runs, matched by name. Not for other libraries.
#ifndef TIPOFF_REPORT_DIFF_UNITS_H
#define TIPOFF_REPORT_DIFF_UNITS_H

#include "report/diff.h"
#include "report/numbering.h"

// A kind of unit knows the unit of a place (units.h); instructions and functions are aggregated places (analysis.h).
struct side_units {
    struct numbering numbering;
    struct units *units; // of a kind; else NULL
    size_t *rows;        // of each unit, its row
};
struct named;
struct matching {
    struct side_units side[2];
    struct named *list;
    size_t count;
};
// Makes the rows, whose names are the matching's, and adds up what is exact. False: no memory. To be destroyed in
// either case.
bool matching_create(struct matching *m, struct diff *d, const struct report_options *o);
void matching_destroy(struct matching *m);

// The rows by the units of the options, judged: 0, or a negative errno with err. To be emptied in either case.
int diff_fill(struct diff *d, const struct report_options *options, struct matching *m, struct error *err);
void diff_empty(struct diff *d, struct matching *m); // to be filled again, by other units or never
// As one HTML file; fills and empties it. 0, or a negative errno with err.
int diff_html(struct diff *d, const struct report_options *options, FILE *out, struct error *err);

#endif
