// tipoff profileme: what ProfileMe's records say of a program.
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/report_options.h"
#include "cli/shared_options.h"
#include "methods/profileme/report.h"
#include "profile/route.h"
#include <stdlib.h>
#include <string.h>

enum {
    OPT_OUTPUT = 'o',
    OPT_TOP = 256,
    OPT_ADDRESSES,
    OPT_PAIRS,
    OPT_COMPARE,
    OPT_CONVERGENCE,
    OPT_RECORDS,
    OPT_PATHS,
    OPT_PATH_SUCCESS,
    OPT_ACROSS,
    OPT_OVERLAP,
    OPT_SLOTS,
    OPT_NEAR,
    OPT_FORMAT,
    OPT_PROGRAM
};
enum { NEAR = 15, MOST = 4095, MOST_SLOTS = 64, BRANCHES = 8 };

static const struct argp_option options[] = {
    {"addresses", OPT_ADDRESSES, NULL, 0, "lines and pages that miss most", 1},
    {"pairs", OPT_PAIRS, NULL, 0,
     "issue slots wasted while instructions are in progress, and what overlaps with them (of --profileme "
     "INTERVAL,pairs=64)",
     1},
    {"compare", OPT_COMPARE, NULL, 0, "compare estimates with the exact totals of the run", 1},
    {"convergence", OPT_CONVERGENCE, NULL, 0,
     "estimates of retirements and L1 data misses against the number of samples; of several files: all their points",
     1},
    {"records", OPT_RECORDS, NULL, 0, "the records themselves, every field (csv, json) by its name", 1},
    {"paths", OPT_PATHS, "N", OPTION_ARG_OPTIONAL,
     "paths of N conditional branches (1 to 16, default 8) that lead to the samples, from their histories", 1},
    {"path-success", OPT_PATH_SUCCESS, NULL, 0,
     "how often the paths found are the ones taken, for 1 to 16 branches (of a run with --worker branch-history)", 1},
    {"across", OPT_ACROSS, NULL, 0, "paths: go on from a procedure's beginning to where it is called", 2},
    {"overlap", OPT_OVERLAP, "NAME", 0, "pairs: also count these overlaps; help: list them", 2},
    {"slots", OPT_SLOTS, "N", 0, "pairs: issue slots in a cycle (default: width of the core)", 2},
    {"near", OPT_NEAR, "CYCLES", 0,
     "pairs: show IPC for this many cycles before and after its retirement (default: 15)", 2},
    OPTION_TOP(OPT_TOP, "; csv and json have all rows unless --top is given", 3),
    OPTION_FORMAT(OPT_FORMAT, "text (default), csv, json; svg, a picture, of --pairs and --convergence", 8),
    OPTION_OUTPUT("", 8),
    OPTION_PROGRAM(OPT_PROGRAM, "", 8),
    {0},
};

struct arguments {
    struct report_arguments report; // first: report_deliver hands it back
    struct profileme_options options;
};

static void set_view(struct arguments *a, enum profileme_view view, struct argp_state *state) {
    if (a->options.view != PROFILEME_INSTRUCTIONS && a->options.view != view)
        argp_error(state,
                   "one of --addresses, --pairs, --compare, --convergence, --records, --paths and --path-success");
    a->options.view = view;
}

static void set_overlap(struct arguments *a, const char *name, struct argp_state *state) {
    if (strcmp(name, "help") == 0) {
        for (size_t i = 0; i < profileme_overlap_count(); i++)
            printf("%-12s the other %s\n", profileme_overlap(i)->name, profileme_overlap(i)->text);
        exit(EXIT_SUCCESS);
    }
    a->options.overlap = profileme_overlap_find(name);
    if (!a->options.overlap) argp_error(state, "--overlap %s: no such overlap; --overlap help lists them", name);
}

static void check(struct arguments *a, struct argp_state *state) {
    if (a->report.count > 1 && a->options.view != PROFILEME_CONVERGENCE)
        argp_error(state, "one sample file only; --convergence takes several");
    if (a->options.overlap && a->options.view != PROFILEME_PAIRS) argp_error(state, "--overlap: needs --pairs");
    if (a->options.across && a->options.view != PROFILEME_PATHS)
        argp_error(state, "--across: needs --paths; --path-success shows both");
    if (!a->options.overlap) a->options.overlap = profileme_overlap(0);
    if (!a->report.top_given && a->options.format != PROFILEME_TEXT) a->report.options.top = 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    static const char *const formats[PROFILEME_FORMATS] = {PROFILEME_FORMAT_NAMES};
    struct arguments *a = state->input;
    switch (key) {
    case OPT_ADDRESSES: set_view(a, PROFILEME_ADDRESSES, state); break;
    case OPT_PAIRS: set_view(a, PROFILEME_PAIRS, state); break;
    case OPT_COMPARE: set_view(a, PROFILEME_COMPARE, state); break;
    case OPT_CONVERGENCE: set_view(a, PROFILEME_CONVERGENCE, state); break;
    case OPT_RECORDS: set_view(a, PROFILEME_RECORDS, state); break;
    case OPT_PATHS:
        set_view(a, PROFILEME_PATHS, state);
        if (arg) a->options.branches = (unsigned)option_number(arg, 1, ROUTE_BRANCHES, "paths", state);
        break;
    case OPT_PATH_SUCCESS: set_view(a, PROFILEME_PATH_SUCCESS, state); break;
    case OPT_ACROSS: a->options.across = true; break;
    case OPT_OVERLAP: set_overlap(a, arg, state); break;
    case OPT_SLOTS: a->options.slots = (unsigned)option_number(arg, 1, MOST_SLOTS, "slots", state); break;
    case OPT_NEAR: a->options.near = (unsigned)option_number(arg, 0, MOST, "near", state); break;
    case OPT_TOP: report_set_top(&a->report, arg, state); break;
    case OPT_FORMAT:
        a->options.format = (enum profileme_format)option_choice(arg, formats, PROFILEME_FORMATS, "format", state);
        break;
    case OPT_OUTPUT: a->report.output = arg; break;
    case OPT_PROGRAM: a->report.options.program = arg; break;
    case ARGP_KEY_ARGS: report_set_files(&a->report, state); break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name a sample file that `tipoff run --profileme INTERVAL --samples FILE` has written");
        break;
    case ARGP_KEY_END: check(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int render(struct report_arguments *report, FILE *out, struct error *err) {
    struct arguments *a = (struct arguments *)report;
    a->options.report = report->options;
    return profileme_report(report->files, report->count, &a->options, out, err);
}

int cmd_profileme(int argc, char **argv) {
    static const char text[] =
        "Show what ProfileMe's records say about a program: how often each instruction executed, where its time goes "
        "by stage "
        "of the pipeline and why, what it missed, why it died; memory that misses most; issue slots wasted; hot "
        "paths.\v"
        "Numbers of a run are estimates with their 95 % intervals. Exit status: 0, 2 on bad usage or bad input, 4 if "
        "the "
        "output cannot be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "FILE.tips...", .doc = text};
    struct arguments a = {
        .report.options = report_defaults(stdout, &cli_notices), .options.near = NEAR, .options.branches = BRANCHES};
    parse_command(&argp, "profileme", argc, argv, &a);
    return report_deliver(&a.report, render);
}
