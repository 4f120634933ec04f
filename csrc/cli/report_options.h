// Options that report and compare have in common. Not for other libraries.
#ifndef TIPOFF_CLI_REPORT_OPTIONS_H
#define TIPOFF_CLI_REPORT_OPTIONS_H

#include "report/report.h"
#include <argp.h>

struct report_arguments {
    struct report_options options;
    enum report_of of;
    bool top_given, max_stack_given;
    const char *output;       // NULL: stdout
    const char *const *files; // named on the command line
    size_t count;
};

// All the words that are no options, for ARGP_KEY_ARGS.
void report_set_files(struct report_arguments *a, const struct argp_state *state);
// Sets the number of rows, for --top.
void report_set_top(struct report_arguments *a, const char *text, const struct argp_state *state);
// Sets the unit of rows by its name, for --by; "help" lists them, and ends.
void report_set_unit(struct report_options *options, const char *name, const struct argp_state *state);
// One more kind of pooling, for --pool; a report has one at most.
void report_add_pool(struct report_arguments *a, const char *name, const struct argp_state *state);
extern const struct argp report_common_argp; // a child parser; its input is the struct report_arguments
typedef int report_render(struct report_arguments *a, FILE *out, struct error *err); // 0, or a negative errno with err
// Renders to the file that the arguments name, or into memory and then to stdout: bad input touches nothing. Exit
// status.
int report_deliver(struct report_arguments *a, report_render *render);

#endif
