// Files whose profiles are compared with the Oracle's: `tipoff compare`. Not for other libraries.
#ifndef TIPOFF_REPORT_COMPARE_H
#define TIPOFF_REPORT_COMPARE_H

#include "report/errors.h"

struct compared_file {
    struct run data;
    struct report_error *errors;
    size_t error_count;
};

struct comparison {
    size_t count;
    struct compared_file *files;
};

// Tables for people. 0, or a negative errno with err.
int compare_text(const struct comparison *c, const struct report_options *o, FILE *out, struct error *err);

#endif
