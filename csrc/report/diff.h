// Two runs side by side, unit by unit: what `tipoff diff` prints. Not for other libraries.
#ifndef TIPOFF_REPORT_DIFF_H
#define TIPOFF_REPORT_DIFF_H

#include "analysis/spread.h"
#include "report/run.h"
#include <cjson/cJSON.h>

#define DIFF_LEVEL 0.05 // of what may be marked by chance; intervals have a level of 1 - this (SPREAD_HALF_WIDTH)

// In cycles, or in shares of each run's time (--shares).
struct diff_value {
    double value;
    double deviation; // 0: exact
    uint64_t samples;
};

struct diff_row {
    const char *unit, *name; // as report_unit and report_label have them
    struct diff_value of[2][SPREAD_COMPONENTS];
    double chance;      // of its time having changed so much by chance; NAN: too few samples to judge
    bool beyond_chance; // among all rows, DIFF_LEVEL of those marked may be so by chance
};

struct diff {
    struct run side[2];    // A, B
    bool by_hart;          // hart by hart: both have as many; else all harts of each together
    bool estimated;        // by samples, on one side at least
    bool vectors;          // both sides have events
    bool states;           // both know states
    struct diff_row all;   // the whole runs
    struct diff_row *rows; // those beyond chance first, then by the size of the change
    size_t count, marked;  // marked: of the rows, beyond chance
};

// The change of a component, and its deviation in *deviation.
double diff_change(const struct diff_row *row, unsigned component, double *deviation);
bool diff_component_known(const struct diff *d, unsigned component);
const char *diff_component_name(const struct diff *d, unsigned component); // "time", "Stalled", "ST_L1"

const char *diff_word(const struct report_options *options); // what a unit is: "function", "line"

cJSON *diff_json(const struct diff *d, const struct report_options *options); // NULL: no memory
// In the format of the options, of tables: 0, or a negative errno with err.
int diff_write(const struct diff *d, const struct report_options *options, FILE *out, struct error *err);

#endif
