// tipoff diff: what differs between two runs, and which of it is more than chance.
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/folder.h"
#include "cli/report_filters.h"
#include "cli/report_options.h"
#include "cli/shared_options.h"
#include <limits.h>

enum { OPT_TOP = 256, OPT_BY, OPT_PROFILER, OPT_SHARES, OPT_PROGRAM_A, OPT_PROGRAM_B };

static const struct argp_option options[] = {
    OPTION_TOP(OPT_TOP, ", including those that may be chance", 1),
    {"by", OPT_BY, "UNIT", 0,
     "compare these units (default: function), matched by name; instructions, blocks and loops only of one build; "
     "help: "
     "list them",
     1},
    {"profiler", OPT_PROFILER, "NAME", 0,
     "profile to show: Oracle (exact), NCI, ... (default: TIP's samples, or the Oracle's profile if there are none)",
     1},
    {"shares", OPT_SHARES, NULL, 0, "compare shares of each run's time, for runs of different length", 1},
    {"program-a", OPT_PROGRAM_A, "FILE", 0, "ELF file of A's program, if it has moved since the run", 8},
    {"program-b", OPT_PROGRAM_B, "FILE", 0, "ELF file of B's program, likewise", 8},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct report_arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = a;
        state->child_inputs[1] = &a->options.filter;
        break;
    case OPT_TOP: report_set_top(a, arg, state); break;
    case OPT_BY: report_set_unit(&a->options, arg, state); break;
    case OPT_PROFILER: a->options.profiler = arg; break;
    case OPT_SHARES: a->options.shares = true; break;
    case OPT_PROGRAM_A: a->options.programs[0] = arg; break;
    case OPT_PROGRAM_B: a->options.programs[1] = arg; break;
    case ARGP_KEY_ARGS:
        report_set_files(a, state);
        if (a->count >= 2) break;
        __attribute__((fallthrough));
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name two sample files that `tipoff run --samples` has written, the earlier first; of "
                          "several harts those of the earlier run, then those of the later");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int render(struct report_arguments *a, FILE *out, struct error *err) {
    return report_diff(a->files, a->count, &a->options, out, err);
}

int cmd_diff(int argc, char **argv) {
    static const char text[] =
        "What differs between two runs, of two programs or on two cores: which function, state and event became "
        "faster or slower, and which of it is more than chance.\v"
        "Exit status: 0; 2 on bad usage or bad input; 4 if the output cannot be written.";
    const struct argp_child children[] = {{.argp = &report_common_argp}, {.argp = &report_filters_argp}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "A.tips B.tips\nA.hart0.tips... B.hart0.tips...",
                              .doc = text,
                              .children = children};
    struct report_arguments a = {.of = REPORT_OF_TWO, .options = report_defaults(stdout, &cli_notices)};
    char page[PATH_MAX + 32];
    a.options.page = folder_page(page, sizeof page);
    a.options.granularity = BY_FUNCTION;
    parse_command(&argp, "diff", argc, argv, &a);
    return report_deliver(&a, render);
}
