// tipoff report: where the time of a run went, and why.
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/folder.h"
#include "cli/report_filters.h"
#include "cli/report_options.h"
#include "cli/shared_options.h"
#include "report/formats.h"
#include "report/units.h"
#include "report/windows.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPT_TOP = 256,
    OPT_GRANULARITY,
    OPT_PROFILER,
    OPT_ANNOTATE,
    OPT_STACKS,
    OPT_BY,
    OPT_WINDOWS,
    OPT_WINDOW_CYCLES,
    OPT_CHILDREN,
    OPT_CALLERS,
    OPT_CALLEES,
    OPT_POOL,
    OPT_MAX_STACK,
    OPT_DATA_ADDRESSES,
    OPT_COMMENTS
};

static const struct argp_option options[] = {
    OPTION_TOP(OPT_TOP, "", 1),
    {"granularity", OPT_GRANULARITY, "UNIT", OPTION_HIDDEN, NULL, 1},
    {"by", OPT_BY, "UNIT", 0, "list the time by this unit, as text, CSV or JSON; `--by help` lists the units", 1},
    {"windows", OPT_WINDOWS, "N", 0, "with --by window: number of windows, of equal length (default: 20)", 1},
    {"window-cycles", OPT_WINDOW_CYCLES, "N", 0, "with --by window: length of a window in cycles", 1},
    {"profiler", OPT_PROFILER, "NAME", 0,
     "profile to show: Oracle, NCI, ... (default: TIP's samples, or the Oracle's profile if there are none)", 1},
    {"pool", OPT_POOL, "KIND", 0,
     "pool TIP's samples, which reduces their error: the instructions of a basic block share their sampled commits "
     "(blocks), or executions are those that the run has counted (counts)",
     1},
    {"stacks", OPT_STACKS, NULL, 0,
     "cycle stacks: the time of functions and instructions by combination of events, and what no event explains", 1},
    {"children", OPT_CHILDREN, NULL, 0, "add the time of callees to each function's own time", 1},
    {"inclusive", OPT_CHILDREN, NULL, OPTION_ALIAS, NULL, 1},
    {"callers", OPT_CALLERS, "FUNCTION", 0, "list the callers of this function, with its time for each", 1},
    {"callees", OPT_CALLEES, "FUNCTION", 0, "list the callees of this function, with the time of each", 1},
    {"annotate", OPT_ANNOTATE, "FUNCTION", 0, "list the instructions of this function, with source", 1},
    OPTION_MAX_STACK(OPT_MAX_STACK, ". With --format folded, perf-script, pprof or speedscope", 1),
    {"data-addresses", OPT_DATA_ADDRESSES, NULL, 0,
     "with --format perf-script: after each event the physical address of the data that it waits for, as perf "
     "script's field addr",
     1},
    {"comments", OPT_COMMENTS, NULL, 0,
     "with --format csv: lines before the heading, which begin with #: U, cycles, samples; with --stacks what the "
     "events explain",
     1},
    {0},
};

static void check_windows(struct report_arguments *a, struct argp_state *state) {
    struct report_options *o = &a->options;
    const bool windows = o->by && strcmp(o->by->name, "window") == 0;
    if (!windows && (o->windows || o->window_cycles))
        argp_error(state, "--windows and --window-cycles: need --by window");
    if (o->windows && o->window_cycles) argp_error(state, "--windows or --window-cycles, not both");
    if (windows && !a->top_given) o->top = 0;
}

// What would show samples that are left out.
static void check_filter(const struct report_arguments *a, struct argp_state *state) {
    const struct report_options *o = &a->options;
    const bool data = o->by && strcmp(o->by->name, "data") == 0,
               vcd = strcmp(report_format_name(o->format), "vcd") == 0;
    if (o->pools) argp_error(state, "--pool: of the whole run; omit --mode, --process, --focus and --ignore");
    if (data || vcd)
        argp_error(state, "%s: of whole samples; omit --mode, --process, --focus and --ignore",
                   data ? "--by data" : "--format vcd");
}

// Cycle stacks have these units, as sums of instructions: the table of --by block has more, and other blocks.
static bool has_stacks(struct report_options *o) {
    const bool block = strcmp(o->by->name, "block") == 0;
    if (!block && strcmp(o->by->name, "process") != 0) return false;
    o->granularity = block ? BY_BLOCK : BY_APPLICATION;
    o->by = NULL;
    return true;
}

