// Options of report and diff that say what of a run is shown. Not for other libraries.
#ifndef TIPOFF_CLI_REPORT_FILTERS_H
#define TIPOFF_CLI_REPORT_FILTERS_H

#include <argp.h>

extern const struct argp report_filters_argp; // a child parser; its input is a struct report_filter (report/filter.h)

#endif
