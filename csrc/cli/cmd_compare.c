// tipoff compare: how far each profiler is from the Oracle.
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/report_options.h"
#include <stdlib.h>

enum { OPT_POOL = 256 };

static const struct argp_option options[] = {
    {"pool", OPT_POOL, "KIND", 0,
     "pool TIP's samples, in a row of their own: by basic block (blocks), or with the executions that the run has "
     "counted (counts); may be repeated",
     1},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct report_arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = a; break;
    case OPT_POOL: report_add_pool(a, arg, state); break;
    case ARGP_KEY_ARGS: report_set_files(a, state); break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name one or more sample files that `tipoff run --samples` has written");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int render(struct report_arguments *a, FILE *out, struct error *err) {
    return report_compare(a->files, a->count, &a->options, out, err);
}

int cmd_compare(int argc, char **argv) {
    static const char text[] =
        "Error of each profiler against the Oracle, by instruction, basic block, function and application; mean and "
        "maximum where several files are named.\v"
        "Exit status: 0; 2 on bad usage or bad input; 4 if the output cannot be written.";
    const struct argp_child children[] = {{.argp = &report_common_argp}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "FILE.tips...", .doc = text, .children = children};
    struct report_arguments a = {.of = REPORT_OF_SEVERAL, .options = report_defaults(stdout, &cli_notices)};
    parse_command(&argp, "compare", argc, argv, &a);
    return report_deliver(&a, render);
}
