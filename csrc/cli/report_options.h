// Options that report and compare have in common. Not for other libraries.
#ifndef TIPOFF_CLI_REPORT_OPTIONS_H
#define TIPOFF_CLI_REPORT_OPTIONS_H

#include "report/report.h"
#include <argp.h>

struct report_arguments {
    struct report_options options;
    enum report_use use; // what the command makes
    bool top_given;
    const char *output;       // NULL: stdout
    const char *const *files; // named on the command line
    size_t count;
};

extern const struct argp report_common_argp; // a child parser; its input is the struct report_arguments
// Renders by `render` into memory, then writes it to stdout or the file: bad input touches nothing. Exit status.
int report_deliver(struct report_arguments *a, int (*render)(struct report_arguments *a, FILE *out, struct error *err));

#endif
