// tipoff regions live: Pac-Sim, sampled simulation of a program that nobody has looked at before.
#include "analysis/analysis.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/iss_program.h"
#include "cli/regions.h"
#include "cli/regions_live_gus.h"
#include "methods/regions/pacsim_report.h"
#include <stdlib.h>
#include <string.h>

enum {
    OPT_METHOD = 256,
    OPT_ON,
    OPT_TABLE,
    OPT_MIN,
    OPT_MAX,
    OPT_THETA,
    OPT_DEPTH,
    OPT_WARMUP,
    OPT_FULL,
    OPT_REFERENCE,
    OPT_FORMAT
};
// A 200th of the thesis's 20 and 50 million (table 5.2), for programs that are shorter by as much.
enum { LEAST = 100000, MOST = 250000, MOST_DEPTH = 4096, SKIP = 9, MOST_SKIP = 1000000 };
static const char *const format_names[PACSIM_FORMATS] = {PACSIM_FORMAT_NAMES};
static const char *const warmup_names[LIVE_WARMUPS] = {LIVE_WARMUP_NAMES};
static const char *const method_names[PACSIM_METHODS] = {"pacsim", "time-based", "smarts"};
static const char *const on_names[] = {"gus"};

static const struct argp_option options[] = {
    {"method", OPT_METHOD, "pacsim|time-based[:A:B]|smarts[:A:B]", 0,
     "what decides which regions are simulated in detail (default: pacsim). The others: one interval of A "
     "instructions, "
     "then B that are not (default: --max, 9), which take what the one before them took (time-based), or the average "
     "of all (smarts)",
     0},
    {"on", OPT_ON, "gus", 0, "what simulates in detail: gus, the fast model (default)", 0},
    {"config", 'c', "NAME", 0, "configuration of the core (default: tea4)", 0},
    {"table", OPT_TABLE, "FILE", 0, "table of the core's resources (default: build/NAME/gen/gus.tsv)", 0},
    {"min", OPT_MIN, "N", 0, "instructions of a region that ends at a barrier, at least (default: 100000)", 0},
    {"max", OPT_MAX, "N", 0,
     "... at most; beyond them it ends at the next turn of a loop (default: 250000, or 2.5 times --min)", 0},
    {"theta", OPT_THETA, "X", 0,
     "regions whose vectors are nearer than this are similar; 0: none is, so all are simulated in detail (default: "
     "0.05)",
     0},
    {"depth", OPT_DEPTH, "N", 0, "regions before the next one that its prediction may look at (default: 16)", 0},
    {"warmup", OPT_WARMUP, "perfect|functional|keep|none", 0,
     "what caches, TLBs and predictors know when a region in detail begins: all that the run did, as if it had been "
     "simulated; likewise, kept up without time (default); what they knew at the end of the last one in detail; "
     "nothing",
     0},
    {"full", OPT_FULL, NULL, 0, "also simulate all in detail, beside, and say by how much the projection is off", 0},
    {"reference", OPT_REFERENCE, "CYCLES", 0, "cycles of the whole run, known from elsewhere: likewise", 0},
    {"format", OPT_FORMAT, "text|csv|json", 0, "output format (default: text; csv: a row for each region; json: both)",
     0},
    {"output", 'o', "FILE", 0, "write to FILE instead of stdout", 0},
    {0},
};

struct arguments {
    struct iss_program program;
    const char *config, *table, *output;
    struct pacsim_settings settings;
    uint64_t least, most, interval; // 0: not given; interval: the baselines' A
    enum live_warmup warmup;
    bool full;
    double reference;
    enum pacsim_format format;
    struct live_gus *gus;
    struct program *names;
    struct output *out;
};

// A number from low to high, which may have a point.
static double real(const char *text, double low, double high, const char *option, struct argp_state *state) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        argp_error(state, "--%s: '%s' is no number from %g to %g", option, text, low, high);
    return value;
}

// NAME[:A:B]
static void parse_method(struct arguments *a, char *text, struct argp_state *state) {
    char *const first = strchr(text, ':'), *const second = first ? strchr(first + 1, ':') : NULL;
    if (first && !second) argp_error(state, "--method: '%s': two numbers belong behind its name, or none", text);
    if (first) *first = 0;
    a->settings.method = (enum pacsim_method)option_choice(text, method_names, PACSIM_METHODS, "method", state);
    a->settings.skip = SKIP;
    if (!second) return;
    *second = 0;
    if (a->settings.method == PACSIM_LIVE) argp_error(state, "--method: pacsim takes no numbers: use --min and --max");
    a->interval = option_number(first + 1, 1, UINT64_MAX / 4, "method", state);
    a->settings.skip = (unsigned)option_number(second + 1, 1, MOST_SKIP, "method", state);
}

