// tipoff import: the time of each instruction, from another core's pipeline trace.
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "import/imported.h"
#include "import/perf_import.h"
#include "profile/event_unit.h"
#include "records.h"
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_OUTPUT = 'o',
    OPT_QUIET = 'q',
    OPT_FORMAT = 256,
    OPT_PROGRAM,
    OPT_CLOCK,
    OPT_WIDTH,
    OPT_PERIOD,
    OPT_SEED,
    OPT_DISPATCH,
    OPT_LAYOUT
};
enum { PERIOD = 97 }; // of samples, where none is asked for

static const struct argp_option options[] = {
    {"format", OPT_FORMAT, "NAME", 0, "format of the trace; `--format help` lists them (default: by its first line)",
     1},
    OPTION_PROGRAM(OPT_PROGRAM, "", 1),
    {"output", OPT_OUTPUT, "FILE", 0, "write the sample file to FILE", 1},
    {"clock", OPT_CLOCK, "TICKS", 0, "ticks of a cycle, in formats that count ticks (default: found)", 1},
    {"dispatch", OPT_DISPATCH, "STAGE", 0, "with kanata: the stage that an instruction begins as it enters the ROB", 1},
    {"layout", OPT_LAYOUT, "FILE", 0, "with fields: TOML file that says where a record has what", 1},
    {"width", OPT_WIDTH, "N", 0,
     "instructions that retire in a cycle at most, 1 to 8 (default: 8; fields: the layout's)", 1},
    {"period", OPT_PERIOD, "N", 0,
     "sample every N cycles on average, for the profilers that are compared (default: 97; 0: no samples)", 1},
    OPTION_SEED(OPT_SEED, "the distances of samples", 1),
    OPTION_QUIET("", 1),
    {0},
};

struct arguments {
    struct import_options import;
    bool perf_data, quiet;
};

static void list_formats(void) {
    for (unsigned i = 0; i < import_registry_count; i++)
        printf("%-12s %s\n", import_registry[i]->name, import_registry[i]->text);
    printf("%-12s %s\n", "perf-data", "what `perf record` of Linux wrote: samples of a real machine");
    exit(EXIT_SUCCESS);
}

static void choose_format(struct arguments *a, const char *name, struct argp_state *state) {
    if (strcmp(name, "help") == 0) list_formats();
    a->import.format = import_format_named(name);
    a->perf_data = strcmp(name, "perf-data") == 0;
    if (!a->import.format && !a->perf_data)
        argp_error(state, "--format %s: there is none; `--format help` lists them", name);
}