static void check(struct report_arguments *a, struct argp_state *state) {
    struct report_options *o = &a->options;
    const bool calls = o->children || o->callers || o->callees;
    check_windows(a, state);
    if (o->one_hart && o->by && o->by->several) argp_error(state, "--hart or --by hart, not both");
    if (o->pools && o->profiler && strcasecmp(o->profiler, "TIP") != 0 && strcasecmp(o->profiler, "TEA") != 0)
        argp_error(state, "--pool: needs TIP's samples; omit --profiler %s", o->profiler);
    if (filter_is_set(&o->filter)) check_filter(a, state);
    if (o->annotate && o->stacks) argp_error(state, "--annotate or --stacks, not both");
    if (o->by && o->stacks && !has_stacks(o))
        argp_error(state, "--by %s: has no cycle stacks; use instruction, block, function or process", o->by->name);
    if (o->by && o->annotate) argp_error(state, "--annotate or --by, not both");
    if (calls && (o->annotate || o->stacks || o->one_table))
        argp_error(state, "--children, --callers and --callees: omit --annotate, --stacks and --by");
    const char *whole = o->format->whole_stacks ? o->format->name : NULL;
    if (whole && (calls || o->annotate || o->stacks))
        argp_error(state,
                   "--format %s: exports whole call stacks: omit --children, --callers, --callees, --annotate and "
                   "--stacks",
                   whole);
    if (whole && o->one_table && o->granularity == BY_FUNCTION) o->one_table = false;
    if (whole && o->one_table && o->granularity != BY_INSTRUCTION)
        argp_error(state, "--format %s: takes --by function or instruction", whole);
    if (o->format == &format_csv && (o->children + !!o->callers + !!o->callees) > 1)
        argp_error(state, "--format csv: one of --children, --callers and --callees: their columns differ");
    if ((o->stacks || calls) && o->format != &format_text && !a->top_given) o->top = 0;
    if (a->max_stack_given && !o->format->stacks)
        argp_error(state, "--max-stack: needs --format folded, perf-script, pprof or speedscope");
    if (o->comments && o->format != &format_csv) argp_error(state, "--comments: needs --format csv");
    if (o->data_addresses && !o->format->data_addresses)
        argp_error(state, "--data-addresses: needs --format perf-script");
    if (o->annotate && o->format != &format_text) argp_error(state, "--annotate: is text only");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const granularities[] = {GRANULARITY_NAMES};
    struct report_arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = a;
        state->child_inputs[1] = &a->options.filter;
        break;
    case OPT_TOP: report_set_top(a, arg, state); break;
    case OPT_GRANULARITY:
        a->options.granularity =
            (enum granularity)option_choice(arg, granularities, GRANULARITY_COUNT, "granularity", state);
        a->options.one_table = true;
        break;
    case OPT_BY: report_set_unit(&a->options, arg, state); break;
    case OPT_WINDOWS: a->options.windows = (size_t)option_number(arg, 1, WINDOWS_MOST, "windows", state); break;
    case OPT_WINDOW_CYCLES: a->options.window_cycles = option_number(arg, 1, UINT64_MAX, "window-cycles", state); break;
    case OPT_PROFILER: a->options.profiler = arg; break;
    case OPT_POOL: report_add_pool(a, arg, state); break;
    case OPT_STACKS: a->options.stacks = true; break;
    case OPT_CHILDREN: a->options.children = true; break;
    case OPT_CALLERS: a->options.callers = arg; break;
    case OPT_CALLEES: a->options.callees = arg; break;
    case OPT_MAX_STACK:
        a->options.max_stack = max_stack_argument(arg, state);
        a->max_stack_given = true;
        break;
    case OPT_DATA_ADDRESSES: a->options.data_addresses = true; break;
    case OPT_COMMENTS: a->options.comments = true; break;
    case OPT_ANNOTATE: a->options.annotate = arg; break;
    case ARGP_KEY_ARGS:
        report_set_files(a, state);
        a->options.more = a->files + 1;
        a->options.more_count = a->count - 1;
        break;
    case ARGP_KEY_NO_ARGS:
        if (a->options.annotate && access(a->options.annotate, F_OK) == 0)
            argp_error(state, "--annotate %s: a file: name the function before it: --annotate FUNCTION %s",
                       a->options.annotate, a->options.annotate);
        argp_error(state, "name a sample file that `tipoff run --samples` has written");
        break;
    case ARGP_KEY_END: check(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int render(struct report_arguments *a, FILE *out, struct error *err) {
    return report_write(a->files[0], &a->options, out, err);
}

int cmd_report(int argc, char **argv) {
    static const char text[] =
        "Show where the time of a run went: which instruction, and why. Of several harts: name the file of each.\v"
        "Exit status: 0; 2 on bad usage or bad input; 4 if the output cannot be written.";
    const struct argp_child children[] = {{.argp = &report_common_argp}, {.argp = &report_filters_argp}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "FILE.tips...", .doc = text, .children = children};
    struct report_arguments a = {.options = report_defaults(stdout, &cli_notices)};
    char page[PATH_MAX + 32];
    a.options.page = folder_page(page, sizeof page);
    parse_command(&argp, "report", argc, argv, &a);
    return report_deliver(&a, render);
}