static void check(struct arguments *a, struct argp_state *state) {
    if (!a->most) a->most = a->least ? a->least / 2 * 5 : MOST;
    if (!a->least) a->least = a->most < LEAST ? a->most : LEAST;
    if (a->most < a->least) a->most = a->least;
    if (a->interval) a->most = a->least = a->interval;
    if (a->full && a->reference > 0) argp_error(state, "--reference: is what --full finds: omit one of them");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->program; break;
    case OPT_METHOD: parse_method(a, arg, state); break;
    case OPT_ON: option_choice(arg, on_names, 1, "on", state); break;
    case 'c': a->config = arg; break;
    case OPT_TABLE: a->table = arg; break;
    case OPT_MIN: a->least = option_number(arg, 1, UINT64_MAX / 4, "min", state); break;
    case OPT_MAX: a->most = option_number(arg, 1, UINT64_MAX / 4, "max", state); break;
    case OPT_THETA: a->settings.threshold = real(arg, 0, 100, "theta", state); break;
    case OPT_DEPTH: a->settings.depth = (unsigned)option_number(arg, 1, MOST_DEPTH, "depth", state); break;
    case OPT_WARMUP:
        a->warmup = (enum live_warmup)option_choice(arg, warmup_names, LIVE_WARMUPS, "warmup", state);
        break;
    case OPT_FULL: a->full = true; break;
    case OPT_REFERENCE: a->reference = real(arg, 1, 1e18, "reference", state); break;
    case OPT_FORMAT:
        a->format = (enum pacsim_format)option_choice(arg, format_names, PACSIM_FORMATS, "format", state);
        break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_END: check(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool same_function(void *names, uint64_t a, uint64_t b) {
    const struct program_function *const f = program_function_at(names, a), *const g = program_function_at(names, b);
    return f && g && f->entry == g->entry;
}

static int report(struct arguments *a, const struct pacsim *p, const struct pacsim_live *live, struct error *err) {
    struct pacsim_report r = {.pacsim = p,
                              .live = live,
                              .program = iss_program_path(&a->program),
                              .method = method_names[a->settings.method],
                              .on = "gus",
                              .config = a->config,
                              .warmup = warmup_names[a->warmup],
                              .reference = a->reference};
    double all;
    r.full = live_gus_full(a->gus, &all);
    if (a->full) r.reference = all;
    struct output *const output = output_open(a->output, err);
    if (!output) return STATUS_OUTPUT;
    const bool good = pacsim_report_write(&r, a->format, output_file(output), err);
    if (output_close(output, good, good ? err : NULL) < 0) return good ? STATUS_OUTPUT : STATUS_BAD_INPUT;
    return EXIT_SUCCESS;
}

static int run(void *context, struct iss *iss, struct error *err) {
    struct arguments *a = context;
    struct signals_before before;
    struct pacsim_engine engine;
    struct pacsim p;
    if (iss_harts(iss) > 1) {
        error_set(err, "--harts: --on gus simulates one hart: omit it");
        return STATUS_BAD_INPUT;
    }
    if (!pacsim_begin(&p, &a->settings, iss_harts(iss), err)) return STATUS_BAD_INPUT;
    live_gus_engine(a->gus, &engine);
    struct pacsim_live live = {.least = a->least,
                               .most = a->most,
                               .markers = a->settings.method == PACSIM_LIVE,
                               .max = a->program.max,
                               .same_function = a->names ? same_function : NULL,
                               .names = a->names,
                               .stop = signals_note(&before),
                               .engine = &engine};
    int status = STATUS_BAD_INPUT;
    if (pacsim_live_run(&live, &p, iss, err) == 0) {
        status = *live.stop ? 128 + *live.stop : iss_program_status(&a->program, iss, err);
        if (p.count == 0 && status != STATUS_BAD_INPUT) {
            error_set(err, "%s: no instruction was executed: nothing to report", iss_program_path(&a->program));
            status = STATUS_BAD_INPUT;
        }
        const int written = status == STATUS_BAD_INPUT ? 0 : report(a, &p, &live, err);
        if (written) status = written;
    }
    signals_restore(&before);
    pacsim_free(&p);
    return status;
}

int regions_live(int argc, char **argv) {
    static const char text[] =
        "Simulate a long program by samples that are chosen while it goes on, without a look at it before "
        "(Pac-Sim).\vThe program runs on the instruction-set simulator; what it prints is not shown. It is cut where "
        "loops begin; each region is simulated in detail, or fast-forwarded where one like it is expected that was "
        "simulated already, whose cycles then stand for it. Nothing is printed before the end.\n"
        "Exit status: 0; 124 when --max-insns ran out; 2 on bad usage or bad input; 4 when the output could not be "
        "written; 128 and the signal's number when a signal ended it: it reports what was done until then.";
    const struct argp_child children[] = {{&iss_program_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = "[PROGRAM.elf [-- ARG...]]",
                              .doc = text,
                              .children = children};
    struct arguments a = {.config = "tea4", .settings = PACSIM_SETTINGS, .warmup = LIVE_FUNCTIONAL};
    struct error err = {""};
    iss_program_begin(&a.program);
    parse_command(&argp, "regions live", argc, argv, &a);
    const struct path_use uses[] = {{"the program", a.program.program, false},
                                    {"--input", a.program.input, false},
                                    {"--restore", a.program.restore, false},
                                    {"--table", a.table, false},
                                    {"--output", a.output, true}};
    int status = STATUS_BAD_INPUT;
    if (paths_check(uses, sizeof uses / sizeof *uses, &err) &&
        (a.gus = live_gus_create(a.config, a.table, a.warmup, a.full, &err)) != NULL) {
        if (a.program.program) a.names = program_load(a.program.program, NULL);
        status = iss_program_run(&a.program, run, &a, &err);
    }
    live_gus_destroy(a.gus);
    program_destroy(a.names);
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
