// What a run that was sampled while it went on is reported as: its projection, how it came about, and each region.
#ifndef TIPOFF_METHODS_REGIONS_PACSIM_REPORT_H
#define TIPOFF_METHODS_REGIONS_PACSIM_REPORT_H

#include "methods/regions/pacsim_live.h"
#include <stdio.h>

enum pacsim_format { PACSIM_TEXT, PACSIM_CSV, PACSIM_JSON, PACSIM_FORMATS };
#define PACSIM_FORMAT_NAMES "text", "csv", "json"

struct pacsim_report {
    const struct pacsim *pacsim; // estimated
    const struct pacsim_live *live;
    const char *program, *method, *on, *config, *warmup;
    double reference;   // cycles of the whole run; 0: not known
    const double *full; // cycles of each region of a run that is in detail throughout; NULL: not known
};
// Text has times of the host, the files have none. False with err: no memory.
bool pacsim_report_write(const struct pacsim_report *r, enum pacsim_format format, FILE *out, struct error *err);

#endif