static void set_period(struct sampling_settings *s, uint64_t period) {
    s->period = period;
    s->jitter_bits = period ? sampling_settings_jitter(period) : 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    struct import_options *o = &a->import;
    switch (key) {
    case OPT_FORMAT: choose_format(a, arg, state); break;
    case OPT_PROGRAM: o->program = arg; break;
    case OPT_OUTPUT: o->samples = arg; break;
    case OPT_CLOCK: o->clock = option_number(arg, 1, UINT32_MAX, "--clock", state); break;
    case OPT_DISPATCH: o->dispatch = arg; break;
    case OPT_LAYOUT: o->layout = arg; break;
    case OPT_WIDTH: o->width = (unsigned)option_number(arg, 1, MAX_LANES, "--width", state); break;
    case OPT_PERIOD: set_period(&o->sampling, option_number(arg, 0, UINT32_MAX, "--period", state)); break;
    case OPT_SEED: o->sampling.seed = option_number(arg, 1, UINT32_MAX, "--seed", state); break;
    case OPT_QUIET: a->quiet = true; break;
    case ARGP_KEY_ARG:
        if (o->file) argp_error(state, "one trace only: unexpected argument '%s'", arg);
        o->file = arg;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "name a pipeline trace; `--format help` lists what can be read"); break;
    case ARGP_KEY_END:
        if (!o->samples) argp_error(state, "name the sample file to write: -o FILE.tips");
        if (o->sampling.period && o->sampling.period < SAMPLING_SHORTEST)
            argp_error(state, "--period %" PRIu64 ": 0, or %d at least", o->sampling.period, SAMPLING_SHORTEST);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print(const struct import_options *o, const struct import_summary *s) {
    static const char *const states[] = {STATE_NAMES};
    printf("%s, %s: %" PRIu64 " cycles, %" PRIu64 " instructions, IPC %.3f\n", o->file, s->format->name, s->cycles,
           s->retired, s->cycles ? (double)s->retired / (double)s->cycles : 0);
    if (!s->format->cycles) printf("  a cycle has %" PRIu64 " ticks\n", s->clock);
    if (s->folded) printf("  %" PRIu64 " parts of instructions were folded into theirs\n", s->folded);
    printf("  %" PRIu64 " squashed: %" PRIu64 " mispredictions, %" PRIu64 " traps, %" PRIu64 " replays, %" PRIu64
           " flushes by one that retired\n ",
           s->squashed, s->mispredictions, s->traps, s->replays, s->flushes);
    for (unsigned k = 0; k < STATE_COUNT; k++) {
        const unsigned shown = k == STATE_FLUSHED ? IMPORT_FLUSHED : k == STATE_DRAINED ? IMPORT_DRAINED : 0;
        if (shown && !(s->shows & shown))
            printf("%s %s not shown by this trace", k ? "," : "", states[k]);
        else
            printf("%s %s %.1f %%", k ? "," : "", states[k], 100 * s->share[k]);
    }
    if (s->bytes)
        printf("\n  %.1f MB in %.2f s: %.0f MB/s", (double)s->bytes / 1e6, s->seconds,
               (double)s->bytes / 1e6 / (s->seconds > 0 ? s->seconds : 1));
    printf("\n  %" PRIu64 " samples; `tipoff report %s`, `tipoff compare %s`\n", s->samples, o->samples, o->samples);
}

// Prints what was imported, if that is wanted. 0, or a negative errno with err.
static int import_perf_data(const struct arguments *a, struct error *err) {
    struct perf_summary *s = error_calloc(sizeof *s, a->import.file, err);
    const int rc = s ? perf_import(&a->import, s, err) : -ENOMEM;
    if (!rc && !a->quiet) {
        printf("%s, perf-data: %" PRIu64 " samples", a->import.file, s->samples);
        for (unsigned e = 0; e < s->event_count; e++)
            printf("%s %s: %" PRIu64 " %s", e ? "," : " of", s->events[e].name, s->events[e].weight,
                   event_unit(s->events[e].name));
        printf("\n  no account of cycles: the Oracle is not shown by it; `tipoff report %s`\n", a->import.samples);
    }
    free(s);
    return rc;
}

static int import_trace(const struct arguments *a, struct error *err) {
    struct import_summary summary;
    const int rc = import_file(&a->import, &summary, err);
    if (!rc && !a->quiet) print(&a->import, &summary);
    return rc;
}

int cmd_import(int argc, char **argv) {
    static const char text[] =
        "Make a sample file of another core's pipeline trace: what each cycle is due to, and what each profiler would "
        "have said of it.\v"
        "Exit status: 0; 2 on bad usage or bad input; 4 if the output cannot be written.";
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "TRACE", .doc = text};
    struct arguments a = {.import = {.sampling = {.seed = 1}, .notices = &cli_notices}};
    char command[2048];
    struct error err = {""};
    set_period(&a.import.sampling, PERIOD);
    command_line(argc, argv, command, sizeof command);
    a.import.command = command;
    parse_command(&argp, "import", argc, argv, &a);
    const struct path_use uses[] = {{"the trace", a.import.file, false},
                                    {"the program", a.import.program, false},
                                    {"--layout", a.import.layout, false},
                                    {"--output", a.import.samples, true}};
    int status = paths_check(uses, sizeof uses / sizeof *uses, &err) ? EXIT_SUCCESS : STATUS_BAD_INPUT;
    const bool perf = a.perf_data || (!a.import.format && perf_import_is(a.import.file));
    const int rc = status ? 0 : (perf ? import_perf_data : import_trace)(&a, &err);
    if (rc) status = rc == -EIO || rc == -ENOSPC ? STATUS_OUTPUT : STATUS_BAD_INPUT;
    if (!status && !stdout_written(&err)) status = STATUS_OUTPUT;
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
